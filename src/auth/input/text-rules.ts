// Limits the length of every text that is sent to better-auth, before any code processes it. better-auth itself
// normalises and hashes passwords of any length. [contract 17]
import { APIError } from 'better-auth/api';
import { refusalOf } from '../../text.ts';
import type { HookContext } from '../plugins/auth-hooks.ts';
import { IMAGE_RULE, MAX_IMAGE_LENGTH } from './user-image.ts';
import { MAX_NAME_LENGTH, NAME_RULE } from './user-name.ts';

export const MAX_PASSWORD_LENGTH = 128;
/** The longest email address, characters. RFC 5321 allows no longer one. */
export const MAX_EMAIL_LENGTH = 254;

interface Rule {
  /** The longest text, code points. */
  max: number;
  code: string;
  message: string;
}

const PASSWORD = { max: MAX_PASSWORD_LENGTH, code: 'PASSWORD_TOO_LONG', message: 'Password too long' };

const RULES: Record<string, Rule> = {
  name: { max: MAX_NAME_LENGTH, code: 'INVALID_NAME', message: NAME_RULE },
  image: { max: MAX_IMAGE_LENGTH, code: 'INVALID_IMAGE', message: IMAGE_RULE },
  email: { max: MAX_EMAIL_LENGTH, code: 'INVALID_EMAIL', message: 'Invalid email' },
  password: PASSWORD,
  newPassword: PASSWORD,
  currentPassword: PASSWORD,
};

/** The longest other text, characters. Statements of authenticators and providers have up to 6,000. */
const OTHER: Rule = {
  max: 2000,
  code: 'VALIDATION_ERROR',
  message: 'A text is too long, or has too many combining marks in a row',
};

/** The largest number of values in a body, at all depths. An authenticator's response has about twenty. */
const MAX_VALUES = 500;

/** @throws APIError if a text is too long, or the body has too many values */
export async function checkTexts({ body, query, params }: HookContext): Promise<void> {
  const waiting: [name: string, value: unknown][] = [body, query, params].map((part) => ['', part]);
  for (let looked = 0; looked < waiting.length; looked++) {
    if (looked === MAX_VALUES) throw refusal(OTHER);
    const [name, value] = waiting[looked] as [string, unknown];
    if (typeof value === 'string') checkText(value, RULES[name] ?? OTHER);
    else waiting.push(...Object.entries(Object(value)));
  }
}

function checkText(text: string, rule: Rule): void {
  if (refusalOf(text, rule.max)) throw refusal(rule);
}

function refusal({ code, message }: Rule): APIError {
  return new APIError('BAD_REQUEST', { code, message });
}
