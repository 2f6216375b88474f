// Storage of a tab's game under the name of its clues. If another tab plays the same puzzle, this
// one continues with a copy under a name of its own, and finds it after a reload. Whether another
// tab plays it is known shortly after the start. A tab that is closed before stores its game under
// an adjacent name; the next tab uses the newer one of the two.

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

  /** Find the name that this tab may write to. */
  async function claim(name, known) {
    if (await hold(known.place)) {
      const left = newer(known.place);
      if (!left || progress.save(known.place, left)) progress.forget(known.place + LEFT);
    } else {
      known.place = `${name}~${newKey()}`;
      try {
        own?.setItem(OWN + name, known.place);
      } catch {
        // No room: the copy exists only in this page and is lost by a reload.
      }
      await hold(known.place);
    }
    known.claim = null;
  }

  /** The game stored under the adjacent name, if it is newer than the one under the name itself. */
  function newer(place) {
    const [kept, left] = [progress.load(place), progress.load(place + LEFT)];
    return left && left.at >= (kept?.at ?? 0) ? left : null;
  }

  return {
    /** The initial `{ marks, past, seconds }` of a puzzle, or null. */
    begin(name) {
      const known = { place: own?.getItem(OWN + name) ?? name, claim: null };
      const kept = newer(known.place) ?? progress.load(known.place);
      places.set(name, known);
      known.claim = claim(name, known);
      return kept;
    },
    save(name, game) {
      const known = places.get(name);
      if (!known.claim) return void progress.save(known.place, game);
      const left = known.place + LEFT;
      progress.save(left, game);
      known.claim.then(() => {
        if (progress.save(known.place, game)) progress.forget(left);
      });
    },
  };
}

const LEFT = "~left"; // suffix of the name of a game
const OWN = "nonosat-play-own-"; // before the name of the clues
