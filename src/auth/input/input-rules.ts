// Checks what clients send to better-auth before any account is looked up, so that a refusal does not reveal whether
// there is one: the length of each text, names, pictures, passwords and redirect addresses. [contract 17]
import { readFileSync } from 'node:fs';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import { NAME_LENGTH_MAX } from '../../names/rules.ts';
import { compatible, foldCase, refusalOf } from '../../text.ts';
import { type HookContext, hook, sessionOf } from '../plugins/auth-hooks.ts';
import { RESET_PREFIX } from '../plugins/better-auth-names.ts';
import { PASSKEY_NAMINGS } from '../plugins/passkeys.ts';
import { CHOOSE_PATH } from '../sign-up/links.ts';
import * as profile from './user-profile.ts';

const SIGN_UP = '/sign-up/email';

export function inputRules(): BetterAuthPlugin {
  const before = [
    hook(checkTexts),
    hook(async ({ body }) => checkProfile(body), SIGN_UP, '/update-user', CHOOSE_PATH, ...PASSKEY_NAMINGS),
    hook(async ({ body }) => checkPassword(body?.password, body ?? {}), SIGN_UP),
    hook(checkChange, '/change-password'),
    hook(checkReset, '/reset-password'),
  ];
  return { id: 'input-rules', hooks: { before } };
}

async function checkChange(hookContext: HookContext): Promise<void> {
  const found = await sessionOf(hookContext);
  if (found) checkPassword(hookContext.body?.newPassword, found.user);
}

/** Checks a body's fields and replaces the name by its stored form. better-auth handles missing fields. */
function checkProfile(body: { name?: unknown; image?: unknown } | undefined): void {
  if (body?.name !== undefined) {
    const name = typeof body.name === 'string' ? profile.parseUserName(body.name) : null;
    if (name === null) throw refusal({ code: 'INVALID_NAME', message: profile.NAME_RULE });
    body.name = name;
  }
  if (body?.image !== undefined && !profile.isUserImage(body.image))
    throw refusal({ code: 'INVALID_IMAGE', message: profile.IMAGE_RULE });
}

/** Other code checks the length. @throws APIError PASSWORD_TOO_COMMON for a password that is among the first guesses */
export function checkPassword(password: unknown, owner: { email?: unknown; name?: unknown }): void {
  if (typeof password !== 'string') return;
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) return;
  const known = [owner.email, owner.name].filter((text) => typeof text === 'string');
  // Blanks at its ends do not make a password harder to guess.
  if (password.trim().length < MIN_PASSWORD_LENGTH || isTooCommon(password, known))
    throw refusal({ code: 'PASSWORD_TOO_COMMON', message: 'This password is among the first to be guessed' });
}

/** @throws APIError for a password that is too short or too long */
export function checkLength({ length }: string): void {
  if (length < MIN_PASSWORD_LENGTH) throw refusal({ code: 'PASSWORD_TOO_SHORT', message: 'Password too short' });
  if (length > MAX_PASSWORD_LENGTH) throw refusal(PASSWORD);
}

/** A wrong token is refused later. */
async function checkReset({ body, query, context: { internalAdapter } }: HookContext): Promise<void> {
  const token = body?.token || query?.token;
  const isText = typeof token === 'string';
  const reset = isText ? await internalAdapter.findVerificationValue(`${RESET_PREFIX}${token}`) : null;
  const owner = reset && (await internalAdapter.findUserById(reset.value));
  checkPassword(body?.newPassword, owner ?? {});
}

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;
/** RFC 5321's limit, characters. */
export const MAX_EMAIL_LENGTH = 254;
const PASSWORD = { max: MAX_PASSWORD_LENGTH, code: 'PASSWORD_TOO_LONG', message: 'Password too long' };

/** The longest texts by their fields, code points. */
const RULES: Record<string, typeof PASSWORD> = {
  name: { max: NAME_LENGTH_MAX, code: 'INVALID_NAME', message: profile.NAME_RULE },
  image: { max: profile.MAX_IMAGE_LENGTH, code: 'INVALID_IMAGE', message: profile.IMAGE_RULE },
  email: { max: MAX_EMAIL_LENGTH, code: 'INVALID_EMAIL', message: 'Invalid email' },
  password: PASSWORD,
  newPassword: PASSWORD,
  currentPassword: PASSWORD,
};

