// A player's HTTP requests about lobbies.
import { expect } from 'vitest';
import type { Player } from './player.ts';

/** Creates a lobby and asserts success. @returns the lobby */
export async function create({ http }: Player, body?: object) {
  const { status, body: lobby } = await http.post('/api/v1/lobbies', body);
  expect(status).toBe(201);
  return lobby;
}

export const join = ({ http }: Player, code: string) => http.post(`/api/v1/lobbies/${code}/join`);
export const read = ({ http }: Player, code: string) => http.get(`/api/v1/lobbies/${code}`);
