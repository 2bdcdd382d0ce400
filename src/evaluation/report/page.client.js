// What all parts of the page's script share. The report's parts are ES modules; render-report.ts joins them into one script.

/** An element with text or element children; text is never read as markup. */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A data block of the page. */
export function readJson(id) {
  const block = document.getElementById(id);
  return block === null ? null : JSON.parse(block.textContent);
}
