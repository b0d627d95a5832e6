// Joins a lobby as a guest, prints who is there, and goes.
//   node connect.js https://quiz.example.org 7KQ2ZD
import { createClient } from 'vocabulary-quiz-service/client';

const [baseUrl, code] = process.argv.slice(2);
const client = createClient({ baseUrl });
await client.createGuest({ name: 'Ada', code });
await client.joinLobby(code);
const lobby = client.lobby(code);

for await (const event of lobby) {
  if (event.type !== 'lobby:state') continue;
  const { status, players } = event.lobby;
  console.log(`${status}, by ${lobby.transport}: ${players.map(({ name }) => name).join(', ')}`);
  break;
}
// Without `leave`, the guest stays a member, who can come back.
await lobby.leave();
