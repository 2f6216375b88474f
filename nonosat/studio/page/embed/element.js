// The element <nonosat-board>, which plays a puzzle on any page:
//
//   <script type="module" src="player.js"></script>
//   <nonosat-board puzzle="nonosat:1:..."></nonosat-board>
//
// The game runs in a frame, so that its styles, keys and names cannot collide with those of the
// page around it, and its worker starts even if this file comes from another host.

const STYLE = `
  :host { display: block; height: 640px; }
  :host([hidden]) { display: none; }
  iframe { width: 100%; height: 100%; border: 0; }
`;

/**
 * A puzzle to play.
 *
 * Its attribute `puzzle` is a share text or a link that ends with one; without it a child
 * `<script type="application/json">` holds the puzzle as JSON of the library. The event "solved"
 * has `detail.seconds`.
 */
class NonosatBoard extends HTMLElement {
  static observedAttributes = ["puzzle"];
  #frame = document.createElement("iframe");
  #children = new MutationObserver(() => this.#load()); // a parser adds them after the element
  #shown = null; // text of the puzzle in the frame

  constructor() {
    super();
    const style = new CSSStyleSheet(); // allowed by every policy of the page around it
    style.replaceSync(STYLE);
    const shadow = this.attachShadow({ mode: "open", delegatesFocus: true });
    shadow.adoptedStyleSheets = [style];
    shadow.append(this.#frame);
  }

  connectedCallback() {
    this.#frame.title = this.getAttribute("aria-label") ?? "Puzzle to play";
    addEventListener("message", this.#receive);
    this.#children.observe(this, { childList: true, characterData: true, subtree: true });
    this.#shown = null; // the frame is empty whenever the element is moved
    this.#load();
  }

  disconnectedCallback() {
    removeEventListener("message", this.#receive);
    this.#children.disconnect();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#load();
  }

  #load() {
    const data = this.querySelector('script[type="application/json"]')?.textContent ?? "";
    const puzzle = (this.getAttribute("puzzle") ?? data).trim();
    if (puzzle === this.#shown) return;
    this.#shown = puzzle;
    const address = new URL("player.html", import.meta.url);
    address.hash = encodeURIComponent(puzzle);
    // A change of the address is no entry of the history of the page around it.
    if (this.#frame.src) this.#frame.contentWindow.location.replace(address.href);
    else this.#frame.src = address.href;
  }

  #receive = ({ source, data }) => {
    if (source !== this.#frame.contentWindow || data?.nonosat !== "solved") return;
    const detail = { seconds: data.seconds };
    this.dispatchEvent(new CustomEvent("solved", { detail, bubbles: true }));
  };
}

customElements.define("nonosat-board", NonosatBoard);
