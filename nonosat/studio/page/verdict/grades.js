// Names of difficulties.

/** Names of the grades 0 to 8, as the library has them. */
export const GRADES = [
  "nothing to do",
  "very easy",
  "easy",
  "moderate",
  "tricky",
  "hard",
  "very hard",
  "extremely hard",
  "beyond reasoning",
];
