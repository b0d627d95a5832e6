// What is wrong with an input, in our own words. A library's messages change with its versions and
// can echo what the client sent; these can't. Used by both edges, HTTP and WebSocket. [contract 1]
import type { z } from 'zod';
import { type AppError, type FieldError, invalid } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** The library's message where a schema's own `refine` gave none. */
const UNNAMED = 'Invalid input';

const ARTICLES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Record<string, string> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  datetime: 'must be an ISO 8601 time in UTC',
  email: 'must be an email address',
  url: 'must be an address',
};

/**
 * @param issues what zod found
 * @returns one entry an issue, in its order; no message or path holds an input value or an unknown
 * field's name
 */
export function toFieldErrors(issues: readonly Issue[]): FieldError[] {
  return issues.map((issue) => ({ path: pathOf(issue), message: messageOf(issue) }));
}

/** Of a long list's items so many are named. [contract 14] */
const MAX_PLACES = 100;

/** @returns the 400 that tells a client all of `issues` at once, in a hundred places at most */
export function validationFailed(issues: readonly Issue[]): AppError {
  const places = new Set<string>();
  const named = issues.filter(({ path }) => {
    const place = path.slice(0, 2).join('.');
    if (places.size < MAX_PLACES) places.add(place);
    return places.has(place);
  });
  return invalid(toFieldErrors(named));
}

/** A bad key's own name is the last step of its path: it stays unsaid. */
function pathOf(issue: Issue): string {
  const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;
  return path.map(String).join('.');
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is required' : `must be ${ARTICLES[issue.expected] ?? 'valid'}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : 'is not valid';
    case 'too_small':
      return bound(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than');
    case 'too_big':
      return bound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'unrecognized_keys':
      return issue.keys.length === 1 ? 'has an unknown field' : 'has unknown fields';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form';
    case 'custom':
      return issue.message === UNNAMED ? 'is not valid' : issue.message;
    default:
      return 'is not valid';
  }
}

/** An issue doesn't carry its input; only its message tells a missing field from a wrong one. */
function isMissing(issue: Issue): boolean {
  return issue.message.endsWith('received undefined');
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
}

function bound(
  issue: { origin: string; exact?: boolean | undefined },
  limit: number | bigint,
  words: string,
): string {
  const unit = { string: 'character', array: 'item', set: 'item' }[issue.origin];
  if (!unit) return `must be ${words} ${limit}`;
  const amount = `${issue.exact ? 'exactly' : words} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
  return issue.origin === 'string' ? `must be ${amount} long` : `must have ${amount}`;
}
