// Describes invalid input in this service's own words, for HTTP and WebSocket. A library's messages change with its
// versions and may repeat what the client has sent. [contract 1]
import { z } from 'zod';
import { type AppError, type FieldError, invalid } from './errors.ts';

/** The schema of an id that a client sends. Ids are in lower case, and upper case is accepted. */
export const Id = z.guid().toLowerCase();

type Issue = z.core.$ZodIssue;

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

/** @returns an entry for each issue, in the same order, without any input value or name of an unknown field */
export function toFieldErrors(issues: readonly Issue[]): FieldError[] {
  return issues.map((issue) => {
    // An invalid key's own name is the last element of its path and is left out, since the client has chosen it.
    const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;
    return { path: path.map(String).join('.'), message: messageOf(issue) };
  });
}

/** How many items of a request, such as the terms of a list, a refusal names at most. [contract 14] */
const MAX_ITEMS = 100;

/** @returns a 400 with all issues of the first hundred invalid items */
export function validationFailed(issues: readonly Issue[]): AppError {
  const items = new Set<string>();
  const reported = issues.filter(({ path }) => {
    const item = path.slice(0, 2).join('.');
    if (items.size < MAX_ITEMS) items.add(item);
    return items.has(item);
  });
  return invalid(toFieldErrors(reported));
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      // An issue does not have its input, so that only its message tells a missing field from one of a wrong type.
      if (issue.message.endsWith('received undefined')) return 'is required';
      return `must be ${ARTICLES[issue.expected] ?? 'valid'}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(issue.options) : 'is not valid';
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
      // This is zod's message for a `refine` without one.
      return issue.message === 'Invalid input' ? 'is not valid' : issue.message;
    default:
      return 'is not valid';
  }
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
}

function bound(issue: { origin: string; exact?: boolean | undefined }, limit: number | bigint, words: string): string {
  const unit = { string: 'character', array: 'item', set: 'item' }[issue.origin];
  if (!unit) return `must be ${words} ${limit}`;
  const amount = `${issue.exact ? 'exactly' : words} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
  return issue.origin === 'string' ? `must be ${amount} long` : `must have ${amount}`;
}