const TOO_LONG = 'A text is too long, or has too many combining marks in a row';
/** The longest other text, characters. Statements of authenticators and providers have up to 6,000. */
const OTHER = { max: 2000, code: 'VALIDATION_ERROR', message: TOO_LONG };
/** The largest number of values in a body, at all depths. An authenticator's response has about twenty. */
const MAX_VALUES = 500;

/** @throws APIError if a text is too long, or the body has too many values */
async function checkTexts({ body, query, params }: HookContext): Promise<void> {
  const waiting: [name: string, value: unknown][] = [body, query, params].map((part) => ['', part]);
  for (let looked = 0; looked < waiting.length; looked++) {
    if (looked === MAX_VALUES) throw refusal(OTHER);
    const [name, value] = waiting[looked] as [string, unknown];
    const rule = RULES[name] ?? OTHER;
    if (typeof value === 'string' && refusalOf(value, rule.max)) throw refusal(rule);
    if (typeof value !== 'string') waiting.push(...Object.entries(Object(value)));
  }
}

const refusal = ({ code, message }: Omit<typeof PASSWORD, 'max'>) => new APIError('BAD_REQUEST', { code, message });

/** Common passwords of at least 8 characters, one a line, in the form of `comparable`. Their source is in common-passwords.licence.txt. */
const COMMON = `\n${readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')}`;

/**
 * Matches the service's own words, one or several, each followed by a few digits, blanks or signs. The pattern can
 * match a text in one way only; otherwise backtracking would take exponential time.
 */
const OWN_WORDS = /^(?:(?:vocabulary|vocab|quiz(?:zes)?|service)[\s\p{P}]{0,3}(?:\d{1,4}[\s\p{P}]{0,3})?)+$/u;

/** One search through a text of 95 kB takes microseconds, and less memory than ten thousand strings. */
export function isTooCommon(password: string, owner: string[]): boolean {
  const guess = comparable(password);
  if (OWN_WORDS.test(guess) || COMMON.includes(`\n${guess}\n`)) return true;
  return owner.some((text) => [text, text.replace(/@[^@]*$/, '')].map(comparable).includes(guess));
}

const comparable = (text: string) => foldCase(compatible(text));

/** The parameters of all endpoints that name a redirect address. */
const ADDRESSES = ['callbackURL', 'redirectTo', 'errorCallbackURL', 'newUserCallbackURL'];
/** Characters that an address must encode, since a `location` header can hold only Latin-1. */
const UNENCODED = /[^\x21-\x7e]+/g;
/** better-auth's cookie that binds the state of a social sign-in to the browser that began it. */
const STATE_COOKIE = 'state';

export function redirects(publicUrl: string): BetterAuthPlugin {
  /** Refuses a callback without the state's cookie. better-auth would look the state up first, and log a warning. */
  async function refuseForeignState(hookContext: HookContext): Promise<void> {
    const { context, method, query } = hookContext;
    // A provider's POST is redirected to a GET; browsers don't send the cookie with such a POST.
    if (method !== 'GET') return;
    const state = await hookContext.getSignedCookie(context.createAuthCookie(STATE_COOKIE).name, context.secret);
    if (state && state === query?.state) return;
    throw hookContext.redirect(`${publicUrl}/?error=${query?.state ? 'state_mismatch' : 'state_not_found'}`);
  }

  return { id: 'redirects', hooks: { before: [hook(encodeAddresses), hook(refuseForeignState, '/callback/:id')] } };
}

/** Encodes redirect addresses as a browser would, before better-auth checks them. */
async function encodeAddresses({ body, query }: HookContext): Promise<void> {
  for (const given of [body, query])
    for (const name of ADDRESSES)
      if (typeof given?.[name] === 'string')
        given[name] = given[name].replace(UNENCODED, (text: string) => encodeURIComponent(text.toWellFormed()));
}
