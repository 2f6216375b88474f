export function showHelp() {
  return true;
}
