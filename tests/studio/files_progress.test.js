// Files that are slow to read, and users who do not wait for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openFile, openText } from "../../nonosat/studio/page/files/open.js";
import { withProgress } from "../../nonosat/studio/page/files/progress.js";
import { createStore } from "../../nonosat/studio/page/state/store.js";

/** A page whose answers the test holds back; no answer reacts to its signal. */
function world() {
  const store = createStore({ mode: "gallery", doc: null }, (state, action) =>
    action.type === "open" ? { ...state, mode: action.mode, doc: action.doc } : { ...state },
  );
  const [toasts, signals, answer] = [new Map(), [], []];
  const app = {
    store,
    toast(text, { action } = {}) {
      toasts.set(text, action);
      return () => toasts.delete(text);
    },
    answers: {
      query: (question, _body, { signal }) =>
        new Promise((resolve) => {
          signals.push(signal);
          answer.push((title) => resolve(read(title)));
        }),
    },
    open: (doc, { mode }) => store.dispatch({ type: "open", doc, mode }),
  };
  return { app, toasts, signals, answer };
}

const read = (title) => ({
  warnings: [],
  puzzles: [{ puzzle: { width: 1, height: 1, rows: [[1]], columns: [[1]], title }, title }],
});
const file = (name) => Object.assign(new Blob(["rows"]), { name });
const title = (app) => app.store.get().doc?.title;

test("a file whose answer comes is opened", async () => {
  const { app, answer, signals } = world();
  const done = openFile(file("a.non"), app);
  app.store.dispatch({ type: "cursor" }); // the user goes on drawing
  answer[0]("slow");
  await done;
  assert.equal(title(app), "slow");
  assert.equal(signals[0].aborted, false);
});

test("a slow file does not replace what was opened after it", async () => {
  const { app, answer, signals } = world();
  const done = openFile(file("a.non"), app);
  app.open({ title: "later" }, { mode: "draw" });
  assert.equal(signals[0].aborted, true);
  answer[0]("slow");
  await done;
  assert.equal(title(app), "later");
});

test("of two files that are read the later one is opened, whichever comes first", async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { app, answer, signals } = world();
    const done = [openFile(file("a.non"), app), openText("rows", app)];
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    for (const at of order) {
      answer[at](["first", "second"][at]);
      await done[at];
    }
    assert.equal(title(app), "second");
  }
});

test("Stop works even if the signal is ignored, and later failures are not shown", async () => {
  for (const last of ["resolve", "reject"]) {
    const { app, toasts } = world();
    let end;
    const shown = new Promise((resolve) => {
      const { toast } = app;
      app.toast = (...all) => {
        const close = toast(...all);
        resolve();
        return close;
      };
    });
    const work = () => new Promise((resolve, reject) => (end = { resolve, reject }));
    const done = withProgress(app, "Opening", work);
    await shown;
    toasts.get("Opening").run();
    assert.equal(toasts.size, 0);
    end[last](new Error("late"));
    await assert.rejects(done, { name: "AbortError" });
  }
});
