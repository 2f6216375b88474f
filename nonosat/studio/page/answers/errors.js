// Why a question has no answer.

/** An error with the library's own name of its kind ("FormatError") and a sentence for people. */
export class AnswerError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = "AnswerError";
    this.kind = kind;
  }
}

/** Whether a question was only called off. */
export function isCalledOff(error) {
  return error?.kind === "AbortError" || error?.name === "AbortError";
}
