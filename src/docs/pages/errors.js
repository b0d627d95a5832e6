// Draws /docs/errors from /api/asyncapi.json, which has all error codes. Each code is an anchor, as in
// /docs/errors#LOBBY_FULL.
import { el, prose, table } from './dom.js';

const response = await fetch('/api/asyncapi.json');
const { components } = await response.json();
const rows = components['x-refusals']
  .toSorted((one, other) => one.status - other.status)
  .map(({ status, code, meaning, advice }) => [
    status,
    el('a', { id: code, href: `#${code}` }, el('code', {}, code)),
    meaning,
    prose(advice),
  ]);
document.getElementById('main').append(table(['Status', 'Code', 'What it means', 'What to do'], rows));
document.getElementById(location.hash.slice(1))?.scrollIntoView();
