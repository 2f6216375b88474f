// Results about the current puzzle: merged live messages, and sentences for them.

/** The initial slice of the state. */
export function initial() {
  return {
    edit: 0,
    fresh: null,
    shown: null,
    carried: null,
    isSlow: false,
    view: null,
    data: null,
    busy: "",
    failure: "",
  };
}

/**
 * The slice after an action. Messages of one edit may come in any order; those of another are
 * ignored. The previous verdict stays as `shown` until the new one arrives.
 */
export function reduce(slice, action) {
  switch (action.type) {
    case "verdict/requested":
      return {
        ...slice,
        edit: action.edit,
        fresh: {},
        isSlow: false,
        view: null,
        data: null,
        busy: "",
        failure: "",
      };
    case "verdict/received":
      return received(slice, action.message);
    case "verdict/slow":
      return action.edit === slice.edit ? slow(slice) : slice;
    case "verdict/busy":
      return { ...slice, busy: action.question, failure: "" };
    case "verdict/view":
      return action.edit === slice.edit
        ? { ...slice, view: action.view, data: action.data, busy: "", failure: "" }
        : slice;
    case "mend/found": // its changes are shown on the drawing itself
      return slice.view ? { ...slice, view: null, data: null } : slice;
    case "verdict/failed":
      return action.edit === slice.edit ? { ...slice, busy: "", failure: action.message } : slice;
    default:
      return slice;
  }
}

function received(slice, message) {
  if (message.edit !== slice.edit) return slice;
  const before = slice.fresh ?? slice.shown ?? {};
  const merged = merge(before, message);
  if (!merged.verdict && !merged.error) return { ...slice, fresh: merged };
  const kept = slice.fresh ? { ...slice.shown, ...slice.carried } : slice.carried;
  return {
    ...slice,
    fresh: null,
    shown: merged,
    carried: carriedOver(kept, merged),
    isSlow: false,
  };
}

/** Details that came later are not part of the previous verdict. */
function slow(slice) {
  if (slice.fresh) return { ...slice, isSlow: true };
  return slice.carried ? { ...slice, carried: null } : slice;
}

/**
 * Details of the previous verdict, of the same kind, that stay until the new ones arrive:
 * otherwise the difficulty, the cells that differ and the number of solutions would flicker at
 * every stroke.
 *
 * @returns {object|null} Null if everything is new.
 */
function carriedOver(kept, merged) {
  if (!kept || merged.done || (kept.verdict ?? merged.verdict) !== merged.verdict) return null;
  const carried = {};
  if (merged.verdict === "unique" && !merged.rating && kept.rating) carried.rating = kept.rating;
  if (merged.verdict === "multiple" && !merged.complete && kept.complete) {
    Object.assign(carried, { differing: kept.differing, complete: true });
  }
  if (merged.verdict === "multiple" && merged.count === undefined && kept.count !== undefined) {
    Object.assign(carried, { count: kept.count, exact: kept.exact });
  }
  return Object.keys(carried).length ? carried : null;
}

/**
 * The displayed verdict: the last one, with details of the previous one that are not yet replaced.
 */
export function displayed(slice) {
  return slice.carried ? { ...slice.shown, ...slice.carried } : slice.shown;
}

/** The results about an edit after one more message; complete lists stay. */
export function merge(known, message) {
  const { edit: _edit, ...news } = message;
  if (news.differing && !isBetter(news, known)) {
    delete news.differing;
    delete news.complete;
  }
  if (news.count !== undefined && known.exact && !news.exact) {
    delete news.count;
    delete news.exact;
  }
  if (news.looking !== undefined) news.looking = Math.max(news.looking, known.looking ?? 0);
  return { ...known, ...news };
}

function isBetter(news, known) {
  if (!known.differing) return true;
  if (news.complete || known.complete) return Boolean(news.complete);
  return news.differing.length >= known.differing.length;
}

/** True if the displayed verdict belongs to an older drawing. */
export function isOld(slice) {
  return slice.fresh !== null;
}

/** The verdict of the current drawing; null while it is not known. */
export function current(slice) {
  return isOld(slice) ? null : slice.shown;
}

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const MOST_DIGITS = 24; // that a line of the panel has room for

/** A whole number for people: in groups, and with more digits as a power of ten. */
export function numberText(digits) {
  const text = String(digits);
  if (text.length <= MOST_DIGITS) return text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const power = String(text.length - 1).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
  return `about ${text[0]}.${text[1]} × 10${power}`;
}

/** Seconds for people. */
export function secondsText(seconds) {
  if (seconds < 0.001) return "under 1 ms";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}

/**
 * A verdict in words.
 *
 * @param {object|null} found What `merge` made; null before anything is known.
 * @returns {{tone: "good"|"warn"|"bad"|"plain", title: string, sentence: string}}
 */
