/** What cannot be drawn takes nothing else with it, and is tried again once it has changed. */
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";

export function Guarded({ otherwise, children }: { otherwise: ComponentChildren; children: ComponentChildren }) {
  const [error, forgive] = useErrorBoundary((error) => console.error(error));
  useEffect(() => {
    if (error) forgive();
  }, [children]);
  return <>{error ? otherwise : children}</>;
}
