// Checks the bodies of lists one after another in the worker thread of list-checker.ts, since a body of 4 MiB would
// block the event loop for too long. [contract 14, 17]
import { parentPort } from 'node:worker_threads';
import { AppError, type FieldError, invalid, type UnlimitedCode } from '../../errors.ts';
import { decodeUtf8 } from '../../http/edge/input.ts';
import { canonicalKeysOf } from '../../judging/verdict.ts';
import { validationFailed } from '../../validation.ts';
import { preparePool } from '../rules.ts';
import { toTerms } from './rules.ts';
import { ListRequest, type ListTerm } from './schema.ts';

export type CheckedList = ReturnType<typeof checkList>;

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

/** The fields of one object and the depth of the body, beyond which it is not parsed. A list has five, and three. */
const SHAPE = { fieldsMax: 100, depthMax: 10 };

/** @throws AppError INVALID_JSON, VALIDATION_FAILED */
export function checkList(body: Uint8Array) {
  const text = decodeUtf8(body);
  if (text === '') throw new AppError('INVALID_JSON', 'The body is empty.');
  refuseOddShapes(body);
  const checked = ListRequest.safeParse(parse(text));
  if (!checked.success) throw validationFailed(checked.error.issues);
  const { terms, ...rest } = checked.data;
  return {
    ...rest,
    /** The terms as JSON in UTF-8, which is sent to PostgreSQL unchanged. */
    terms: new TextEncoder().encode(JSON.stringify(terms)),
    supply: preparePool(toTerms(terms), []).supply,
    index: indexBy('targetText', terms, rest.targetLanguage),
    /** The index of the prompts, which are the translations of the other direction. */
    reverseIndex: indexBy('sourceText', terms, rest.sourceLanguage),
  };
}

/**
 * @returns the index by which the prompts of a typed answer are found, as two arrays of PostgreSQL: the canonical keys
 *   of all translations and alternatives, and beside each key the place of its term, from 1 [contract 20]
 */
function indexBy(field: 'targetText' | 'sourceText', terms: readonly ListTerm[], language: string) {
  const entries = terms.flatMap((term, at) => canonicalKeysOf(term[field], language).map((key) => [key, at + 1]));
  return { keys: `{${entries.map(([key]) => key)}}`, terms: `{${entries.map(([, place]) => place)}}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON');
  }
}

/**
 * Refuses objects with very many fields, and deep nesting, since parsing them takes several times as long as the longest
 * list does. It reads the bytes once, and does not check that they are JSON.
 */
function refuseOddShapes(body: Uint8Array): void {
  const fieldsOfOpen: number[] = [];
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        at = endOfString(body, at);
        break;
      case BRACE:
      case BRACKET:
        if (fieldsOfOpen.push(0) > SHAPE.depthMax) throw invalid([{ path: '', message: 'is nested too deeply' }]);
        break;
      case BRACE + 2:
      case BRACKET + 2:
        fieldsOfOpen.pop();
        break;
      case COLON: {
        const count = (fieldsOfOpen.pop() ?? 0) + 1;
        if (count > SHAPE.fieldsMax) throw invalid([{ path: '', message: 'has unknown fields' }]);
        fieldsOfOpen.push(count);
      }
    }
  }
}

/** In ASCII the closing bracket of either kind is two after the opening one. */
const [QUOTE, BACKSLASH, COLON, BRACE, BRACKET] = [0x22, 0x5c, 0x3a, 0x7b, 0x5b];

/** @returns the place of the quote that closes the string which begins at `start`, or the length of the body */
function endOfString(body: Uint8Array, start: number): number {
  let end = body.indexOf(QUOTE, start + 1);
  while (end >= 0) {
    let before = end - 1;
    while (body[before] === BACKSLASH) before--;
    // A quote after an even number of backslashes is not escaped.
    if ((end - before) % 2 === 1) return end;
    end = body.indexOf(QUOTE, end + 1);
  }
  return body.length;
}
