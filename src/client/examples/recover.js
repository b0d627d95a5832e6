// Follows a lobby, and stores where it is: after a crash, the program goes on with the same guest and the next event.
//   node recover.js https://quiz.example.org 7KQ2ZD saved.json
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createClient } from 'vocabulary-quiz-service/client';

const [baseUrl, code, file] = process.argv.slice(2);
const saved = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const client = createClient({ baseUrl, cookie: saved.cookie });
if (!saved.cookie) {
  await client.createGuest({ name: 'Ada', code });
  await client.joinLobby(code);
}
const lobby = client.lobby(code, saved.position);

function handle(event) {
  console.log(event.seq, event.type);
  // A crash while the file is being written leaves the one before.
  writeFileSync(`${file}.new`, JSON.stringify({ cookie: client.cookie, position: lobby.position }));
  renameSync(`${file}.new`, file);
  if (event.type === 'game:finished') lobby.close();
}
for (const type of ['lobby:state', 'game:question', 'game:answer_result', 'game:finished']) lobby.on(type, handle);
