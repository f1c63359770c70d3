// The page of one answer's evidence, as links from other chat clients show it: /evidence/<answer>?s=<signature>#<n>.

import { ServerError, get } from "./api.js";
import { byId, h } from "./dom.js";
import { lightFor, listenForLight } from "./light.js";
import { showPanel } from "./panel.js";
import { applyTheme } from "./theme.js";

applyTheme();
listenForLight();
const place = byId("evidence");
const id = decodeURIComponent(location.pathname.split("/").pop());

function light() {
  const n = Number(location.hash.slice(1));
  if (n) lightFor(`${id}:${n}`, 4000);
}

try {
  const facts = await get(`/api/evidence/${encodeURIComponent(id)}${location.search}`);
  const answer = { id, citations: facts.filter((f) => f.n), context: facts.filter((f) => !f.n), answers: [] };
  showPanel(place, answer, { title: "Evidence of this answer" });
  light();
  addEventListener("hashchange", light);
} catch (error) {
  const text = error instanceof ServerError ? `${error.message} ${error.hint}` : "This evidence cannot be shown.";
  place.append(h("p", { class: "empty-note" }, text));
}
