// Answers without a server: the native core in WebAssembly runs in a worker thread.
// `answers/index.js` defines the interface.
//
// Invariant: an outdated edit costs nothing. The thread receives a newer edit between two slices;
// if it does not confirm it within PATIENCE_MS, it is terminated and replaced.

import { AnswerError } from "./errors.js";
import { exported, FORMATS, readFile } from "./core_files.js";
import { pictureOfFile } from "./core_image.js";

const PATIENCE_MS = 150;
const BY_CORE = new Set(["solve", "hint", "beliefs", "repair", "explain", "rate"]);
const CORE_FAMILY = "nonogram"; // the only one that the core decides

/**
 * Answers of the page itself.
 *
 * @param {object} options
 * @param {string} options.base The page's own address; gallery.json and about.json are next to it.
 * @param {() => Worker} [options.start] Creates the core's thread.
 * @param {typeof fetch} [options.request]
 */
export function createCoreAnswers({
  base,
  start = startWorker,
  request = (...all) => fetch(...all),
}) {
  const live = createLive(start);
  const desk = createDesk(start);
  const loaded = (name) => load(new URL(name, base), request);
  const handlers = {
    gallery: () => loaded("gallery.json"),
    about: async () => ({ ...(await loaded("about.json")), formats: FORMATS, first: null }),
    read: (body, { name }) => readFile(body, name),
    export: exported,
    image: pictureOfFile,
  };
  return {
    watch: live.watch,
    async query(question, body, { signal, onProgress } = {}) {
      const [name, query] = question.split("?");
      if (BY_CORE.has(name)) return desk.query(name, body, signal, onProgress);
      const handler = handlers[name];
      if (handler) return handler(body, Object.fromEntries(new URLSearchParams(query)));
      throw new AnswerError("UnsupportedError", `this page does not answer ${name}`);
    },
    can: (name, family = CORE_FAMILY) =>
      Object.hasOwn(handlers, name) || (BY_CORE.has(name) && family === CORE_FAMILY),
    address: new URL(base).href.replace(/[?#].*/, ""),
    onConnection(listener) {
      listener("open");
      return () => {};
    },
  };
}

const startWorker = () =>
  new Worker(new URL("core_worker.js", import.meta.url), { type: "module" });

async function load(address, request) {
  try {
    const reply = await request(address);
    if (reply.ok) return await reply.json();
  } catch {
    // reported below
  }
  throw new AnswerError(
    "ConnectionError",
    "A file of this page is missing, or there is no network. Open the page once with a network.",
  );
}

/** The worker thread of the live verdict. */
function createLive(start) {
  let worker = null;
  let edit = 0;
  let current = null; // { edit, puzzle, listener }
  let isLoaded = false; // true if the thread has sent a message: its files may load slowly
  // Runs until a loaded thread has confirmed the newest edit.
  const patience = createPatience(PATIENCE_MS, restart);

  function restart() {
    worker?.terminate();
    worker = start();
    isLoaded = false;
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => fail(event.message);
    send();
  }

  function send() {
    worker.postMessage({ edit, sent: current ? current.puzzle : null });
  }

  function receive({ begun, ...message }) {
    isLoaded = true;
    if (begun) patience.end();
    if (begun && message.edit !== edit) patience.begin();
    if (!begun && message.edit === edit) current?.listener(message);
  }

  function fail(reason) {
    patience.end();
    worker.terminate();
    worker = null;
    current?.listener({
      edit,
      verdict: "unknown",
      reason: `the page's own solver does not start: ${reason}`,
    });
    current?.listener({ edit, done: true });
  }

  return {
    watch(puzzle, listener) {
      edit += 1;
      current = puzzle === null ? null : { edit, puzzle, listener };
      if (worker) {
        send();
        if (isLoaded) patience.begin();
      } else if (current) {
        restart();
      }
      return edit;
    },
  };
}

/** A timer that further edits do not extend, however fast they come. */
function createPatience(ms, end) {
  let timer = null;
  return {
    begin() {
      timer ??= setTimeout(() => {
        timer = null;
        end();
      }, ms);
    },
    end() {
      clearTimeout(timer);
      timer = null;
    },
  };
}

/** The worker thread of all other questions, kept for the page's life, because it handles
 * cancellation.
 */
function createDesk(start) {
  let worker = null;
  let last = 0;
  const waiting = new Map(); // id to { resolve, reject }

  function open() {
    worker = start();
    worker.onmessage = ({ data: { id, answer, error, progress } }) => {
      const waiter = waiting.get(id);
      if (progress) return waiter?.onProgress?.(progress);
      waiting.delete(id);
      if (error) waiter?.reject(new AnswerError(error.kind, error.message));
      else waiter?.resolve(answer);
    };
    worker.onerror = (event) => {
      for (const { reject } of waiting.values()) {
        reject(
          new AnswerError("BackendError", `the page's own solver does not start: ${event.message}`),
        );
      }
      waiting.clear();
      worker = null;
    };
  }

  return {
    query(question, body, signal, onProgress) {
      if (!worker) open();
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, onProgress });
        worker.postMessage({ id, question, body });
        signal?.addEventListener("abort", () => {
          worker?.postMessage({ drop: id });
          waiting.delete(id);
          reject(new AnswerError("AbortError", "This was cancelled."));
        });
      });
    },
  };
}
