// The identity providers: Google, GitHub, and the house's own by OpenID Connect, better-auth's provider `oidc`. An
// address that a provider has verified is confirmed before better-auth looks up its account. The flow of `oidc` has
// state, PKCE and a nonce; ID tokens that a client sends itself have none of them, and are refused. [contract 17, 22]
import type { AuthContext, BetterAuthPlugin, OAuthMappedUser, OAuthProvider } from 'better-auth';
import { APIError, getOAuthState } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { type GithubProfile, type GoogleProfile, github, google } from 'better-auth/social-providers';
import { z } from 'zod';
import type { Config, OidcSettings, SocialCredentials } from '../config.ts';
import { withTimeout } from '../platform/outages/outage.ts';
import type { AccountStores } from './device-trust.ts';
import { MAX_EMAIL_LENGTH } from './input/input-rules.ts';
import { cleanUserName, isUserImage } from './input/user-profile.ts';
import { confirmByProvider } from './sign-up/confirm.ts';

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

/**
 * @param rules.entersAccounts whether a verified address alone enters the account that exists under it
 * @returns `getUserInfo`, which also confirms the address if the provider has verified it. A link by somebody who is
 *   signed in confirms nothing, since it needs a confirmed account
 */
function confirming<Tokens, Info extends UserInfo>(
  deps: AccountStores,
  rules: { providerId: string; accountIdOf(profile: Info['data']): string; entersAccounts: boolean },
  getUserInfo: (tokens: Tokens) => Promise<Info | null>,
) {
  return async (tokens: Tokens): Promise<Info | null> => {
    const info = await getUserInfo(tokens);
    if (!info?.user.email || !info.user.emailVerified || (await getOAuthState())?.link) return info;
    const { email, name = '', image } = info.user;
    const profile = { email: email.toLowerCase(), name, image: isUserImage(image) ? image : null };
    const own = { providerId: rules.providerId, accountId: rules.accountIdOf(info.data) };
    await confirmByProvider(deps, profile, own, rules.entersAccounts);
    return info;
  };
}

export function nameOfProfile(profile: { name?: string | null; login?: string; email?: string | null }) {
  const names = [profile.name, profile.login, profile.email?.split('@')[0]];
  return { name: names.map((text) => cleanUserName(text ?? '')).find(Boolean) ?? 'Player' };
}

export const OIDC = 'oidc';
/** How long the provider may take to exchange a code, or to describe a user, ms. */
const REPLY_MS = 10_000;

export function oidcSignIn(settings: OidcSettings, deps: AccountStores): BetterAuthPlugin {
  const withProvider = (context: AuthContext) => [createProvider(settings, deps, context), ...context.socialProviders];
  return { id: 'oidc-sign-in', init: (context) => ({ context: { socialProviders: withProvider(context) } }) };
}

function createProvider(settings: OidcSettings, deps: AccountStores, context: AuthContext): OAuthProvider {
  const { issuer, name } = settings;
  const discover = createDiscovery(settings, context);
  const subjectOf = (claims: object) => accountIdOf(issuer, claims);
  const rules = { providerId: OIDC, accountIdOf: subjectOf, entersAccounts: false };

  /** @returns the verified claims and the user made of them; null if there are none, which better-auth reports */
  async function identify(tokens: Parameters<OAuthProvider['getUserInfo']>[0]) {
    const [provider] = await discover();
    try {
      const info = await withTimeout(provider.getUserInfo(tokens), REPLY_MS);
      return info && subjectOf(info.data) ? info : null;
    } catch (error) {
      context.logger.error(`Provider "${OIDC}": ${(error as Error).message}`);
      return null;
    }
  }

  return {
    id: OIDC,
    name,
    issuer,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => subjectOf(profile),
    // An address that the provider has not verified has to be confirmed by a link first.
    options: { requireEmailVerification: true },
    createAuthorizationURL: async (request) => (await discover())[0].createAuthorizationURL(request),
    validateAuthorizationCode: createExchange(discover, context),
    getUserInfo: confirming(deps, rules, identify),
  };
}

