// Reads `{images: [{data, width, height}], asked: [{image, wishes}]}`, data in base 64, and writes
// the picture that the page without a server makes of each image, by its number.

import { readFileSync } from "node:fs";
import { pictureOfImage } from "../../../nonosat/studio/page/answers/core_image.js";

const { images, asked } = JSON.parse(readFileSync(0, "utf8"));
const decoded = images.map(({ data, width, height }) => ({
  data: Uint8ClampedArray.from(Buffer.from(data, "base64")),
  width,
  height,
}));
const found = asked.map(({ image, wishes }) => pictureOfImage(decoded[image], wishes));
process.stdout.write(JSON.stringify(found));
