/** Services of others, on this machine: a model that answers, and one of speech that is down. */
import { createServer } from "node:http";

/** Serves while `work(base)` goes on. */
async function serving(answer, work) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(request, response));
  });
  await new Promise((go) => server.listen(0, "127.0.0.1", go));
  try {
    return await work(`http://127.0.0.1:${server.address().port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Any server that speaks OpenAI's Chat Completions, and says this to everything. */
export function withModel(name, words, work) {
  const piece = (delta, finish_reason = null) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_795_000_000,
    model: name,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
  const said = [
    piece({ role: "assistant", content: "" }),
    ...words.split(/(?<= )/).map((content) => piece({ content })),
    { ...piece({}, "stop"), usage },
  ];
  const answer = (_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const one of said) response.write(`data: ${JSON.stringify(one)}\n\n`);
    response.end("data: [DONE]\n\n");
  };
  return serving(answer, (base) => work(`[models.openai]\nurl = "${base}"\nmodel = "${name}"\nprotocol = "chat"\n`));
}

/** Ears and a voice that were configured, and that answer nothing but that they failed. */
export function withBrokenSpeech(work) {
  const answer = (_, response) => {
    response.writeHead(500, { "Content-Type": "application/json" });
    response.end('{"error":{"message":"it is told to fail"}}');
  };
  const place = (base) => `url = "${base}"\nkey = "sk-e2e"\n`;
  return serving(answer, (base) => work(`[speech.transcription]\n${place(base)}[speech.voice]\n${place(base)}`));
}
