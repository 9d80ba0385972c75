/** Where the page for operators begins. */
import { render } from "preact";
import { applyTheme } from "../prefs.ts";
import "../ui/tokens.css";
import "../ui/base.css";
import { Ops } from "./Ops.tsx";

applyTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
const root = document.getElementById("app");
if (root) render(<Ops />, root);
