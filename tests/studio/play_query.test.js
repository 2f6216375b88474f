// Hints and checks that are requested while the user plays on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onKey } from "../../nonosat/studio/page/play/index.js";
import { fromPuzzle } from "../../nonosat/studio/page/state/document.js";

test("an answer that arrives after the next query is dropped", async () => {
  const doc = fromPuzzle({ width: 1, height: 1, rows: [[1]], columns: [[1]] });
  const play = { marks: Uint8Array.of(255), isSolved: false, pending: "" };
  const [answer, told] = [[], []];
  const app = {
    store: {
      get: () => ({ doc, play }),
      dispatch: (action) => action.found && told.push(action.found),
    },
    answers: { can: () => true, query: () => new Promise((resolve) => answer.push(resolve)) },
    announce() {},
  };
  const press = (key) => onKey({ key }, app);
  press("h");
  press("c"); // a mark has ended the first query meanwhile
  answer[0]("old");
  answer[1]("new");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told, ["new"]);
});
