// Answers homework by chance, as a guest. An attempt that was begun goes on, and an answer whose reply is lost is sent
// again and counted once.
//   node homework.js https://quiz.example.org 7KQ2ZD9M
import { createClient } from 'vocabulary-quiz-service/client';

const [baseUrl, code] = process.argv.slice(2);
const client = createClient({ baseUrl });
await client.createGuest({ name: 'Ada', code });
const { sessionId, questions, answered } = await client.startAssignment(code);
const done = new Set(answered.map(({ questionId }) => questionId));

for (const { questionId, prompt, options } of questions) {
  if (done.has(questionId)) continue;
  const given = options ? { optionId: Math.floor(Math.random() * options.length) } : { text: prompt };
  const { isCorrect, score } = await client.answerQuestion({ sessionId, questionId, ...given });
  console.log(`${isCorrect ? 'right' : 'wrong'}  ${prompt}  ${score.correct}/${score.total}`);
}
