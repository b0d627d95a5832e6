// Draws /docs/sockets from /api/asyncapi.json, so that this file need not change with the messages.
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

const asyncapi = await load('/api/asyncapi.json');
$('main').append(...socketSections(asyncapi));
await showUser();
$(location.hash.slice(1))?.scrollIntoView();
