// Configures Google and GitHub. An address that a provider has verified is confirmed before better-auth looks up its
// account; src/auth/oidc.ts uses that too. [contract 17]
import { getOAuthState } from 'better-auth/api';
import { github, google } from 'better-auth/social-providers';
import type { Config, SocialCredentials } from '../../config.ts';
import type { AccountStores } from '../device-trust.ts';
import { cleanUserName, isUserImage } from '../input/user-profile.ts';
import { confirmByProvider } from '../sign-up/confirm.ts';

/** An address that the provider has not verified has to be confirmed by a link first. */
const OPTIONS = { mapProfileToUser: nameOfProfile, requireEmailVerification: true };

/** @returns better-auth's `socialProviders`: the providers with credentials */
export function socialSignIn(config: Pick<Config['auth'], 'google' | 'github'>, deps: AccountStores) {
  return {
    ...(config.google && { google: throughGoogle(config.google, deps) }),
    ...(config.github && { github: throughGithub(config.github, deps) }),
  };
}

function throughGoogle(credentials: SocialCredentials, deps: AccountStores) {
  const options = { ...credentials, ...OPTIONS };
  const { getUserInfo } = google(options);
  return {
    ...options,
    getUserInfo: (tokens: Parameters<typeof getUserInfo>[0]) =>
      confirmVerified(
        deps,
        { providerId: 'google', accountIdOf: ({ sub }) => sub, entersAccounts: true },
        getUserInfo(tokens),
      ),
  };
}

function throughGithub(credentials: SocialCredentials, deps: AccountStores) {
  const options = { ...credentials, ...OPTIONS };
  const { getUserInfo } = github(options);
  return {
    ...options,
    getUserInfo: (tokens: Parameters<typeof getUserInfo>[0]) =>
      confirmVerified(
        deps,
        { providerId: 'github', accountIdOf: ({ id }) => String(id), entersAccounts: true },
        getUserInfo(tokens),
      ),
  };
}

interface VerifiedProfile<Profile> {
  user: {
    email?: string | null | undefined;
    emailVerified: boolean;
    name?: string | undefined;
    image?: string | null | undefined;
  };
  data: Profile;
}

/** The rules for a provider's accounts. */
interface AccountRules<Profile> {
  providerId: string;
  /** The id of the person at the provider. */
  accountIdOf(profile: Profile): string;
  /** Whether a verified address alone enters the account that exists under it. */
  entersAccounts: boolean;
}

/**
 * Confirms the address of a profile if the provider has verified it. A link by somebody who is signed in confirms
 * nothing, since it needs a confirmed account.
 * @returns the profile, unchanged
 */
export async function confirmVerified<Profile, Info extends VerifiedProfile<Profile>>(
  deps: AccountStores,
  { providerId, accountIdOf, entersAccounts }: AccountRules<Info['data']>,
  profile: Promise<(Info & VerifiedProfile<Profile>) | null>,
): Promise<Info | null> {
  const info = await profile;
  if (!info?.user.email || !info.user.emailVerified) return info;
  if ((await getOAuthState())?.link) return info;
  const { email, name = '', image } = info.user;
  await confirmByProvider(deps, {
    email: email.toLowerCase(),
    name,
    image: isUserImage(image) ? image : null,
    providerId,
    accountId: accountIdOf(info.data),
    entersAccounts,
  });
  return info;
}

/** The fields of a provider's profile that can serve as a name. */
interface Profile {
  name?: string | null;
  login?: string;
  email?: string | null;
}

export function nameOfProfile(profile: Profile): { name: string } {
  const names = [profile.name, profile.login, profile.email?.split('@')[0]];
  return { name: names.map((text) => cleanUserName(text ?? '')).find(Boolean) ?? 'Player' };
}
