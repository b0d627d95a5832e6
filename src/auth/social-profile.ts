// What a new user takes over from Google or GitHub. Nobody is refused for what they are called there:
// it is made to fit instead. [contract 17]
import { cleanUserName } from './user-name.ts';

/** What the providers say of a user, as far as it helps to name them. */
interface Profile {
  name?: string | null;
  login?: string;
  email?: string | null;
}

/** @returns the name of the user whom the profile describes */
export function nameOfProfile(profile: Profile): { name: string } {
  const names = [profile.name, profile.login, profile.email?.split('@')[0]];
  return { name: names.map((text) => cleanUserName(text ?? '')).find(Boolean) ?? 'Player' };
}
