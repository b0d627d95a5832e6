// A bot that plays a lobby, answering by chance: as a guest, or by the cookie of an account's session.
//   node bot.js https://quiz.example.org 7KQ2ZD
//   QUIZ_COOKIE='better-auth.session_token=…' node bot.js https://quiz.example.org 7KQ2ZD
import { createClient } from 'vocabulary-quiz-service/client';

const [baseUrl, code] = process.argv.slice(2);
const cookie = process.env.QUIZ_COOKIE;
const client = createClient({ baseUrl, cookie });

if (!cookie) await client.createGuest({ name: 'Robot' });
await client.joinLobby(code);
const lobby = client.lobby(code);

for await (const event of lobby) {
  if (event.type === 'game:question') {
    const { questionId, prompt, options } = event.question;
    // The library sends the answer when the question opens, and again until the service has it.
    if (options) void lobby.answer(questionId, Math.floor(Math.random() * options.length));
    else void lobby.answerText(questionId, prompt);
  } else if (event.type === 'game:finished') {
    for (const { name, score } of event.scores) console.log(`${score}  ${name}`);
    lobby.close();
  } else if (event.type === 'error') {
    console.error(`Refused: ${event.message}`);
  }
}
