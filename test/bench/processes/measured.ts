// Runs a program as it is, and besides answers what the bench asks over the channel between the two.
// Ends with the bench, however that ends.
import { pathToFileURL } from 'node:url';
import { answers } from './asked.ts';

const [file = ''] = process.argv.splice(2, 1);
process.on('disconnect', () => process.exit());
await import(pathToFileURL(file).href);
process.on('message', ({ id, question }: { id: number; question: string }) => {
  process.send?.({ id, answer: answers.get(question)?.() });
});
