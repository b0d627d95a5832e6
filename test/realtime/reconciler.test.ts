// A replica checks the rooms of its lobbies every two seconds. [contract 5.9, 16]
import { expect, it, onTestFinished } from 'vitest';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { announceLobby } from '../../src/lobby/event-log.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import { startReconciler } from '../../src/realtime/reconciler.ts';
import { createRoom, type Room } from '../../src/realtime/rooms.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const { service } = useService();

it('a new room of a lobby does not inherit the misses of a closed one: only its own make the replica resubscribe', async () => {
  const { services } = service;
  const { id: userId } = await createSignedInUser(services);
  const { lobbyId } = await createLobby(services, userId, CreateLobbyRequest.parse({}));
  await announceLobby(services, lobbyId);
  // The event of this change is in the log, but no subscription delivers it to the rooms of this test.
  await updatePresence(services, lobbyId, 'add', [{ userId, socketId: 'of-another-replica' }]);

  let fills = 0;
  const fillsBeforeResubscription: number[] = [];
  const open = () => ({
    ...createRoom(services, lobbyId, () => {}),
    fill: async () => {
      if (++fills === 1) room = open();
    },
  });
  let room: Room = open();
  const stop = startReconciler(services, {
    find: () => room,
    occupied: () => [room],
    resubscribe: () => void fillsBeforeResubscription.push(fills),
  });
  onTestFinished(stop);
  await eventually(() => expect(fillsBeforeResubscription[0]).toBe(3));
});
