// Requests to the server: JSON questions, streams of server-sent events, and files.

const ROOT = "/api/v1/";
const OFFLINE = "the server is not responding; is it still running?";
/** How long the page waits before it retries a server that stopped responding. */
const WAIT_MS = 1500;

/** @type {Promise<void>|null} */
let back = null;

/** An answer that is an error, or no answer. `code` is "offline" when the server could not be reached. */
class ApiError extends Error {
  /** @param {number} status @param {{code?: string, message?: string, field?: string|null, faults?: {line: number, column: number, message: string}[]}} error */
  constructor(status, { code = "failed", message = "the server answered with an error", field = null, faults = [] } = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.field = field;
    this.faults = faults;
  }
}

/** Settles when the server can be reached again; null while it can. */
export function whenBack() {
  return back;
}

function offline(message = OFFLINE) {
  back ??= untilBack().then(() => {
    back = null;
  });
  return new ApiError(0, { code: "offline", message });
}

async function untilBack() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    const answer = await fetch(`${ROOT}about`, { headers: { "X-Gemhunter": "1" } }).catch(() => null);
    if (answer && !isOfProxy(answer.status)) return;
  }
}

/** Whether this status is how a proxy says that the server behind it is down. */
function isOfProxy(status) {
  return [502, 503, 504].includes(status);
}

/** True if the error only says that a request was aborted on purpose. @param {any} error */
export function isAbort(error) {
  return error?.name === "AbortError";
}

/**
 * Ask the server; resolves to its record. @param {string} path @param {object} body @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, body, { signal } = {}) {
  const response = await post(path, body, "application/json", signal);
  return readJson(response);
}

/** The record of GET /about. @returns {Promise<any>} */
export async function about() {
  const response = await send(`${ROOT}about`, { headers: { "X-Gemhunter": "1" } });
  await refuseErrors(response);
  return readJson(response);
}

/**
 * Ask for a file. @param {string} path @param {object} body @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<{blob: Blob, name: string}>}
 */
export async function fetchFile(path, body, { signal } = {}) {
  const response = await post(path, body, "*/*", signal);
  const disposition = response.headers.get("Content-Disposition") ?? "";
  const name = /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? "board";
  return { blob: await response.blob(), name };
}

/**
 * Ask, and follow the work: `onProgress(record)` gets seconds and steps, or a note; `onItem(record)` gets each part of the answer.
 * @param {string} path @param {object} body
 * @param {{signal?: AbortSignal, onProgress?: (progress: any) => void, onItem?: (item: any) => void}} [options]
 * @returns {Promise<any>} the record of the event `result`
 */
export async function stream(path, body, { signal, onProgress, onItem } = {}) {
  const response = await post(path, body, "text/event-stream", signal);
  if (!(response.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) return readJson(response);
  for await (const { event, record } of eventsOf(response)) {
    if (event === "progress") onProgress?.(record);
    else if (event === "item") onItem?.(record);
    else if (event === "error") throw new ApiError(record.status ?? 200, record.error ?? record);
    else if (event === "result") return record;
  }
  throw offline("the server stopped in the middle of its answer; try again");
}

async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await readPart(reader);
      if (done) return;
      const blocks = (text + value).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const found = eventOf(block);
        if (found) yield found;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function readPart(reader) {
  try {
    return await reader.read();
  } catch (error) {
    throw isAbort(error) ? error : offline();
  }
}

function eventOf(block) {
  let event = "message";
  const parts = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) parts.push(line.slice(5).trimStart());
  }
  return parts.length ? { event, record: JSON.parse(parts.join("\n")) } : null;
}

async function post(path, body, accept, signal) {
  const headers = { "Content-Type": "application/json", Accept: accept, "X-Gemhunter": "1" };
  const response = await send(ROOT + path, { method: "POST", headers, body: JSON.stringify(body), signal });
  await refuseErrors(response);
  return response;
}

async function send(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    throw isAbort(error) ? error : offline();
  }
}

async function refuseErrors(response) {
  if (response.ok) return;
  const record = await response.json().catch(() => ({}));
  if (!record.error && isOfProxy(response.status)) throw offline();
  throw new ApiError(response.status, record.error ?? { message: `the server answered ${response.status} ${response.statusText}` });
}

async function readJson(response) {
  try {
    return await response.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(response.status, { message: "the server sent an answer that is not JSON" });
  }
}

/** Read a board or game from a file, in any format. @param {File} file @param {"clue"|"unknown"} [zero] how 0 is read */
export async function readFile(file, zero = "clue") {
  const base64 = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(new Error(`“${file.name}” could not be read`));
    reader.readAsDataURL(file);
  });
  return ask("read", { base64, name: file.name, zero });
}
