// Lobbies with special settings for the page, and their players without a browser.
import { expect, onTestFinished } from 'vitest';
import type { ListRequest } from '../../src/client/types.ts';
import type { Lobby, LobbySettings } from '../../src/lobby/schema.ts';
import type { TestBrowser } from './browser.ts';
import { createPlayer, type Player, postUntilDone } from './player.ts';
import type { Visitor } from './visitor.ts';

export const PHONE = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;
export const PROJECTOR = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;

/** Settings with which no phase ends by itself. */
export const PATIENT = { roundMs: 300_000, intermissionMs: 300_000 };

/** Creates a lobby as this visitor over the API, and opens its page. */
export async function createLobbyAt(host: Visitor, settings: Partial<LobbySettings>, capacity = 8) {
  await host.goto('/');
  const lobby = await postAt<{ code: string; lobbyId: string }>(host, '/api/v1/lobbies', { settings, capacity });
  await host.goto(`/lobby/${lobby.code}`);
  return lobby;
}

/** Opens a lobby in which no phase ends by itself, with all visitors; the first one is its host. */
export async function meet(...[host, ...others]: [Visitor, ...Visitor[]]): Promise<void> {
  const { code } = await createLobbyAt(host, PATIENT);
  for (const other of others) {
    await other.goto(`/lobby/${code}`);
    await other.sees('Waiting room');
  }
  await host.page.getByText(`${others.length + 1} of 8 here`).waitFor();
}

/** Opens a lobby of `meet` with new visitors, by their names. */
export async function gather<Names extends string[]>({ newVisitor }: TestBrowser, ...names: Names) {
  const visitors = await Promise.all(names.map((name) => newVisitor(name)));
  await meet(...(visitors as [Visitor]));
  return visitors as { [At in keyof Names]: Visitor };
}

/** Creates a list as this visitor over the API. @returns its id */
export async function createListAt(owner: Visitor, list: Omit<ListRequest, 'shared'>): Promise<string> {
  await owner.goto('/');
  return (await postAt<{ listId: string }>(owner, '/api/v1/lists', list)).listId;
}

/** @returns the lobby on whose page the visitor is */
export async function lobbyOf({ page }: Visitor): Promise<Lobby> {
  const code = new URL(page.url()).pathname.split('/')[2];
  return page.evaluate<Lobby>(`fetch('/api/v1/lobbies/${code}').then((response) => response.json())`);
}

/** Adds a player without a browser to a lobby. @param isHere whether the player is connected */
export async function newPupil({ fleet }: Pick<TestBrowser, 'fleet'>, name: string, code: string, isHere = true) {
  const player = await createPlayer(fleet.services, fleet.url, name);
  await postUntilDone(player, `/api/v1/lobbies/${code}/join`, {});
  if (isHere) {
    await player.connect();
    player.send({ type: 'lobby:join', code });
    onTestFinished(() => player.drop());
  }
  return player;
}

/** Answers the question of this round as soon as it has come. */
export async function answer(pupil: Player, round: number, optionId: number): Promise<void> {
  const { question } = await pupil.next('game:question', (asked) => asked.round === round);
  pupil.send({ type: 'game:answer', questionId: question.questionId, optionId });
}

/** Presses a key until it has an effect, since keys are ignored just after a new screen appears. */
export async function pressKey({ page }: Visitor, key: string, until: string): Promise<void> {
  await expect
    .poll(async () => {
      const isThere = (await page.locator(until).count()) > 0;
      if (!isThere) await page.keyboard.press(key);
      return isThere;
    })
    .toBe(true);
}

/** Sends a request to the API as this visitor, whose window shows a page of the service. @returns the reply's body */
export function postAt<T>({ page }: Visitor, path: string, body: object): Promise<T> {
  return page.evaluate<T>(`
    fetch(${JSON.stringify(path)}, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(${JSON.stringify(body)}),
    }).then(async (reply) => (reply.ok ? reply.json() : Promise.reject(new Error(await reply.text()))))`);
}
