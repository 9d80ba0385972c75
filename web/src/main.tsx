/** Where the page begins: theme first, then the session, then the app. */
import { render } from "preact";
import "./ui/tokens.css";
import "./ui/base.css";
import { keepAddress, threadIn } from "./address.ts";
import { attend } from "./device.ts";
import { bringInspector } from "./inspector/hook.ts";
import { applyTheme } from "./prefs.ts";
import { Session } from "./session.ts";
import { App } from "./ui/App.tsx";
import { Guarded } from "./ui/Guarded.tsx";

applyTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);

const session = new Session();
const root = document.getElementById("app");
const broken = (
  <p role="alert" class="broken">
    This page broke. What you said is safe. <a href="/">Load it again</a>
  </p>
);
if (root)
  render(
    <Guarded otherwise={broken}>
      <App session={session} />
    </Guarded>,
    root,
  );
attend(session);
// A recording that begins later misses the beginning.
void bringInspector(session.sayso)
  .catch(() => undefined)
  .then(() => session.begin(threadIn(location.hash)))
  .then(() => keepAddress(session));

addEventListener("online", () => session.sayso.link.retryNow());
addEventListener("offline", () => session.sayso.link.doubt());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) session.sayso.link.retryNow();
});

if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
