// Which names users may have: everybody in a lobby gets to see them.
import { APIError } from 'better-auth';

/** In Unicode code points. */
const MAX_LENGTH = 100;

/** A hook before a user is written. @throws APIError 400 in better-auth's format */
export async function checkName({ name }: { name?: string }): Promise<void> {
  if (name === undefined) return;
  const isShowable = name.trim() !== '' && !/\p{Cc}/u.test(name);
  if (!isShowable || [...name].length > MAX_LENGTH)
    throw new APIError('BAD_REQUEST', {
      code: 'INVALID_NAME',
      message: `The name must have 1 to ${MAX_LENGTH} characters, and no control characters`,
    });
}

/** What Google and GitHub say of a user, as far as it helps to name them. */
interface Profile {
  name?: string | null;
  login?: string;
  email?: string | null;
}

/** @returns what a social profile calls its owner, made to fit */
export function nameOfProfile(profile: Profile): { name: string } {
  const names = [profile.name, profile.login, profile.email?.split('@')[0], 'Player'];
  const showable = names.map((name) => (name ?? '').replace(/\p{Cc}/gu, '').trim());
  return { name: [...(showable.find(Boolean) ?? '')].slice(0, MAX_LENGTH).join('') };
}
