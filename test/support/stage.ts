// Lobbies with special settings for the page, and their players without a browser.
import { expect, onTestFinished } from 'vitest';
import type { Lobby, LobbySettings } from '../../src/lobby/schema.ts';
import type { TestBrowser } from './browser.ts';
import { createPlayer, type Player } from './player.ts';
import type { Visitor } from './visitor.ts';

/** Creates a lobby as this visitor over the API, and opens its page. */
export async function createLobbyAt(
  host: Visitor,
  settings: Partial<LobbySettings>,
  capacity = 8,
): Promise<{ code: string; lobbyId: string }> {
  await host.goto('/');
  const lobby = await postAt<{ code: string; lobbyId: string }>(host, '/api/v1/lobbies', { settings, capacity });
  await host.goto(`/lobby/${lobby.code}`);
  return lobby;
}

/** @returns the lobby on whose page the visitor is */
export async function lobbyOf({ page }: Visitor): Promise<Lobby> {
  const code = new URL(page.url()).pathname.split('/')[2];
  return page.evaluate<Lobby>(`fetch('/api/v1/lobbies/${code}').then((response) => response.json())`);
}

/** @returns a player who uses the API without a browser. @param isHere whether the player is connected */
export async function newPupil(
  { fleet }: Pick<TestBrowser, 'fleet'>,
  name: string,
  code: string,
  isHere = true,
): Promise<Player> {
  const pupil = await createPlayer(fleet.services, fleet.url, name);
  const { status } = await pupil.http.post(`/api/v1/lobbies/${code}/join`);
  expect(status).toBe(200);
  if (!isHere) return pupil;
  await pupil.connect();
  onTestFinished(async () => void (await pupil.close()));
  pupil.send({ type: 'lobby:join', code });
  return pupil;
}

/** Answers the question of this round as soon as it has come. */
export async function answer(pupil: Player, round: number, optionId: number): Promise<void> {
  const asked = await pupil.next('game:question', (question) => question.round === round);
  pupil.send({ type: 'game:answer', questionId: asked.question.questionId, optionId });
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
    }).then((response) => response.json())`);
}
