import { button } from "../ui/dom.js";
import { blank } from "../state/document.js";

export function mount(element, app) {
  element.append(button("Draw a new picture", () => app.open(blank(15, 15)), { class: "primary" }));
}
