// Colours for people: letters, names, light and dark, readable inks.

/** Letters of colours 1 to 16; none resembles a digit, since they follow numbers. */
export const COLOUR_LETTERS = "abcdefghjkmnprtu";

/** [red, green, blue], 0 to 255, of "#rrggbb". */
export function rgbOf(hex) {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Relative luminance of WCAG 2, 0 to 1. */
export function luminance(hex) {
  const [r, g, b] = rgbOf(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast of two colours, 1 to 21. */
export function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever has more contrast on a colour. */
export function inkOn(hex) {
  return contrast(hex, "#1a1a1a") >= contrast(hex, "#ffffff") ? "#1a1a1a" : "#ffffff";
}

const HUES = [
  [14, "red"],
  [40, "orange"],
  [66, "yellow"],
  [80, "lime"],
  [160, "green"],
  [198, "teal"],
  [255, "blue"],
  [290, "purple"],
  [335, "pink"],
  [361, "red"],
];

/** A name such as "dark red", for sentences. */
export function nameOfColour(hex) {
  const [r, g, b] = rgbOf(hex);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const light = (most + least) / 510;
  const span = most - least;
  if (span < 28) return nameOfGrey(light);
  let hue = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  hue = (hue * 60 + 360) % 360;
  const name = HUES.find(([end]) => hue < end)[1];
  if (light < 0.36 && (name === "orange" || name === "yellow")) return "brown";
  if (light < 0.3) return `dark ${name}`;
  return light > 0.75 ? `light ${name}` : name;
}

function nameOfGrey(light) {
  if (light < 0.16) return "black";
  if (light > 0.93) return "white";
  return light < 0.4 ? "dark grey" : light > 0.7 ? "light grey" : "grey";
}

/** Names of a palette, with numbers if two are alike: "red", "red 2". */
export function namesOfPalette(palette) {
  const seen = new Map();
  return palette.map((hex) => {
    const name = nameOfColour(hex);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return seen.get(name) > 1 ? `${name} ${seen.get(name)}` : name;
  });
}
