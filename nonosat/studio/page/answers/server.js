// Answers of the server that serves this page: questions by fetch, live verdicts by WebSocket.

import { AnswerError } from "./errors.js";
import { createLive } from "./live.js";

const PROGRESS_MS = 500; // between two requests for progress

/**
 * Answers of a server; `answers/index.js` defines the interface.
 *
 * @param {object} options
 * @param {string} options.base The page's own address.
 * @param {typeof fetch} [options.request]
 * @param {typeof WebSocket} [options.Socket]
 */
export function createServerAnswers({
  base,
  request = (...all) => fetch(...all),
  Socket = WebSocket,
}) {
  const live = createLive({
    open: () => new Socket(new URL("live", base).href.replace(/^http/, "ws")),
    later: (run, ms) => setTimeout(run, ms),
    forget: (timer) => clearTimeout(timer),
    isRefused: () => isRefused(base, request),
  });
  return {
    ...live,
    query(question, body, { signal, onProgress } = {}) {
      if (!onProgress) return query(base, request, question, body, signal);
      const name = crypto.randomUUID();
      const end = follow(base, request, name, onProgress);
      return query(base, request, question, { ...body, progress: name }, signal).finally(end);
    },
    can: () => true,
    address: null,
  };
}

/** True if a server is running that does not accept this page's address, for example a new one. */
async function isRefused(base, request) {
  try {
    const reply = await request(new URL("api/about", base), { cache: "no-store" });
    return reply.status === 401 || reply.status === 403;
  } catch {
    return false;
  }
}

/**
 * Fetch the progress of a question repeatedly; the returned function stops it.
 *
 * @param {string} name Name of the question.
 * @param {(known: object) => void} onProgress Called with the partial answer, if there is one.
 */
function follow(base, request, name, onProgress) {
  let timer = 0;
  let isOver = false;
  const poll = async () => {
    const known = await query(base, request, `progress?of=${name}`).catch(() => null);
    if (isOver) return;
    if (known) onProgress(known);
    timer = setTimeout(poll, PROGRESS_MS);
  };
  timer = setTimeout(poll, PROGRESS_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function query(base, request, question, body, signal) {
  const isFile = body instanceof Blob;
  const sending = {
    method: body === undefined ? "GET" : "POST",
    headers:
      body === undefined
        ? {}
        : { "Content-Type": isFile ? "application/octet-stream" : "application/json" },
    body: isFile || body === undefined ? body : JSON.stringify(body),
    cache: "no-store",
    signal,
  };
  let reply;
  try {
    reply = await request(new URL(`api/${question}`, base), sending);
    return await answerIn(reply);
  } catch (error) {
    if (error instanceof AnswerError) throw error;
    if (signal?.aborted) throw new AnswerError("AbortError", "This was cancelled.");
    throw new AnswerError(
      "ConnectionError",
      "The studio's server does not answer. Start nonosat studio again and open the address " +
        "that it prints.",
    );
  }
}

/** The content of a reply; every failure becomes an AnswerError. */
async function answerIn(reply) {
  const isJson = (reply.headers.get("Content-Type") ?? "").startsWith("application/json");
  const isFile = reply.headers.get("Content-Disposition") !== null;
  if (reply.ok && (isFile || !isJson)) return fileIn(reply);
  const data = isJson ? await reply.json() : {};
  if (reply.ok) return "answer" in data ? data.answer : data;
  const error = data.error ?? {};
  const { kind = "ServerError", message = `The server answered with status ${reply.status}.` } =
    error;
  throw new AnswerError(kind, message, error);
}

async function fileIn(reply) {
  const blob = await reply.blob();
  const disposition = reply.headers.get("Content-Disposition") ?? "";
  blob.name = decodeURIComponent(
    /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1] ??
      /filename="?([^";]+)/.exec(disposition)?.[1] ??
      "",
  );
  blob.command = reply.headers.get("X-Nonosat-Command") ?? "";
  return blob;
}
