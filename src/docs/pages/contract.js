// Draws /docs/contract from src/contract.md. It supports only the Markdown that this document uses. Headings
// have the same anchors as on GitHub.
import { el, inline, table } from './dom.js';

const FENCE = '```';

/** @returns the blocks of a text: fences, headings, and paragraphs separated by blank lines */
function blocksOf(text) {
  const blocks = text.split(/^(```[\s\S]+?^```)$|\n\s*\n|^(#.+)$/m);
  return blocks.map((block) => block?.trim()).filter(Boolean);
}

function draw(block) {
  const lines = block.split('\n');
  const [, hashes, heading] = /^(#+) (.+)$/.exec(block) ?? [];
  if (heading) return el(`h${hashes.length}`, { id: anchorOf(heading) }, heading);
  if (block.startsWith(FENCE)) return el('pre', { tabIndex: 0 }, lines.slice(1, -1).join('\n'));
  if (block.startsWith('|')) {
    const [heads, , ...rows] = lines.map(cellsOf);
    return table(heads, rows);
  }
  const [, bullet] = /^(-|1\.) /.exec(block) ?? [];
  if (!bullet) return el('p', {}, inline(block));
  const items = block.split(/^(?:-|\d+\.) /m).slice(1);
  return el(
    bullet === '-' ? 'ul' : 'ol',
    {},
    items.map((item) => el('li', {}, inline(item))),
  );
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function cellsOf(line) {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => inline(cell.trim()));
}

const response = await fetch('/docs/contract.md');
const main = document.getElementById('main');
main.append(...blocksOf(await response.text()).map(draw));
document.getElementById(location.hash.slice(1))?.scrollIntoView();
