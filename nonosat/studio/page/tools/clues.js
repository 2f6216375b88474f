export function mountClueEditor() {
  return { show() {} };
}
