export function showResize() {
  return true;
}
