// Presents a game of two rounds as a guest: starts it when a player is there, and goes on after each result.
//   node host.js https://quiz.example.org [typed]
import { createClient } from 'vocabulary-quiz-service/client';

const [baseUrl, answerMode = 'choice'] = process.argv.slice(2);
const client = createClient({ baseUrl });
await client.createGuest({ name: 'Host' });
const { code } = await client.createLobby({
  settings: { rounds: 2, answerMode, hostPlays: false, readMs: 1000, intermissionMs: 300_000 },
});
console.log(`Lobby ${code}`);
const lobby = client.lobby(code);
let isStarted = false;

for await (const event of lobby) {
  if (event.type === 'lobby:state' && event.lobby.connectedCount > 1 && !isStarted) {
    isStarted = true;
    // Each command waits for the service's answer, also over a reconnection, and throws if it is refused.
    await lobby.start();
  } else if (event.type === 'game:question') {
    console.log(`${event.round}/${event.totalRounds}  ${event.question.prompt}`);
  } else if (event.type === 'game:answer_result') {
    console.log(`It was ${event.correctText ?? event.correctOptionId + 1}.`);
    await lobby.next(event.round, 'intermission');
  } else if (event.type === 'game:finished') {
    for (const { name, score } of event.scores) console.log(`${score}  ${name}`);
    lobby.close();
  }
}
