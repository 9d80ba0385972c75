/** A button, large or small, loud or quiet. One that may not be pressed says so and stays where it is. */
import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./parts.module.css";

type Looks = "plain" | "primary" | "grave" | "quiet" | "danger";

type Props = Omit<JSX.IntrinsicElements["button"], "icon" | "size"> & {
  looks?: Looks;
  isSmall?: boolean;
  isOff?: boolean;
  children: ComponentChildren;
};

export function Button({ looks = "plain", isSmall, isOff, children, class: more, ...rest }: Props) {
  const classes = [styles.button, looks !== "plain" && styles[looks], isSmall && styles.small, more];
  return (
    <button
      type="button"
      {...rest}
      class={classes.filter(Boolean).join(" ")}
      aria-disabled={isOff ? "true" : undefined}
    >
      {children}
    </button>
  );
}

type IconProps = JSX.IntrinsicElements["button"] & { icon: IconName; label: string; size?: number };

export function IconButton({ icon, label, size, class: more, ...rest }: IconProps) {
  return (
    <button type="button" title={label} aria-label={label} {...rest} class={`${styles.iconButton} ${more ?? ""}`}>
      <Icon name={icon} size={size} />
    </button>
  );
}

export function TextButton({
  children,
  class: more,
  ...rest
}: JSX.IntrinsicElements["button"] & { children: ComponentChildren }) {
  return (
    <button type="button" {...rest} class={`${styles.link} ${more ?? ""}`}>
      {children}
    </button>
  );
}
