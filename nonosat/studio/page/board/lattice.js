// Edges of a Slitherlink's lattice: their numbers, the edge near a point, checks of a path.
//
// Corners are (row, column), 0 to height and 0 to width. Edges are numbered as in the library:
// first the horizontal ones row by row, (height + 1) * width of them, then the vertical ones.

/** Number of edges of a lattice. */
export function edgeCount(height, width) {
  return (height + 1) * width + height * (width + 1);
}

/** The number of an edge between two corners, given in either order. */
export function edgeAt(height, width, [row, column, otherRow, otherColumn]) {
  if (row === otherRow) return row * width + Math.min(column, otherColumn);
  return (height + 1) * width + Math.min(row, otherRow) * (width + 1) + column;
}

/** The corners of an edge, the upper or left one first. */
export function cornersOf(height, width, edge) {
  const across = (height + 1) * width;
  if (edge < across) {
    const [row, column] = [Math.floor(edge / width), edge % width];
    return [row, column, row, column + 1];
  }
  const row = Math.floor((edge - across) / (width + 1));
  const column = (edge - across) % (width + 1);
  return [row, column, row + 1, column];
}

/** The edges around a cell: top, left, bottom, right. */
export function edgesAround(height, width, row, column) {
  const down = (height + 1) * width + row * (width + 1) + column;
  return [row * width + column, down, (row + 1) * width + column, down + 1];
}

/** The edges at a corner, clockwise from the upper one; null beyond the lattice. */
export function edgesAtCorner(height, width, row, column) {
  const across = (height + 1) * width;
  return [
    row > 0 ? across + (row - 1) * (width + 1) + column : null,
    column < width ? row * width + column : null,
    row < height ? across + row * (width + 1) + column : null,
    column > 0 ? row * width + column - 1 : null,
  ];
}

/**
 * The edge nearest to a point, by the diamond around each edge's middle.
 *
 * @param {number} x In cells from the left side of the board.
 * @param {number} y In cells from its top.
 * @returns {number|null} Its number; null more than half a cell outside the board.
 */
export function nearestEdge(height, width, x, y) {
  if (x < -0.5 || y < -0.5 || x > width + 0.5 || y > height + 0.5) return null;
  const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const [top, left, bottom, right] = edgesAround(height, width, row, column);
  const distances = [
    [Math.abs(y - row), top],
    [Math.abs(x - column), left],
    [Math.abs(row + 1 - y), bottom],
    [Math.abs(column + 1 - x), right],
  ];
  return distances.reduce((best, one) => (one[0] < best[0] ? one : best))[1];
}

/**
 * The edge that an arrow key moves the cursor to. Horizontal and vertical edges alternate: to the
 * right of a cell's upper edge comes its right edge, then the upper edge of the next cell.
 *
 * @param {string} key ArrowUp, ArrowDown, ArrowLeft or ArrowRight.
 * @returns {number} The same edge at the end of the board, or for another key.
 */
export function edgeBeside(height, width, edge, key) {
  const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
  if (!step) return edge;
  const [row, column, otherRow, otherColumn] = cornersOf(height, width, edge);
  // Middles of edges, in halves of a cell: one of their coordinates is odd.
  const [x, y] = [column + otherColumn, row + otherRow];
  const [dx, dy] = step;
  const turned = dx ? [x + dx, y % 2 ? y - 1 : y + 1] : [x % 2 ? x - 1 : x + 1, y + dy];
  const places = [turned, [x + 2 * dx, y + 2 * dy]];
  const found = places.find(([u, v]) => u >= 0 && u <= 2 * width && v >= 0 && v <= 2 * height);
  return found ? edgeAtMiddle(height, width, ...found) : edge;
}

function edgeAtMiddle(height, width, x, y) {
  return y % 2 === 0
    ? edgeAt(height, width, [y / 2, (x - 1) / 2, y / 2, (x + 1) / 2])
    : edgeAt(height, width, [(y - 1) / 2, x / 2, (y + 1) / 2, x / 2]);
}

/** Convert rows of edges, as the library writes them, to a value an edge: 1 path, 0 none, 255
 * unknown.
 */
export function edgesOf(rows, height, width) {
  const edges = new Uint8Array(edgeCount(height, width)).fill(255);
  const value = { "#": 1, x: 0, "?": 255 };
  rows.forEach((text, at) => {
    const first = at % 2 ? (height + 1) * width + ((at - 1) / 2) * (width + 1) : (at / 2) * width;
    [...text].forEach((sign, place) => (edges[first + place] = value[sign]));
  });
  return edges;
}

/** The inverse: 2 * height + 1 rows, horizontal and vertical edges alternating. */
export function rowsOfEdges(edges, height, width) {
  const signs = Array.from(edges, (value) => (value === 255 ? "?" : value ? "#" : "x")).join("");
  return Array.from({ length: 2 * height + 1 }, (_, at) => {
    const first = at % 2 ? (height + 1) * width + ((at - 1) / 2) * (width + 1) : (at / 2) * width;
    return signs.slice(first, first + (at % 2 ? width + 1 : width));
  });
}

/** The edges around the inside cells of a solution: rows of "#" and ".". */
export function edgesAroundInside(rows, height, width) {
  const inside = (row, column) => rows[row]?.[column] === "#";
  const edges = new Uint8Array(edgeCount(height, width));
  for (let edge = 0; edge < edges.length; edge++) {
    const [row, column, otherRow] = cornersOf(height, width, edge);
    const beside = row === otherRow ? inside(row - 1, column) : inside(row, column - 1);
    edges[edge] = inside(row, column) === beside ? 0 : 1;
  }
  return edges;
}

/** Number of edges of a cell that are on the path, and number of those that may be. */
export function countAround(edges, height, width, row, column) {
  const values = edgesAround(height, width, row, column).map((edge) => edges[edge]);
  return {
    on: values.filter((value) => value === 1).length,
    open: values.filter((value) => value === 255).length,
  };
}

/** True if the edges on the path are one closed loop without crossings. */
export function isOneLoop(edges, height, width) {
  const path = Array.from(edges.keys()).filter((edge) => edges[edge] === 1);
  if (!path.length) return false;
  let [edge, steps] = [path[0], 0];
  let [row, column] = cornersOf(height, width, edge).slice(2);
  do {
    const ways = edgesAtCorner(height, width, row, column).filter(
      (one) => one !== null && edges[one] === 1,
    );
    if (ways.length !== 2) return false;
    edge = ways[0] === edge ? ways[1] : ways[0];
    const [r1, c1, r2, c2] = cornersOf(height, width, edge);
    [row, column] = r1 === row && c1 === column ? [r2, c2] : [r1, c1];
    steps += 1;
  } while (edge !== path[0]);
  return steps === path.length;
}

/**
 * True if a Slitherlink is solved: one loop, with as many edges around each clue as it requires.
 */
export function isLoopSolved(clues, edges, height, width) {
  const holds = (clue, row, column) =>
    !/[0-4]/.test(clue) || countAround(edges, height, width, row, column).on === Number(clue);
  return (
    clues.every((text, row) => [...text].every((clue, column) => holds(clue, row, column))) &&
    isOneLoop(edges, height, width)
  );
}

/** The cells inside a closed loop: an odd number of its edges is to their left. */
export function insideOf(edges, height, width) {
  const inside = new Uint8Array(height * width);
  for (let row = 0; row < height; row++) {
    let odd = 0;
    for (let column = 0; column < width; column++) {
      if (edges[edgesAround(height, width, row, column)[1]] === 1) odd ^= 1;
      inside[row * width + column] = odd;
    }
  }
  return inside;
}
