// Configures Google and GitHub. An address that a provider has verified is confirmed before better-auth looks up its
// account; src/auth/oidc.ts uses that too. [contract 17]
import type { OAuthProvider } from 'better-auth';
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

type UserInfo = NonNullable<Awaited<ReturnType<OAuthProvider['getUserInfo']>>>;

interface AccountRules<Profile> {
  providerId: string;
  accountIdOf(profile: Profile): string;
  /** Whether a verified address alone enters the account that exists under it. */
  entersAccounts: boolean;
}

/**
 * Confirms the address of a profile if the provider has verified it. A link by somebody who is signed in confirms
 * nothing, since it needs a confirmed account.
 * @returns `getUserInfo`, which then does so as well
 */
export function confirming<Tokens, Info extends UserInfo>(
  deps: AccountStores,
  { accountIdOf, ...rules }: AccountRules<Info['data']>,
  getUserInfo: (tokens: Tokens) => Promise<Info | null>,
) {
  return async (tokens: Tokens): Promise<Info | null> => {
    const info = await getUserInfo(tokens);
    if (!info?.user.email || !info.user.emailVerified || (await getOAuthState())?.link) return info;
    const { email, name = '', image } = info.user;
    const profile = { email: email.toLowerCase(), name, image: isUserImage(image) ? image : null };
    await confirmByProvider(deps, { ...rules, ...profile, accountId: accountIdOf(info.data) });
    return info;
  };
}

export function nameOfProfile(profile: { name?: string | null; login?: string; email?: string | null }) {
  const names = [profile.name, profile.login, profile.email?.split('@')[0]];
  return { name: names.map((text) => cleanUserName(text ?? '')).find(Boolean) ?? 'Player' };
}
