// Checks the body of a list. The thread of list-thread.ts runs it, since a body of 4 MiB would block the
// event loop for too long. [contract 14, 17]
import { AppError, invalid } from '../../errors.ts';
import { decodeUtf8 } from '../../http/edge/input.ts';
import { canonicalKeysOf } from '../../judging/verdict.ts';
import { validationFailed } from '../../validation.ts';
import { preparePool, type Supply } from '../rules.ts';
import { toTerms } from './rules.ts';
import { ListRequest } from './schema.ts';

export interface CheckedList extends Omit<ListRequest, 'terms'> {
  /** The terms as JSON in UTF-8, which is sent to PostgreSQL unchanged. */
  terms: Uint8Array<ArrayBuffer>;
  supply: Supply;
  /** The index of the translations, and that of the prompts, which are the translations of the other direction. */
  index: TranslationIndex;
  reverseIndex: TranslationIndex;
}

/** By which the prompts of a typed answer are found, as two arrays of PostgreSQL of the same length. [contract 20] */
interface TranslationIndex {
  /** The canonical keys of all translations and alternatives. */
  keys: string;
  /** Beside each key the place of its term, from 1. */
  terms: string;
}

const encoder = new TextEncoder();

/** The fields of one object and the depth of the body, beyond which it is not parsed. A list has five, and three. */
const SHAPE = { fieldsMax: 100, depthMax: 10 };

/**
 * @param body the bytes of a request
 * @throws AppError INVALID_JSON, VALIDATION_FAILED
 */
export function checkList(body: Uint8Array): CheckedList {
  const text = decodeUtf8(body);
  refuseOddShapes(body);
  const checked = ListRequest.safeParse(parse(text));
  if (!checked.success) throw validationFailed(checked.error.issues);
  const { terms, ...rest } = checked.data;
  return {
    ...rest,
    terms: encoder.encode(JSON.stringify(terms)),
    supply: preparePool(toTerms(terms), []).supply,
    index: indexTranslations(
      terms.map(({ targetText }) => targetText),
      rest.targetLanguage,
    ),
    reverseIndex: indexTranslations(
      terms.map(({ sourceText }) => sourceText),
      rest.sourceLanguage,
    ),
  };
}

function indexTranslations(texts: readonly string[], language: string): TranslationIndex {
  const entries = texts.flatMap((text, at) => canonicalKeysOf(text, language).map((key) => [key, at + 1] as const));
  return { keys: `{${entries.map(([key]) => key)}}`, terms: `{${entries.map(([, place]) => place)}}` };
}

function parse(text: string): unknown {
  if (text === '') throw new AppError('INVALID_JSON', 'The body is empty.');
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON');
  }
}

/**
 * Refuses objects with very many fields, and deep nesting, since parsing them takes several times as long as the longest
 * list does. It reads the bytes once, and does not check that they are JSON.
 * @throws AppError VALIDATION_FAILED
 */
function refuseOddShapes(body: Uint8Array): void {
  /** The number of fields of each open object. */
  const fields: number[] = [];
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        at = endOfString(body, at);
        break;
      case BRACE:
      case BRACKET:
        if (fields.push(0) > SHAPE.depthMax) throw invalid([{ path: '', message: 'is nested too deeply' }]);
        break;
      case BRACE + 2:
      case BRACKET + 2:
        fields.pop();
        break;
      case COLON: {
        const count = (fields.pop() ?? 0) + 1;
        if (count > SHAPE.fieldsMax) throw invalid([{ path: '', message: 'has unknown fields' }]);
        fields.push(count);
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
