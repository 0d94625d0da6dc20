/** Elements, texts and copies. Names come from files: they are only ever text. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/** Characters that hide, reorder or break a line. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/**
 * Return a text with escapes for what cannot be seen.
 * @param {string} text
 */
export function shown(text) {
  return text.replace(HIDDEN, (one) => {
    const code = /** @type {number} */ (one.codePointAt(0));
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/**
 * Make an element; an attribute that is false or null is left out, and `on...` is a listener.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child || child === 0).map((child) => (typeof child === "number" ? String(child) : child))));
  return made;
}

/** @param {number} count */
export function counted(count, noun = "", plural = `${noun}s`) {
  const number = count.toLocaleString("en-US");
  return noun ? `${number} ${count === 1 ? noun : plural}` : number;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/**
 * Return a size with its unit, as `assetdb info` prints it.
 * @param {number} bytes
 */
export function size(bytes) {
  let number = bytes;
  for (const unit of UNITS) {
    if (number < 1000 || unit === "TB") return unit === "bytes" ? counted(number, "byte") : `${number.toFixed(1)} ${unit}`;
    number /= 1000;
  }
  return "";
}

/**
 * Say something to everybody, also to those who hear the page.
 * @param {string} text
 */
export function say(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("said"));
  place.textContent = text;
  place.classList.add("new");
  setTimeout(() => place.classList.remove("new"), 2500);
}

/**
 * Copy a text; where the browser has no clipboard for files, by a selection.
 * @param {string} text
 * @param {string} what
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) {
      say("The browser refuses to copy");
      return;
    }
  }
  say(`Copied ${what}`);
}

/**
 * @param {string} label
 * @param {() => string} text
 * @param {string} what
 */
export function copyButton(label, text, what) {
  return element("button", { type: "button", class: "copy", onclick: () => void copy(text(), what), title: `Copy ${what}` }, label);
}
