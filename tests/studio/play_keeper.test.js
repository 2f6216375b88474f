import assert from "node:assert/strict";
import { test } from "node:test";

import { createKeeper } from "../../nonosat/studio/page/play/keeper.js";
import { createProgress } from "../../nonosat/studio/page/play/progress.js";
import { createHold } from "../../nonosat/studio/page/state/hold.js";
import { createLocks, createStorage } from "./helpers/browser.mjs";

const marks = (...values) => Uint8Array.from(values);
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
const busy = () => new Promise((resolve) => setTimeout(resolve, 450));

/** A browser in which tabs are opened; a tab is opened again with its own storage. */
function createBrowser() {
  const [kept, locks] = [createStorage(), createLocks()];
  let [now, keys] = [0, 0];
  const progress = createProgress(kept, () => (now += 1));
  return {
    progress,
    /** A tab that never learns if a name is free. */
    leaving(own = createStorage()) {
      return createKeeper(progress, () => new Promise(() => {}), own, () => "never");
    },
    tab(own = createStorage()) {
      return createKeeper(progress, createHold(locks, "game/"), own, () => `key${(keys += 1)}`);
    },
  };
}

test("a game is kept at once and found again", async () => {
  const browser = createBrowser();
  const tab = browser.tab();
  assert.equal(tab.begin("heart"), null);
  tab.save("heart", { marks: marks(1, 255), seconds: 3 });
  await settle(); // until the place is known
  assert.deepEqual(browser.progress.load("heart").marks, marks(1, 255));
  tab.save("heart", { marks: marks(1, 0), seconds: 4 });
  assert.deepEqual(tab.begin("heart").marks, marks(1, 0));
});

test("two tabs with the same puzzle keep two games, also after a reload", async () => {
  const browser = createBrowser();
  const [one, storage] = [browser.tab(), createStorage()];
  const two = browser.tab(storage);
  one.begin("heart");
  await settle();
  one.save("heart", { marks: marks(1, 255), seconds: 3 });
  assert.deepEqual(two.begin("heart").marks, marks(1, 255), "it goes on with a copy");
  two.save("heart", { marks: marks(0, 0), seconds: 1 });
  await busy();
  one.save("heart", { marks: marks(1, 1), seconds: 5 });
  assert.deepEqual(browser.progress.load("heart").marks, marks(1, 1));
  assert.deepEqual(browser.tab(storage).begin("heart").marks, marks(0, 0));
  two.save("heart", { marks: marks(255, 255), seconds: 0 });
  assert.deepEqual(browser.progress.load("heart").marks, marks(1, 1));
});

test("a tab that is left before its place is known loses nothing", async () => {
  const browser = createBrowser();
  const [one, storage] = [browser.tab(), createStorage()];
  one.begin("heart");
  await settle();
  one.save("heart", { marks: marks(1, 255), seconds: 3 });
  const two = browser.leaving(storage);
  two.begin("heart");
  two.save("heart", { marks: marks(1, 0), seconds: 4 }); // and it is gone
  assert.deepEqual(browser.progress.load("heart").marks, marks(1, 255), "one's is one's");
  const again = browser.tab(storage);
  assert.deepEqual(again.begin("heart").marks, marks(1, 0), "after a reload");
  await busy();
  assert.deepEqual(browser.tab().begin("heart").marks, marks(1, 0), "in a third tab");
  one.save("heart", { marks: marks(1, 1), seconds: 5 });
  assert.deepEqual(browser.tab().begin("heart").marks, marks(1, 1), "what is newer comes first");
});

test("an abandoned game passes to the next holder of its name", async () => {
  const browser = createBrowser();
  const two = browser.leaving();
  two.begin("heart");
  two.save("heart", { marks: marks(1, 0), seconds: 4 });
  const next = browser.tab();
  assert.deepEqual(next.begin("heart").marks, marks(1, 0));
  await settle();
  assert.deepEqual(browser.progress.load("heart").marks, marks(1, 0));
  next.save("heart", { marks: marks(255, 255), seconds: 0 });
  assert.deepEqual(browser.tab().begin("heart").marks, marks(255, 255), "it does not come back");
});

test("without locks games are kept all the same", async () => {
  const progress = createProgress(createStorage(), () => 1);
  const refused = { request: async () => Promise.reject(new DOMException("no", "SecurityError")) };
  for (const locks of [undefined, refused]) {
    const keeper = createKeeper(progress, createHold(locks, "game/"), null, () => "key");
    keeper.begin("heart");
    keeper.save("heart", { marks: marks(1), seconds: 1 });
    await settle();
    assert.deepEqual(progress.load("heart").marks, marks(1));
  }
});

test("an abandoned game is kept if there is no room to move it", async () => {
  const kept = createStorage(50); // for one game
  const progress = createProgress(kept, () => 1);
  const never = createKeeper(progress, () => new Promise(() => {}), null, () => "never");
  never.begin("heart");
  never.save("heart", { marks: marks(1, 255, 1, 255), seconds: 3 });
  const left = progress.load("heart~left");
  assert.ok(left);
  const next = createKeeper(progress, async () => true, null, () => "key");
  assert.deepEqual(next.begin("heart").marks, left.marks);
  await settle();
  assert.deepEqual(progress.load("heart") ?? progress.load("heart~left"), left);
});
