// Files that the browser saves.

/**
 * Offer a file to be saved.
 *
 * @param {Blob} blob
 * @param {string} name With its suffix; characters that systems refuse are replaced.
 */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = safeName(name);
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A name that is valid for a file on every system. */
export function safeName(name) {
  const plain = name.replace(/[\u0000-\u001f<>:"/\\|?*]+/g, "-").replace(/^[.\s-]+|[.\s]+$/g, "");
  return plain.slice(0, 100) || "puzzle";
}
