// The page's addresses, as the page and the server read them. Pure.

export type Route =
  | { name: 'home' | 'quiz' | 'check-mail' | 'verified' | 'forgot-password' | 'reset-password' }
  | { name: 'account' | 'outbox' | 'lists' | 'new-list' | 'progress' | 'games' | 'unknown' }
  | { name: 'lobby' | 'screen'; code: string }
  | { name: 'list'; listId: string }
  | { name: 'game'; gameId: string };

type PlainName = Exclude<Route['name'], 'lobby' | 'screen' | 'list' | 'game' | 'unknown'>;

const PLAIN: Record<string, PlainName> = {
  '/': 'home',
  '/quiz': 'quiz',
  '/check-mail': 'check-mail',
  '/verified': 'verified',
  '/forgot-password': 'forgot-password',
  '/reset-password': 'reset-password',
  '/account': 'account',
  '/outbox': 'outbox',
  '/lists': 'lists',
  '/lists/new': 'new-list',
  '/progress': 'progress',
  '/games': 'games',
};

const WITH_ID = ['/lobby/:code', '/lobby/:code/screen', '/lists/:listId', '/games/:gameId'];

/** Every address that is answered with the page, as route patterns. */
export const PAGE_PATHS = [...Object.keys(PLAIN), ...WITH_ID];

/** @returns which screen a path names */
export function routeOf(path: string): Route {
  const plain = PLAIN[path];
  if (plain) return { name: plain };
  const [, folder, id = '', screen] = /^\/(\w+)\/([^/%]+)(\/screen)?$/.exec(path) ?? [];
  if (folder === 'lobby') return { name: screen ? 'screen' : 'lobby', code: id };
  if (folder === 'lists' && !screen) return { name: 'list', listId: id };
  if (folder === 'games' && !screen) return { name: 'game', gameId: id };
  return { name: 'unknown' };
}

/** @returns `next` if it is an address of this page, so that no link leads elsewhere; else `/` */
export function safeNext(next: string | null): string {
  return next && routeOf(next).name !== 'unknown' ? next : '/';
}

/** @returns what people paste to join: a code, or a link that ends in one */
export function codeOrLink(text: string): string {
  return /\/lobby\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
}
