// What the answer to a start says, as JSON: put together from words that were written before, since it is
// the longest of all that is sent often. Everything else that it holds needs no escaping.
import { quoted } from '../vocabulary/quoted.ts';
import type { Question } from '../vocabulary/schema.ts';
import type { GameSession } from './schema.ts';

/** @returns what JSON.stringify would, of the fields that the schema names */
export function sessionText({ sessionId, expiresAt, questions }: GameSession): string {
  const all = questions.map(questionText).join(',');
  return `{"sessionId":"${sessionId}","expiresAt":"${expiresAt}","questions":[${all}]}`;
}

function questionText({ questionId, prompt, gloss, options, commitment }: Question): string {
  let text = `{"questionId":"${questionId}","prompt":${quoted(prompt)}`;
  if (gloss !== undefined) text += `,"gloss":${quoted(gloss)}`;
  text += ',"options":';
  for (const [index, { optionId, text: word }] of options.entries())
    text += `${index === 0 ? '[' : ','}{"optionId":${optionId},"text":${quoted(word)}}`;
  return `${text}],"commitment":"${commitment}"}`;
}
