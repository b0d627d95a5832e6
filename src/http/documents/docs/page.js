// Draws /docs/sockets from /api/asyncapi.json: nothing here knows a message.
import { el, table } from './dom.js';
import { socketSections } from './socket.js';

const $ = (id) => document.getElementById(id);

async function load(url) {
  const response = await fetch(url);
  return response.ok ? response.json() : undefined;
}

async function showUser() {
  const session = await load('/api/auth/get-session').catch(() => undefined);
  $('who').textContent = session?.user ? `Signed in as ${session.user.name}` : 'Not signed in';
}

/** Every code there is, over HTTP and as the `reason` of an `error`. */
function refusals({ components }) {
  const rows = components['x-refusals']
    .toSorted((one, other) => one.status - other.status)
    .map(({ status, code, meaning }) => [status, el('code', {}, code), meaning]);
  return el(
    'section',
    { id: 'refusals' },
    el('h2', {}, 'Refusals'),
    table(['Status', 'Code', 'Meaning'], rows),
  );
}

const asyncapi = await load('/api/asyncapi.json');
$('main').append(...socketSections(asyncapi), refusals(asyncapi));
await showUser();
$(location.hash.slice(1))?.scrollIntoView();
