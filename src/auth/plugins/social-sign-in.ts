// Configures Google and GitHub. An address that a provider has verified is confirmed before better-auth looks up its
// account. [contract 17]
import { github, google } from 'better-auth/social-providers';
import type { Config, SocialCredentials } from '../../config.ts';
import { isUserImage } from '../input/user-image.ts';
import { type ConfirmDeps, confirmByProvider } from '../sign-up/confirm.ts';
import { nameOfProfile } from './social-profile.ts';

/** An address that the provider has not verified has to be confirmed by a link first. */
const OPTIONS = { mapProfileToUser: nameOfProfile, requireEmailVerification: true };

/** @returns better-auth's `socialProviders`: the providers with credentials */
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
      confirmVerified(deps, 'google', getUserInfo(tokens), ({ sub }) => sub),
  };
}

function throughGithub(credentials: SocialCredentials, deps: ConfirmDeps) {
  const options = { ...credentials, ...OPTIONS };
  const { getUserInfo } = github(options);
  return {
    ...options,
    getUserInfo: (tokens: Parameters<typeof getUserInfo>[0]) =>
      confirmVerified(deps, 'github', getUserInfo(tokens), ({ id }) => String(id)),
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

async function confirmVerified<Profile, Info extends VerifiedProfile<Profile>>(
  deps: ConfirmDeps,
  providerId: string,
  profile: Promise<(Info & VerifiedProfile<Profile>) | null>,
  accountIdOf: (profile: Info['data']) => string,
): Promise<Info | null> {
  const info = await profile;
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
