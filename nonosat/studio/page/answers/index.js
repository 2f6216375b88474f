// Who answers the page's questions. All answerers have the same four words:
//
// `watch(puzzle, tell)` judges a puzzle (as it is sent, see the README; null: nothing more) until
//   the next call. Returns the number of the edit; `tell(message)` hears the messages of the live
//   verdict (README), all of which bear that number, and nothing more once `watch` is called again.
// `ask(question, body, { signal, onProgress })` asks one of the questions. `body` is an object, or a
//   file as a Blob. `onProgress(known)` is called with the answer so far, of a repair. Resolves with what stands under "answer", or, where the answer is a file, with a Blob
//   that also has `name` and, of a certificate, `command`. Rejects with an AnswerError of kind
//   "AbortError" where `signal` ended it. A question may have parameters: "read?name=a.non".
// `can(question)` says why a question cannot be answered here, in a sentence; "" where it can.
// `onConnection(listener)` tells "open", "lost" or "refused" from now on, and what holds now;
//   returns a function that ends it.

import { createCoreAnswers } from "./core.js";
import { createServerAnswers } from "./server.js";

export { AnswerError } from "./errors.js";

/** The answers of the server that this page comes from; its own where it stands in a folder. */
export function createAnswers() {
  const isAlone = document.querySelector('meta[name="nonosat-answers"]')?.content === "core";
  const create = isAlone ? createCoreAnswers : createServerAnswers;
  return create({ base: document.baseURI });
}