export function verdictInWords(found) {
  if (!found) return { tone: "plain", title: "Not checked yet", sentence: "" };
  if (found.error)
    return { tone: "bad", title: "This cannot be checked", sentence: found.error.message };
  if (found.verdict === "unique") {
    const time = found.seconds === undefined ? "" : `, proved in ${secondsText(found.seconds)}`;
    return {
      tone: "good",
      title: "Unique",
      sentence: `The clues have exactly one solution${time}.`,
    };
  }
  if (found.verdict === "multiple") {
    return {
      tone: "warn",
      title: "Not unique",
      sentence: `${solutionsInWords(found)} ${differingInWords(found)}`.trim(),
    };
  }
  if (found.verdict === "unsolvable") {
    const clash = found.lines?.length
      ? `These clues contradict each other: ${linesInWords(found.lines)}.`
      : "The clues contradict each other.";
    return { tone: "bad", title: "No solution", sentence: found.sentence || clash };
  }
  const reason = found.reason ? `: ${found.reason}` : "";
  return {
    tone: "plain",
    title: "Not decided",
    sentence: `No verdict within the limits${reason}.`,
  };
}

function solutionsInWords({ count, exact }) {
  if (count === undefined) return "The clues have more than one solution.";
  const number = exact ? numberText(count) : numberText(count).replace(/^about /, "");
  return `The clues have ${exact ? "" : "at least "}${number} solutions.`;
}

/** Places that differ: cells; of a loop only its edges, once they are known. */
export function placesOf(differing = []) {
  const edges = differing.filter((place) => place.length === 4);
  return edges.length ? edges : differing;
}

function differingInWords({ differing, complete }) {
  const places = placesOf(differing);
  if (!places.length) return "";
  const what = places[0].length === 4 ? "edge" : "cell";
  const cells = plural(places.length, `${what} differs`, `${what}s differ`);
  return complete ? `${cells} between them.` : `At least ${cells} between them.`;
}

/** Lines to be highlighted as wrong: contradictory clues, or the line that an error names. */
export function wrongLines(found) {
  const lines = found?.error?.line ? [found.error.line] : (found?.lines ?? []);
  return lines.map((line) => ({ ...line, kind: "wrong" }));
}

/** The lines in words, "rows 1 and 3 and column 2", in addition to their tint. */
function linesInWords(lines) {
  const words = (name, numbers) =>
    numbers.length
      ? `${name}${numbers.length > 1 ? "s" : ""} ${joined(numbers.map((number) => number + 1))}`
      : "";
  const rows = words(
    "row",
    lines.flatMap((line) => line.row ?? []),
  );
  const columns = words(
    "column",
    lines.flatMap((line) => line.column ?? []),
  );
  return joined([rows, columns].filter(Boolean));
}

function joined(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * Probability that each cell is filled, from beliefs.
 *
 * @param {{probabilities: object}} estimate Rows of probabilities for each colour.
 * @returns {Float32Array} 0 surely empty, 1 surely filled.
 */
export function filledOf({ probabilities }) {
  const planes = Object.values(probabilities).map((rows) => rows.flat());
  return Float32Array.from(planes[0], (_, at) =>
    Math.min(
      1,
      planes.reduce((sum, plane) => sum + plane[at], 0),
    ),
  );
}

/**
 * The tables of prices in an answer, one per colour; null if there are none, or none is needed.
 *
 * @param {{prices: number[][]|null, layers?: number[][][]}} answer
 */
export function priceLayers({ prices, layers }) {
  const all = layers ?? (prices ? [prices] : []);
  return all.flat(2).some(Boolean) ? all : null;
}

/** Prices as heat: 0.5 for 0, 1 for the largest absolute price if positive, 0 if negative. */
export function heatOfPrices(layers) {
  const flat = layers.map((rows) => rows.flat());
  const sums = flat[0].map((_, at) => flat.reduce((sum, layer) => sum + layer[at], 0));
  const most = Math.max(1, ...sums.map(Math.abs));
  return Float32Array.from(sums, (price) => 0.5 + price / (2 * most));
}

/** The statement that a price table proves. */
export function pricesInWords(answer) {
  const { prices, bound, distance = 4, why } = answer;
  if (!prices) return why || "There is no price table for this puzzle.";
  if (!priceLayers(answer))
    return "Line solving decides every cell: this puzzle needs no prices.";
  const most = plural(bound, "cell");
  const differ = `Added up, the prices show that another solution differs in at most ${most}`;
  if (bound === 0)
    return `${differ.replace(" in at most 0 cells", " in no cell")}: there is only one.`;
  return bound < distance
    ? `${differ}. Two solutions differ in at least ${distance}, so there is only one.`
    : `${differ}. That alone does not prove that there is only one.`;
}

/**
 * A solution other than the drawn picture.
 *
 * @param {Uint8Array[]} boards Solutions, a value a cell.
 * @param {Uint8Array|null} drawn The picture's own cells; null for a puzzle without a picture.
 * @param {number} width
 * @returns {{cells: Uint8Array, differing: number[][]|null}} `differing` are the cells in which it
 *   differs from the picture; null without a picture.
 */
export function otherSolution(boards, drawn, width) {
  if (!drawn) return { cells: boards[0], differing: null };
  const changed = (cells) => Array.from(cells.keys()).filter((at) => cells[at] !== drawn[at]);
  const cells = boards.find((board) => changed(board).length) ?? boards[0];
  return { cells, differing: changed(cells).map((at) => [Math.floor(at / width), at % width]) };
}
