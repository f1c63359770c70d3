// The server: JSON, and turns as streams of events. EventSource cannot POST, so that the stream is read by fetch.

import { byId } from "./dom.js";

const STORE = "triplewise-key";

export class ServerError extends Error {
  constructor(message, hint, status) {
    super(message);
    this.hint = hint || "";
    this.status = status;
  }
}

function headers(body) {
  const key = sessionStorage.getItem(STORE);
  return { ...(body ? { "Content-Type": "application/json" } : {}), ...(key ? { Authorization: `Bearer ${key}` } : {}) };
}

async function request(method, path, body, signal) {
  const sent = sessionStorage.getItem(STORE);
  const options = { method, headers: headers(body), body: body ? JSON.stringify(body) : undefined, signal };
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError("The server does not answer.", "Is it still running?", 0);
  }
  if (response.status === 401 && byId("key")) {
    if (sessionStorage.getItem(STORE) === sent) await askForKey(sent); // or another request has asked for it meanwhile
    return request(method, path, body, signal);
  }
  if (!response.ok) {
    const problem = (await response.json().catch(() => ({}))).error || {};
    throw new ServerError(problem.message || `The server answered ${response.status}.`, problem.hint, response.status);
  }
  return response;
}

let asking = null;
function askForKey(refused) {
  asking ??= new Promise((resolve) => {
    const dialog = byId("key");
    byId("key-refused").hidden = !refused;
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(STORE, byId("key-text").value.trim());
      byId("key-text").value = "";
      asking = null;
      resolve();
    }, { once: true });
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.showModal();
  });
  return asking;
}

export const get = async (path) => (await request("GET", path)).json();
export const getText = async (path) => (await request("GET", path)).text();
export const post = async (path, body) => (await request("POST", path, body)).json();
export const remove = async (path) => (await request("DELETE", path)).json();

export async function* turn(path, body, signal) {
  const response = await request("POST", path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop();
      for (const event of events) if (event.startsWith("data: ")) yield JSON.parse(event.slice(6));
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
