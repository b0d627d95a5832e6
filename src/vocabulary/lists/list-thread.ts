// Runs in the worker thread of list-checker.ts, and checks the bodies of lists one after another.
import { parentPort } from 'node:worker_threads';
import { AppError, type FieldError, type UnlimitedCode } from '../../errors.ts';
import { type CheckedList, checkList } from './check-list.ts';

export type ListVerdict =
  | { list: CheckedList }
  | { refusal: { code: UnlimitedCode; message: string; errors: FieldError[] | undefined } };

parentPort?.on('message', (body: Uint8Array) => {
  const verdict = judge(body);
  parentPort?.postMessage(verdict, 'list' in verdict ? [verdict.list.terms.buffer] : []);
});
// The modules are loaded, so that the time limit of a body can begin.
parentPort?.postMessage('ready');

function judge(body: Uint8Array): ListVerdict {
  try {
    return { list: checkList(body) };
  } catch (error) {
    // Any other error ends the thread, and list-checker.ts gets its `error` event.
    if (!(error instanceof AppError) || error.code === 'RATE_LIMITED') throw error;
    return { refusal: { code: error.code, message: error.message, errors: error.errors } };
  }
}
