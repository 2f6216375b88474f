// Brightness of cells, 0 to 255: full contrast, emphasised details, a threshold.

/** Luma of television (ITU-R BT.601), in 65536ths. */
export const lightOf = ([red, green, blue]) =>
  (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16;

/** Move each value away from the mean of its surroundings, by the share `by` of the difference. */
export function sharpened(values, width, by) {
  if (!by) return values;
  return values.map((value, at) => {
    const first = Math.max((at % width) - 1, 0);
    const last = Math.min((at % width) + 1, width - 1);
    let [total, count] = [0, 0];
    for (const row of [-1, 0, 1]) {
      const start = (Math.floor(at / width) + row) * width;
      if (start < 0 || start >= values.length) continue;
      for (let column = first; column <= last; column += 1) total += values[start + column];
      count += last + 1 - first;
    }
    return Math.min(255, Math.max(0, Math.floor(value + by * (value - total / count) + 0.5)));
  });
}

/** Histogram of the values. */
function histogram(values) {
  const counts = new Array(256).fill(0);
  for (const value of values) counts[value] += 1;
  return counts;
}

/** New value of each value, so that the darkest is black, the lightest white; clips up to 1 %. */
export function contrast(values) {
  const counts = histogram(values);
  const most = Math.floor(values.length / 100);
  const end = (order) => {
    let cut = most;
    for (const value of order) {
      if (counts[value] > cut) return value;
      cut -= counts[value];
    }
    return 0;
  };
  const upwards = [...counts.keys()];
  const [low, high] = [end(upwards), end([...upwards].reverse())];
  if (high <= low) return upwards;
  const scale = 255 / (high - low);
  const offset = -low * scale;
  return upwards.map((value) => Math.min(255, Math.max(0, Math.trunc(value * scale + offset))));
}

/**
 * The threshold with the largest between-class variance (N. Otsu 1979); if several in a row have
 * it, their middle.
 */
export function otsu(values) {
  const counts = histogram(values);
  const weighed = values.reduce((sum, value) => sum + value, 0);
  let [best, found, below, sumBelow] = [-1, [], 0, 0];
  for (let value = 0; value < 255; value += 1) {
    below += counts[value];
    sumBelow += value * counts[value];
    const above = values.length - below;
    if (!below || !above) continue;
    const apart = sumBelow / below - (weighed - sumBelow) / above;
    const variance = below * above * apart * apart;
    if (variance > best * (1 + 1e-12)) [best, found] = [variance, []];
    if (variance >= best * (1 - 1e-12)) found.push(value + 1);
  }
  return found.length ? Math.floor((found[0] + found.at(-1)) / 2) : 128;
}

/** A value scaled so that the level becomes middle grey; black and white are unchanged. */
export function exposed(value, level) {
  if (value < level) return Math.floor((value * 128) / level);
  if (level === 0 || level === 255) return 255;
  return 128 + Math.floor(((value - level) * 127) / (255 - level));
}
