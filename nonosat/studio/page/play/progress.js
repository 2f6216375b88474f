// Progress of games in the browser's storage, by the name that the clues give a puzzle. Old games
// make room for new ones.

const PREFIX = "nonosat-play-";
const MOST = 200;

/** Marks as a short text: a letter a place, repeats counted. */
export function packed(marks) {
  const signs = Array.from(marks, (value) =>
    value === 255 ? "?" : String.fromCharCode(97 + value),
  ).join("");
  return signs.replace(/(.)\1+/g, (run, sign) => `${run.length}${sign}`);
}

/** The inverse; null for an invalid text. */
export function unpacked(text) {
  if (typeof text !== "string" || !/^(\d*[?a-q])*$/.test(text)) return null;
  const signs = text.replace(/(\d+)(.)/g, (_, count, sign) =>
    sign.repeat(Math.min(Number(count), 1_000_000)),
  );
  return Uint8Array.from(signs, (sign) => (sign === "?" ? 255 : sign.charCodeAt(0) - 97));
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
    /** `{ marks, seconds, at }` of a puzzle, `at` is the time of storing by `now`; null if there is
     * no (readable) game.
     */
    load(name) {
      try {
        const kept = JSON.parse(storage.getItem(PREFIX + name));
        const marks = unpacked(kept?.marks);
        return marks && { marks, seconds: Number(kept.seconds) || 0, at: Number(kept.at) || 0 };
      } catch {
        return null;
      }
    },
    /** True if the game was stored: storage may be full or forbidden. */
    save(name, { marks, seconds }) {
      try {
        storage.setItem(
          PREFIX + name,
          JSON.stringify({ marks: packed(marks), seconds, at: now() }),
        );
        prune(storage);
        return true;
      } catch {
        return false;
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
