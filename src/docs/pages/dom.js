// Creates elements without HTML strings, so that texts of the descriptions are never read as HTML.

/** @returns an element with these properties, attributes (`class`, `for`, `aria-…`), listeners (`on…`) and children */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

/** @returns the paragraphs of a description, which blank lines separate */
export function prose(text = '') {
  return text
    .split(/\n\s*\n/)
    .filter(Boolean)
    .map((paragraph) => el('p', {}, inline(paragraph)));
}

/** @returns the nodes of a text that may have `code`, **bold** and [links](/docs) */
export function inline(text) {
  return text.split(/(`[^`]+`|\*\*.+?\*\*|\[[^\]]+\]\([^)]+\))/s).map((part) => {
    if (part.startsWith('`')) return el('code', {}, part.slice(1, -1));
    if (part.startsWith('**')) return el('strong', {}, inline(part.slice(2, -2)));
    const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return href ? el('a', { href }, label) : part;
  });
}

/** @param rows lists of cells */
export function table(heads, rows) {
  const head = el(
    'tr',
    {},
    heads.map((text) => el('th', { scope: 'col' }, text)),
  );
  const body = rows.map((cells) =>
    el(
      'tr',
      {},
      cells.map((cell) => el('td', {}, cell)),
    ),
  );
  return el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, head), el('tbody', {}, body)));
}

export function pretty(value) {
  return JSON.stringify(value, null, 2);
}
