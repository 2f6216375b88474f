// Keep a board in place while a stroke is drawn, and for a second after it, so that the next touch
// hits the position that was visible.

export const STILL_MS = 1000;

/**
 * A period in which the layout of a board must not change.
 *
 * @param {() => void} onEnd Called when the period is over.
 * @param {{start: Function, clear: Function}} timers `setTimeout` and `clearTimeout`.
 * @returns {{begin: () => void, end: () => void, release: () => void, isOn: () => boolean}}
 *   `begin` and `end` mark a stroke; `release` ends the second after it early.
 */
export function createStillness(
  onEnd,
  timers = { start: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer) },
) {
  let isDown = false;
  let timer = null;
  const clear = () => {
    if (timer !== null) timers.clear(timer);
    timer = null;
  };
  const finish = () => {
    timer = null;
    onEnd();
  };
  return {
    begin() {
      clear();
      isDown = true;
    },
    end() {
      if (!isDown) return;
      isDown = false;
      timer = timers.start(finish, STILL_MS);
    },
    release() {
      if (timer === null) return;
      clear();
      onEnd();
    },
    isOn: () => isDown || timer !== null,
  };
}
