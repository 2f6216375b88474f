// Steps without a server: those that the page contains.

import { AnswerError } from "../answers/errors.js";

/**
 * Answers of an explanation, or of the reason of a cell; only "explain" is answered.
 *
 * @param {object} found `to_data()` of either.
 */
export function createStepAnswers(found) {
  const can = (question) => question === "explain";
  return {
    can,
    watch: () => 0,
    onConnection: () => () => {},
    query: async (question) => {
      if (!can(question)) throw new AnswerError("UnsupportedError", "this file has only steps");
      return found;
    },
  };
}
