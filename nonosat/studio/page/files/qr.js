// QR codes, by the package uqr. Only the bundled page (`.ci/page`) has it: a page of a server on
// this machine has no link that another device can open.

export { renderSVG } from "uqr";
