// Answers to the page's questions. All implementations have the same members:
//
// `watch(puzzle, listener)` judges a puzzle (as it is sent, see the README; null: none) until the next
//   call. Returns the number of the edit; `listener(message)` receives the messages of the live verdict
//   (README), all with that number, and none after `watch` is called again.
// `query(question, body, { signal, onProgress })` sends one of the questions. `body` is an object, or
//   a file as a Blob. `onProgress(known)` is called with partial answers, for a repair. Resolves
//   with the content of "answer", or, if the answer is a file, with a Blob that also has `name`
//   and, for a certificate, `command`. Rejects with an AnswerError of kind "AbortError" if `signal`
//   ended it. A question may have parameters: "read?name=a.non".
// `can(name, family)` returns true if a question has an answer here, about puzzles of a family
//   (default: nonograms). Parts do not show functions without an answer.
// `address` is the page's address if others can open it, for links to puzzles; else null.
// `onConnection(listener)` reports "open", "lost" or "refused", now and after each change; returns
//   a function that removes the listener.

import { createCoreAnswers } from "./core.js";
import { createServerAnswers } from "./server.js";

export { AnswerError } from "./errors.js";

/**
 * Answers of the server that this page comes from, or the page's own answers in a static folder.
 */
export function createAnswers() {
  const isAlone = document.querySelector('meta[name="nonosat-answers"]')?.content === "core";
  const create = isAlone ? createCoreAnswers : createServerAnswers;
  return create({ base: document.baseURI });
}
