// Errors of questions.

/**
 * An error with the library's own name of its kind ("FormatError"), stating what was found and
 * expected.
 *
 * `at` is `[line, column]` of a text, from 1 (the column may be null), or null; `remedy` is `{
 * kind, argument, values }` of the library, or null; the page words the advice itself.
 */
export class AnswerError extends Error {
  constructor(kind, message, { at = null, remedy = null } = {}) {
    super(message);
    this.name = "AnswerError";
    this.kind = kind;
    this.at = at;
    this.remedy = remedy;
  }
}

/** True if a question was cancelled. */
export function isCalledOff(error) {
  return error?.kind === "AbortError" || error?.name === "AbortError";
}
