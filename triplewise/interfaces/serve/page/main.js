// The page: puts its parts together, and keeps the address, the graph and the list of conversations in step.

import { ServerError, get, post } from "./api.js";
import { Conversation, firstPage } from "./conversation.js";
import { ICONS, announce, byId, h, icon } from "./dom.js";
import { listenForLight } from "./light.js";
import { themeButton } from "./theme.js";
import { Threads } from "./threads.js";

const MAX_FILE = 30_000_000;
const page = { graph: "", newQuestion, openThread, threadsChanged: () => page.threads.refresh() };

function fail(error) {
  const text = error instanceof ServerError ? `${error.message} ${error.hint}` : "Something failed on this page.";
  byId("log").replaceChildren(h("div", { class: "failed", role: "alert" }, h("p", {}, text)));
}

async function start(kg) {
  const found = await get(`/api/start${kg ? `?kg=${encodeURIComponent(kg)}` : ""}`);
  page.graph = found.overview.kg;
  byId("graph").replaceChildren(...found.graphs.map(({ name }) => h("option", { value: name, selected: name === page.graph }, name)));
  byId("graph").value = page.graph;
  byId("about").textContent = found.model;
  return found;
}

async function newQuestion(kg) {
  closeSide();
  page.conversation.clear();
  history.replaceState(null, "", location.pathname);
  try {
    const found = await start(typeof kg === "string" ? kg : page.graph);
    // who asks before the first page is here keeps what they asked
    if (!page.conversation.turns.length) byId("log").replaceChildren(firstPage(found, (text) => page.conversation.ask(text)));
  } catch (error) {
    fail(error);
  }
  page.threads.refresh();
  byId("question").focus();
}

async function openThread(id) {
  closeSide();
  try {
    await page.conversation.open(id);
    const row = (await get("/api/threads")).find((thread) => thread.id === id);
    if (row && [...byId("graph").options].some((option) => option.value === row.kg)) byId("graph").value = page.graph = row.kg;
    history.replaceState(null, "", `#t=${encodeURIComponent(id)}`);
    byId("question").focus();
  } catch (error) {
    fail(error);
  }
  page.threads.refresh();
}

async function addFile(file) {
  if (file.size > MAX_FILE) return announceProblem(`${file.name} is larger than 30 MB. Start the server with --kg instead.`);
  announce(`Reading ${file.name}`);
  try {
    const { name } = await post("/api/graphs", { name: file.name, text: await file.text() });
    await newQuestion(name);
    announce(`${name} is open`);
  } catch (error) {
    announceProblem(error instanceof ServerError ? `${error.message} ${error.hint}` : `${file.name} cannot be read.`);
  }
  return undefined;
}

function announceProblem(text) {
  byId("log").prepend(h("div", { class: "failed", role: "alert" }, h("p", {}, text)));
  byId("log").scrollTop = 0;
}

function closeSide() {
  byId("side").classList.remove("shown");
  byId("veil").hidden = true;
  byId("menu").setAttribute("aria-expanded", "false");
}

function listen() {
  byId("menu").append(icon(ICONS.menu, 22));
  byId("menu").addEventListener("click", () => {
    byId("side").classList.add("shown");
    byId("veil").hidden = false;
    byId("menu").setAttribute("aria-expanded", "true");
    byId("new").focus();
  });
  byId("veil").addEventListener("click", closeSide);
  byId("new").addEventListener("click", () => newQuestion());
  byId("graph").addEventListener("change", (event) => newQuestion(event.target.value));
  byId("show-evidence").addEventListener("click", () => {
    const { conversation } = page;
    const turn = conversation.turns.filter((t) => t.answer.citations.length).pop();
    if (turn) conversation.openEvidence(conversation.shown && conversation.turns.includes(conversation.shown) ? conversation.shown : turn);
  });
  byId("open-file").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) addFile(file);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input, textarea, select");
    if (event.key === "Escape") {
      if (page.conversation.running) page.conversation.stop();
      else if (byId("side").classList.contains("shown")) { closeSide(); byId("menu").focus(); }
      else if (document.body.classList.contains("sheet")) page.conversation.closeEvidence();
    } else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      byId("question").focus();
    }
  });
  const carriesFile = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  let depth = 0;
  addEventListener("dragenter", (event) => { if (carriesFile(event)) { depth += 1; byId("drop").hidden = false; } });
  addEventListener("dragleave", (event) => { if (carriesFile(event) && (depth -= 1) <= 0) byId("drop").hidden = true; });
  addEventListener("dragover", (event) => { if (carriesFile(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    depth = 0;
    byId("drop").hidden = true;
    if (event.dataTransfer.files[0]) addFile(event.dataTransfer.files[0]);
  });
}

themeButton(byId("theme"));
listenForLight();
page.conversation = new Conversation(page);
page.threads = new Threads(page);
listen();
const wanted = new URLSearchParams(location.hash.slice(1)).get("t");
if (wanted) {
  try {
    await start();
    await openThread(wanted);
  } catch (error) {
    fail(error);
  }
} else await newQuestion();
