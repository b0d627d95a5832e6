// Runs a program, and answers the bench's requests for measurements over their IPC channel. The process ends
// when the bench ends.
import { pathToFileURL } from 'node:url';
import { answers } from './asked.ts';

const [file = ''] = process.argv.splice(2, 1);
process.on('disconnect', () => process.exit());
await import(pathToFileURL(file).href);
process.on('message', (question: string) => process.send?.({ answer: answers.get(question)?.() }));
