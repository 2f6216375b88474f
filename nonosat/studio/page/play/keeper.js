// Where the game of a tab is kept: under the name of its clues. Where another tab plays the same
// puzzle, this one goes on with a copy under a name of its own, and finds it after a reload.

/**
 * The games of a tab.
 *
 * @param {object} progress As `createProgress` makes it.
 * @param {(name: string) => Promise<boolean>} hold As `createHold` makes it.
 * @param {Storage|null} own sessionStorage: names that are this tab's alone; null forgets them.
 * @param {() => string} newKey Makes a part of a name that no other tab has.
 */
export function createKeeper(progress, hold, own, newKey) {
  const places = new Map(); // name of the clues to { place, claim }, null once the place is known

  /** Finds the name that this tab may write to. */
  async function claim(name, known) {
    if (!(await hold(known.place))) {
      known.place = `${name}~${newKey()}`;
      try {
        own?.setItem(OWN + name, known.place);
      } catch {
        // No room: the copy is this page's, and is not found after a reload.
      }
      await hold(known.place);
    }
    known.claim = null;
  }

  /** Does something with the place of a game: at once, if the place is known. */
  function at(name, act) {
    const known = places.get(name);
    if (known.claim) known.claim.then(() => act(known.place));
    else act(known.place);
  }

  return {
    /** `{ marks, seconds }` that a puzzle begins with, or null. */
    begin(name) {
      const known = { place: own?.getItem(OWN + name) ?? name, claim: null };
      const kept = progress.load(known.place);
      places.set(name, known);
      known.claim = claim(name, known);
      return kept;
    },
    save: (name, game) => at(name, (place) => progress.save(place, game)),
    forget: (name) => at(name, (place) => progress.forget(place)),
  };
}

const OWN = "nonosat-play-own-"; // before the name of the clues
