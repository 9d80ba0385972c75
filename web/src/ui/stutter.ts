/** Ears that are not sure yet begin with one word over and over. It is not worth reading before it says more. */
export function repeatsOneWord(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}’']+/gu) ?? [];
  return words.length > 1 && new Set(words).size === 1;
}
