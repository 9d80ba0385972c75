/** Where the page begins: theme first, then the app. */
import { render } from "preact";
import "./ui/tokens.css";
import "./ui/base.css";

const root = document.getElementById("app");
if (root) render(<h1>Sayso</h1>, root);
