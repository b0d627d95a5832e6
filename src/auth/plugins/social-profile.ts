// Maps a profile at a provider to a new user. A name that breaks the rules is changed to fit, so that nobody is
// refused for it. [contract 17]
import { cleanUserName } from '../input/user-name.ts';

/** The fields of a provider's profile that can serve as a name. */
interface Profile {
  name?: string | null;
  login?: string;
  email?: string | null;
}

/** @returns the user's name */
export function nameOfProfile(profile: Profile): { name: string } {
  const names = [profile.name, profile.login, profile.email?.split('@')[0]];
  return { name: names.map((text) => cleanUserName(text ?? '')).find(Boolean) ?? 'Player' };
}
