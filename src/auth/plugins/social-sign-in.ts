// Configures Google and GitHub. An address that a provider has verified is confirmed before better-auth looks up its
// account; src/auth/oidc.ts uses that too. [contract 17]
import { getOAuthState } from 'better-auth/api';
import { type GithubProfile, type GoogleProfile, github, google } from 'better-auth/social-providers';
import type { Config, SocialCredentials } from '../../config.ts';
import type { AccountStores } from '../device-trust.ts';
import { cleanUserName, isUserImage } from '../input/user-profile.ts';
import { confirmByProvider } from '../sign-up/confirm.ts';

/** @returns better-auth's `socialProviders`: the providers with credentials */
export function socialSignIn(config: Pick<Config['auth'], 'google' | 'github'>, deps: AccountStores) {
  const toGoogle = config.google && optionsOf(config.google);
  const toGithub = config.github && optionsOf(config.github);
  const ofGoogle = { providerId: 'google', accountIdOf: ({ sub }: GoogleProfile) => sub, entersAccounts: true };
  const ofGithub = { providerId: 'github', accountIdOf: ({ id }: GithubProfile) => String(id), entersAccounts: true };
  return {
    ...(toGoogle && { google: { ...toGoogle, getUserInfo: confirming(deps, ofGoogle, google(toGoogle).getUserInfo) } }),
    ...(toGithub && { github: { ...toGithub, getUserInfo: confirming(deps, ofGithub, github(toGithub).getUserInfo) } }),
  };
}

/** An address that the provider has not verified has to be confirmed by a link first. */
function optionsOf(credentials: SocialCredentials) {
  return { ...credentials, mapProfileToUser: nameOfProfile, requireEmailVerification: true };
}

function confirming<Tokens, Profile, Info extends VerifiedProfile<Profile>>(
  deps: AccountStores,
  rules: AccountRules<Info['data']>,
  getUserInfo: (tokens: Tokens) => Promise<(Info & VerifiedProfile<Profile>) | null>,
) {
  return (tokens: Tokens) => confirmVerified(deps, rules, getUserInfo(tokens));
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

interface AccountRules<Profile> {
  providerId: string;
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

interface Profile {
  name?: string | null;
  login?: string;
  email?: string | null;
}

export function nameOfProfile(profile: Profile): { name: string } {
  const names = [profile.name, profile.login, profile.email?.split('@')[0]];
  return { name: names.map((text) => cleanUserName(text ?? '')).find(Boolean) ?? 'Player' };
}
