// Progress of games in the browser's storage, by the name that the clues give a puzzle. Old games
// make room for new ones.

const PREFIX = "nonosat-play-";
const SOLVED = "nonosat-solved-";
const MOST = 200;

/** Marks as a short text: a letter a place, repeats counted. */
export function packed(marks) {
  return lettersOf(marks).replace(/(.)\1+/g, (run, sign) => `${run.length}${sign}`);
}

const lettersOf = (marks) =>
  Array.from(marks, (value) => (value === 255 ? "?" : String.fromCharCode(97 + value))).join("");

/** The inverse; null for an invalid text. */
export function unpacked(text) {
  if (typeof text !== "string" || !/^(\d*[?a-q])*$/.test(text)) return null;
  const signs = text.replace(/(\d+)(.)/g, (_, count, sign) =>
    sign.repeat(Math.min(Number(count), 1_000_000)),
  );
  return Uint8Array.from(signs, (sign) => (sign === "?" ? 255 : sign.charCodeAt(0) - 97));
}

const MOST_HISTORY = 4000; // characters of a game's steps

/** The last steps of a game as a text: "12,13:??:bb", the places, their marks before and after. */
export function packedSteps(past) {
  const steps = [];
  let size = 0;
  for (const { places, before, after } of [...past].reverse()) {
    const step = [places.join(), lettersOf(before), lettersOf(after)].join(":");
    size += step.length + 1;
    if (size > MOST_HISTORY) break;
    steps.unshift(step);
  }
  return steps.join(" ");
}

/** The inverse; [] for an invalid text. */
export function unpackedSteps(text, count) {
  if (typeof text !== "string" || !text) return [];
  const steps = text.split(" ").map((step) => {
    const [places, before, after] = step.split(":");
    const marks = [before, after].map((letters) => [...(unpacked(letters) ?? [])]);
    return { places: places.split(",").map(Number), before: marks[0], after: marks[1] };
  });
  const isSound = ({ places, before, after }) =>
    places.every((at) => Number.isInteger(at) && at >= 0 && at < count) &&
    [before, after].every(({ length }) => length === places.length);
  return steps.every(isSound) ? steps : [];
}

/**
 * The browser's storage; null if it is forbidden, as in a sandboxed frame.
 *
 * @param {"localStorage"|"sessionStorage"} kind
 */
export function browserStorage(kind) {
  try {
    return globalThis[kind];
  } catch {
    return null;
  }
}

/**
 * Storage of games.
 *
 * @param {Storage|null} storage localStorage, or a replacement; null stores nothing.
 * @param {() => number} now As Date.now.
 */
export function createProgress(storage, now) {
  return {
    /** `{ marks, past, seconds, at }` of a puzzle, `at` is the time of storing by `now`; null if
     * there is no (readable) game.
     */
    load(name) {
      try {
        const kept = JSON.parse(storage.getItem(PREFIX + name));
        const marks = unpacked(kept?.marks);
        const past = marks && unpackedSteps(kept.past, marks.length);
        const [seconds, at] = [kept?.seconds, kept?.at].map((value) => Number(value) || 0);
        return marks && { marks, past, seconds, at };
      } catch {
        return null;
      }
    },
    /** True if the game was stored: storage may be full or forbidden. */
    save(name, { marks, seconds, past = [] }) {
      try {
        storage.setItem(
          PREFIX + name,
          JSON.stringify({ marks: packed(marks), past: packedSteps(past), seconds, at: now() }),
        );
        prune(storage);
        return true;
      } catch {
        return false;
      }
    },
    /** The solution that was found for a puzzle; null without any. It survives a new start. */
    solution(name) {
      try {
        return unpacked(storage.getItem(SOLVED + name));
      } catch {
        return null;
      }
    },
    saveSolution(name, marks) {
      try {
        storage.setItem(SOLVED + name, packed(marks));
      } catch {
        // No room, or no storage: the puzzle is shown as unsolved.
      }
    },
    forget(name) {
      storage?.removeItem(PREFIX + name);
    },
  };
}

function prune(storage) {
  const names = Array.from({ length: storage.length }, (_, at) => storage.key(at)).filter((key) =>
    key.startsWith(PREFIX),
  );
  if (names.length <= MOST) return;
  const ages = names
    .map((key) => [JSON.parse(storage.getItem(key)).at ?? 0, key])
    .sort((a, b) => a[0] - b[0]);
  for (const [, key] of ages.slice(0, names.length - MOST)) storage.removeItem(key);
}

/** Time in words of a clock: 3:07, 1:02:09. */
export function timeText(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
