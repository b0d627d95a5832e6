// Checks the body of a list. The thread of list-thread.ts runs it, since a body of 4 MiB would block the
// event loop for too long. [contract 14, 17]
import { AppError } from '../../errors.ts';
import { decodeUtf8 } from '../../http/edge/input.ts';
import { canonicalKeysOf } from '../../judging/verdict.ts';
import { validationFailed } from '../../validation.ts';
import { preparePool, type Supply } from '../rules.ts';
import { toTerms } from './rules.ts';
import { ListRequest, type ListTerm } from './schema.ts';

/** A valid list, as it is stored. */
export interface CheckedList extends Omit<ListRequest, 'terms'> {
  /** The terms as JSON in UTF-8, which is sent to PostgreSQL unchanged. */
  terms: Uint8Array<ArrayBuffer>;
  supply: Supply;
  index: TranslationIndex;
}

/** By which the prompts of a typed answer are found, as two arrays of PostgreSQL of the same length. [contract 20] */
interface TranslationIndex {
  /** The canonical keys of all translations and alternatives. */
  keys: string;
  /** Beside each key the place of its term, from 1. */
  terms: string;
}

const encoder = new TextEncoder();

/**
 * @param body the bytes of a request
 * @throws AppError INVALID_JSON, VALIDATION_FAILED
 */
export function checkList(body: Uint8Array): CheckedList {
  const checked = ListRequest.safeParse(parse(decodeUtf8(body)));
  if (!checked.success) throw validationFailed(checked.error.issues);
  const { terms, ...rest } = checked.data;
  return {
    ...rest,
    terms: encoder.encode(JSON.stringify(terms)),
    supply: preparePool(toTerms(terms), []).supply,
    index: indexTranslations(terms, rest.targetLanguage),
  };
}

function indexTranslations(terms: readonly ListTerm[], language: string): TranslationIndex {
  const entries = terms.flatMap(({ targetText }, at) =>
    canonicalKeysOf(targetText, language).map((key) => [key, at + 1] as const),
  );
  return {
    keys: `{${entries.map(([key]) => key)}}`,
    terms: `{${entries.map(([, place]) => place)}}`,
  };
}

function parse(text: string): unknown {
  if (text === '') throw new AppError('INVALID_JSON', 'The body is empty.');
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON');
  }
}
