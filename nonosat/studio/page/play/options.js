// The player's options, which the browser stores for all puzzles.

const PLACE = "nonosat/play"; // in localStorage

/**
 * `crosses`: finished lines are crossed out; `advance`: lines that decide open cells are marked;
 * `mistakes`: the marks are checked after each move; `numbers`: rows and columns have numbers.
 */
export const USUAL = { crosses: false, advance: false, mistakes: false, numbers: false };

/**
 * Storage of the options.
 *
 * @param {Storage|null} storage localStorage; null stores nothing.
 */
export function createOptions(storage) {
  return {
    /** The stored options, or the usual ones. */
    load() {
      let kept = null;
      try {
        kept = JSON.parse(storage.getItem(PLACE));
      } catch {
        // no storage, or content written by another program
      }
      return Object.fromEntries(Object.keys(USUAL).map((name) => [name, kept?.[name] === true]));
    },
    save(options) {
      try {
        storage?.setItem(PLACE, JSON.stringify(options));
      } catch {
        // No room: the options last as long as the page.
      }
    },
  };
}
