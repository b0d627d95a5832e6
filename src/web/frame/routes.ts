// The page's routes, for the page and the server. Pure.

/** A lobby for somebody who plays or presents, on a projector beside that, or as the host's remote. */
export type LobbyView = 'lobby' | 'screen' | 'remote';

const PLAIN = {
  '/': 'home',
  '/quiz': 'quiz',
  '/check-mail': 'check-mail',
  '/verify': 'verify',
  '/verified': 'verified',
  '/forgot-password': 'forgot-password',
  '/reset-password': 'reset-password',
  '/account': 'account',
  '/outbox': 'outbox',
  '/lists': 'lists',
  '/lists/new': 'new-list',
  '/progress': 'progress',
  '/games': 'games',
  '/homework': 'homework',
  '/homework/new': 'new-homework',
} as const;

export type Route =
  | { name: (typeof PLAIN)[keyof typeof PLAIN] | 'unknown' }
  | { name: LobbyView; code: string }
  | { name: 'assignment'; code: string }
  | { name: 'list'; listId: string }
  | { name: 'game'; gameId: string };

const WITH_ID = [
  '/lobby/:code',
  '/lobby/:code/screen',
  '/lobby/:code/remote',
  '/lists/:listId',
  '/games/:gameId',
  '/homework/:code',
];

/** The route patterns at which the server serves the page. */
export const PAGE_PATHS = [...Object.keys(PLAIN), ...WITH_ID];

export function routeOf(path: string): Route {
  if (Object.hasOwn(PLAIN, path)) return { name: PLAIN[path as keyof typeof PLAIN] };
  const [, folder, id = '', view] = /^\/(\w+)\/([^/%]+)(?:\/(screen|remote))?$/.exec(path) ?? [];
  if (folder === 'lobby') return { name: (view as LobbyView | undefined) ?? 'lobby', code: id };
  if (folder === 'lists' && !view) return { name: 'list', listId: id };
  if (folder === 'games' && !view) return { name: 'game', gameId: id };
  if (folder === 'homework' && !view) return { name: 'assignment', code: id };
  return { name: 'unknown' };
}

/** @returns `next` if it is a path of this page, otherwise `/`, so that no link redirects to another site */
export function safeNext(next: string | null): string {
  return next && routeOf(next).name !== 'unknown' ? next : '/';
}

/** @returns the code of a link to a lobby or to homework; any other text as it is */
export function extractCode(text: string): string {
  return /\/(?:lobby|homework)\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
}
