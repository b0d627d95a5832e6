// A lobby in the terminal: type "start" as its host, the number of an option or a translation, or "leave".
//   QUIZ_COOKIE='better-auth.session_token=…' node terminal.js https://quiz.example.org [7KQ2ZD]
import { createInterface } from 'node:readline/promises';
import { createClient } from 'vocabulary-quiz-service/client';

const [baseUrl, invitation] = process.argv.slice(2);
const client = createClient({ baseUrl, cookie: process.env.QUIZ_COOKIE });

const { code } = await (invitation ? client.joinLobby(invitation) : client.createLobby());
console.log(`Lobby ${code}`);
const lobby = client.lobby(code);
let question;

lobby.on('status', (status) => console.log(`(${status})`));
lobby.on('lobby:state', ({ lobby: { players } }) => {
  const names = players.map(({ name, connected }) => (connected ? name : `${name}, away`));
  console.log(`Players: ${names.join('; ')}`);
});
lobby.on('game:question', (event) => {
  question = event.question;
  const seconds = Math.ceil(event.remainingMs / 1000);
  console.log(`\n${event.round}/${event.totalRounds}  ${question.prompt}  (${seconds} s)`);
  for (const { optionId, text } of question.options ?? []) console.log(`  ${optionId + 1}  ${text}`);
});
lobby.on('game:answer_result', ({ correctOptionId, correctText, scores }) => {
  console.log(`It was ${correctText ?? correctOptionId + 1}.`);
  for (const { name, score } of scores) console.log(`  ${score}  ${name}`);
});
lobby.on('game:finished', ({ scores, winnerIds }) => {
  const winners = scores.filter(({ userId }) => winnerIds.includes(userId));
  console.log(`Won by ${winners.map(({ name }) => name).join(' and ')}.`);
  lobby.close();
});
lobby.on('error', ({ message }) => console.log(message));

const terminal = createInterface({ input: process.stdin, output: process.stdout });
lobby.on('end', (error) => {
  if (error) console.log(error.message);
  terminal.close();
});
terminal.on('line', (line) => {
  // A refusal comes as an `error` event.
  if (line === 'start') void lobby.start();
  else if (line === 'leave') void lobby.leave();
  else if (question?.options) void lobby.answer(question.questionId, Number(line) - 1);
  else if (question) void lobby.answerText(question.questionId, line);
});
