// Creates lobbies with special settings for the page.
import type { LobbySettings } from '../../src/lobby/schema.ts';
import type { Visitor } from './visitor.ts';

/** Creates a lobby as this visitor over the API, and opens its page. */
export async function createLobbyAt(
  host: Visitor,
  settings: Partial<LobbySettings>,
  capacity = 8,
): Promise<{ code: string; lobbyId: string }> {
  await host.goto('/');
  const lobby = await host.page.evaluate<{ code: string; lobbyId: string }>(`
    fetch('/api/v1/lobbies', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(${JSON.stringify({ settings, capacity })}),
    }).then((response) => response.json())`);
  await host.goto(`/lobby/${lobby.code}`);
  return lobby;
}
