// The sections of /docs/sockets: the messages of the description, and a console to try them.
import { el, inline, pretty, prose, table } from './dom.js';
import { resolve, schemaTable } from './schema.js';

/** @returns the sections of an AsyncAPI 3 document */
export function socketSections(root) {
  const directions = [
    ['receive', 'Client to service', 'send'],
    ['send', 'Service to client', 'receive'],
  ];
  const messagesOf = (action) =>
    Object.values(root.operations ?? {})
      .filter((operation) => operation.action === action)
      .flatMap((operation) => operation.messages ?? Object.values(resolve(root, operation.channel).messages))
      .map((message) => resolve(root, message));
  return [
    el(
      'section',
      { id: 'websocket' },
      el('h2', {}, 'WebSocket'),
      prose(root.info?.description),
      Object.values(root.channels).flatMap((channel) => [
        el('h3', {}, 'Refusals of the upgrade, in this order'),
        table(
          ['Status', 'Code', 'When'],
          channel['x-upgrade-refusals'].map(({ status, code, when }) => [status, el('code', {}, code), inlined(when)]),
        ),
        el('h3', {}, 'Close codes'),
        table(
          ['Code', 'Meaning', 'What to do'],
          channel['x-close-codes'].map(({ code, meaning, advice }) => [code, meaning, inlined(advice)]),
        ),
      ]),
      consoleOf(messagesOf('receive')),
    ),
    ...directions.map(([action, title, verb]) =>
      el(
        'section',
        { id: `websocket-${verb}` },
        el('h2', {}, title),
        messagesOf(action).map((message) => card(root, message, verb)),
      ),
    ),
  ];
}

const inlined = (text) => el('span', {}, inline(text));

function card(root, message, verb) {
  const summary = el(
    'summary',
    {},
    el('span', { class: `method ${verb}` }, verb),
    el('h3', {}, message.name),
    el('code', { class: 'path' }, message.summary ?? ''),
  );
  const examples = message.examples.map(({ payload }) => el('pre', { tabIndex: 0 }, pretty(payload)));
  const body = el('div', { class: 'body' }, prose(message.description), schemaTable(root, message.payload), examples);
  return el('article', {}, el('details', {}, summary, body));
}

function consoleOf(messages) {
  let socket;
  const log = el('pre', { class: 'log', role: 'log', tabIndex: 0, 'aria-label': 'Messages' });
  const write = (mark, text) => log.prepend(`${mark} ${text}\n`);
  const text = el('textarea', { rows: 4, id: 'socket-text', spellcheck: false });
  const fill = (index) => {
    text.value = pretty(messages[index].examples[0].payload);
  };
  const choice = el(
    'select',
    { id: 'socket-message', onchange: () => fill(choice.selectedIndex) },
    messages.map(({ name }) => el('option', {}, name)),
  );
  fill(0);
  const connect = el('button', { type: 'button', onclick: () => (socket ? socket.close() : open()) }, 'Connect');
  const send = el('button', { type: 'submit', disabled: true }, 'Send');
  const connected = (now) => {
    socket = now;
    connect.textContent = now ? 'Disconnect' : 'Connect';
    send.disabled = !now;
  };
  function open() {
    const opening = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
    opening.onopen = () => write('●', 'connected');
    opening.onmessage = ({ data }) => write('←', data);
    opening.onclose = ({ code }) => {
      write('○', code === 1006 ? 'closed: sign in first, or the service is unavailable' : `closed: ${code}`);
      connected(undefined);
    };
    connected(opening);
  }
  const onsubmit = (event) => {
    event.preventDefault();
    if (socket?.readyState !== WebSocket.OPEN) return;
    const message = text.value.replace(/\s*\n\s*/g, ' ');
    socket.send(message);
    write('→', message);
  };
  return el(
    'form',
    { onsubmit },
    el('label', { for: choice.id }, 'Message'),
    choice,
    el('label', { for: text.id }, 'Text'),
    text,
    connect,
    send,
    log,
  );
}
