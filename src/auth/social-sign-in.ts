// Google and GitHub as better-auth knows them, but heard one moment earlier: an address that they have
// verified is its owner's before better-auth looks who has it here. [contract 17]
import { github, google } from 'better-auth/social-providers';
import type { Config, SocialCredentials } from '../config.ts';
import { type ConfirmDeps, confirmByProvider } from './sign-up/confirm.ts';
import { nameOfProfile } from './social-profile.ts';
import { isUserImage } from './user-image.ts';

/** An address that the provider has not verified either is verified by us first. */
const OPTIONS = { mapProfileToUser: nameOfProfile, requireEmailVerification: true };

/** @returns better-auth's `socialProviders`: those that have credentials */
export function socialSignIn(config: Pick<Config['auth'], 'google' | 'github'>, deps: ConfirmDeps) {
  return {
    ...(config.google && { google: throughGoogle(config.google, deps) }),
    ...(config.github && { github: throughGithub(config.github, deps) }),
  };
}

function throughGoogle(credentials: SocialCredentials, deps: ConfirmDeps) {
  const options = { ...credentials, ...OPTIONS };
  const { getUserInfo } = google(options);
  return {
    ...options,
    getUserInfo: (tokens: Parameters<typeof getUserInfo>[0]) =>
      heard(deps, 'google', getUserInfo(tokens), ({ sub }) => sub),
  };
}

function throughGithub(credentials: SocialCredentials, deps: ConfirmDeps) {
  const options = { ...credentials, ...OPTIONS };
  const { getUserInfo } = github(options);
  return {
    ...options,
    getUserInfo: (tokens: Parameters<typeof getUserInfo>[0]) =>
      heard(deps, 'github', getUserInfo(tokens), ({ id }) => String(id)),
  };
}

interface Heard<Profile> {
  user: {
    email?: string | null | undefined;
    emailVerified: boolean;
    name?: string | undefined;
    image?: string | null | undefined;
  };
  data: Profile;
}

async function heard<Profile, Info extends Heard<Profile>>(
  deps: ConfirmDeps,
  providerId: string,
  asked: Promise<(Info & Heard<Profile>) | null>,
  accountIdOf: (profile: Info['data']) => string,
): Promise<Info | null> {
  const info = await asked;
  if (!info?.user.email || !info.user.emailVerified) return info;
  const { email, name = '', image } = info.user;
  await confirmByProvider(deps, {
    email: email.toLowerCase(),
    name,
    image: isUserImage(image) ? image : null,
    providerId,
    accountId: accountIdOf(info.data),
  });
  return info;
}
