// Compression of bytes: runs of equal bytes, as text for JSON.

/** Pack bytes as [length as 7-bit groups, value] ...; if that is longer, as the bytes themselves.
 */
export function packBytes(bytes) {
  const out = [1];
  for (let at = 0; at < bytes.length;) {
    let end = at + 1;
    while (end < bytes.length && bytes[end] === bytes[at]) end += 1;
    let length = end - at;
    for (; length > 127; length >>= 7) out.push((length & 127) | 128);
    out.push(length, bytes[at]);
    at = end;
    if (out.length > bytes.length) {
      const plain = new Uint8Array(bytes.length + 1);
      plain.set(bytes, 1);
      return plain;
    }
  }
  return Uint8Array.from(out);
}

/** Inverse of `packBytes`. */
export function unpackBytes(packed) {
  if (packed[0] === 0) return packed.slice(1);
  let count = 0;
  eachRun(packed, (length) => (count += length));
  const bytes = new Uint8Array(count);
  let at = 0;
  eachRun(packed, (length, value) => {
    bytes.fill(value, at, at + length);
    at += length;
  });
  return bytes;
}

function eachRun(packed, visit) {
  for (let at = 1; at < packed.length; at += 1) {
    let length = 0;
    let shift = 0;
    for (; packed[at] > 127; at += 1, shift += 7) length |= (packed[at] & 127) << shift;
    length |= packed[at] << shift;
    at += 1;
    visit(length, packed[at]);
  }
}

/** Base64 for addresses ("-" and "_", no "="), of any number of bytes. */
export function textOfBytes(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The inverse; throws if the text is invalid. */
export function bytesOfText(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