/** Exchanges a code for tokens by the method that the provider accepts, and remembers the method. */
function createExchange(discover: () => Promise<Discovered>, { logger }: AuthContext) {
  let isBasic = false;

  return async (grant: Parameters<OAuthProvider['validateAuthorizationCode']>[0]) => {
    const [post, basic] = await discover();
    let refusal: unknown;
    for (const provider of isBasic ? [basic, post] : [post, basic])
      try {
        const tokens = await withTimeout(provider.validateAuthorizationCode(grant), REPLY_MS);
        isBasic = provider === basic;
        return tokens;
      } catch (error) {
        if (!isClientRefused(error)) throw error;
        refusal = error;
      }
    logger.error(`Provider "${OIDC}" refuses OIDC_CLIENT_ID and OIDC_CLIENT_SECRET`);
    throw refusal;
  };
}

/** A provider looks at the code only after it has accepted the client, so that another attempt may use the same one. */
function isClientRefused(error: unknown): boolean {
  const { status, error: code } = Object(error);
  return status === 401 || code === 'invalid_client';
}

/** How long one attempt may take, ms. Sign-ins wait for it. */
const ATTEMPT_MS = 5000;
/** The pause after a failed attempt, ms, so that many sign-ins don't become many requests to a failing provider. */
const PAUSE_MS = 1000;

/** The methods of authentication at the token endpoint; a provider may accept only one, and does not publish which. */
const METHODS = ['post', 'basic'] as const;

/** The provider as better-auth uses it, once for each method. */
type Discovered = readonly [post: OAuthProvider, basic: OAuthProvider];

/** All callers share one attempt, and its result if it succeeds. @throws APIError 503 `PROVIDER_UNAVAILABLE` */
function createDiscovery(settings: OidcSettings, context: AuthContext): () => Promise<Discovered> {
  let attempt: Promise<Discovered> | undefined;

  function fail(error: Error): never {
    context.logger.error(`Provider "${OIDC}": ${error.message}`);
    setTimeout(() => {
      attempt = undefined;
    }, PAUSE_MS).unref();
    const body = { code: 'PROVIDER_UNAVAILABLE', message: 'The identity provider can’t be reached' };
    throw new APIError('SERVICE_UNAVAILABLE', body, { 'retry-after': String(Math.ceil(ATTEMPT_MS / 1000)) });
  }

  return () => {
    attempt ??= withTimeout(discover(settings, context), ATTEMPT_MS).catch(fail);
    return attempt;
  };
}

async function discover(settings: OidcSettings, context: AuthContext): Promise<Discovered> {
  const { clientId, clientSecret, issuer, scopes } = settings;
  const { init } = genericOAuth({
    config: METHODS.map((authentication) => ({
      providerId: `oidc-${authentication}`,
      authentication,
      // The path is that of OpenID Connect Discovery 1.0, section 4.
      discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      mapProfileToUser: userOfClaims,
      clientId,
      clientSecret,
      scopes,
    })),
  });
  const { socialProviders } = (await init(context)).context;
  const [post, basic] = METHODS.map((method) => socialProviders.find(({ id }) => id === `oidc-${method}`));
  if (!post || !basic) throw new Error('its configuration was not found');
  // Section 4.3 requires that both are equal, or another server could pass as the provider.
  if (post.issuer !== issuer || basic.issuer !== issuer)
    throw new Error('its configuration names another issuer than OIDC_ISSUER');
  return [post, basic];
}

/** The subjects that OpenID Connect Core 1.0, section 2, allows. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const Email = z.string().max(MAX_EMAIL_LENGTH, { abort: true }).pipe(z.email());

/** @returns the issuer and the subject, which other providers may use for other people; '' without a valid subject */
export function accountIdOf(issuer: string, { sub }: { sub?: unknown }): string {
  return typeof sub === 'string' && SUBJECT.test(sub) ? `${issuer}#${sub}` : '';
}

/** @returns the fields of a new user; without an address better-auth makes no account */
export function userOfClaims(claims: Record<string, unknown>): OAuthMappedUser {
  const email = Email.safeParse(claims.email).data ?? null;
  const [name, login] = [textOf(claims.name), textOf(claims.preferred_username)];
  return { ...nameOfProfile({ name, login, email }), email, emailVerified: claims.email_verified === true };
}

const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : '');
