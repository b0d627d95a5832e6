// The house's own identity provider, by OpenID Connect: better-auth's provider `oidc`. Its browser flow has state,
// PKCE and a nonce; ID tokens that a client sends itself have none of them, and are refused. [contract 22]
import type { AuthContext, BetterAuthPlugin, OAuthProvider } from 'better-auth';
import type { OidcSettings } from '../../config.ts';
import { withTimeout } from '../../platform/overload/timeout.ts';
import { confirmVerified } from '../plugins/social-sign-in.ts';
import type { ConfirmDeps } from '../sign-up/confirm.ts';
import { accountIdOf } from './claims.ts';
import { createDiscovery, type Discovered } from './discovery.ts';

/** The id of the provider, in requests and in accounts. */
export const OIDC = 'oidc';

/** How long the provider may take to exchange a code, or to describe a user, ms. */
const REPLY_MS = 10_000;

/** @returns the plugin that adds the provider to better-auth's social providers */
export function oidcSignIn(settings: OidcSettings, deps: ConfirmDeps): BetterAuthPlugin {
  return {
    id: 'oidc-sign-in',
    init: (context) => {
      const provider = createProvider(settings, deps, context);
      return { context: { socialProviders: [provider, ...context.socialProviders] } };
    },
  };
}

function createProvider(settings: OidcSettings, deps: ConfirmDeps, context: AuthContext): OAuthProvider {
  const { issuer, name } = settings;
  const discover = createDiscovery(settings, context);
  const subjectOf = (claims: object) => accountIdOf(issuer, claims);
  const rules = { providerId: OIDC, accountIdOf: subjectOf, entersAccounts: false };

  /** @returns the verified claims and the user made of them; null if there are none, which better-auth reports */
  async function identify(tokens: Parameters<OAuthProvider['getUserInfo']>[0]) {
    const [provider] = await discover();
    const asked = withTimeout(provider.getUserInfo(tokens), REPLY_MS);
    const info = await asked.catch((error: Error) => {
      context.logger.error(`Provider "${OIDC}": ${error.message}`);
      return null;
    });
    return info && subjectOf(info.data) ? info : null;
  }

  return {
    id: OIDC,
    name,
    issuer,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => subjectOf(profile),
    // An address that the provider has not verified has to be confirmed by a link first.
    options: { requireEmailVerification: true },
    createAuthorizationURL: async (request) => {
      const [provider] = await discover();
      return provider.createAuthorizationURL(request);
    },
    validateAuthorizationCode: createExchange(discover, context),
    getUserInfo: (tokens) => confirmVerified(deps, rules, identify(tokens)),
  };
}

/** Exchanges a code for tokens by the method that the provider accepts, and remembers the method. */
function createExchange(
  discover: () => Promise<Discovered>,
  { logger }: AuthContext,
): OAuthProvider['validateAuthorizationCode'] {
  let isBasic = false;

  return async (grant) => {
    const [post, basic] = await discover();
    const [usual, other] = isBasic ? [basic, post] : [post, basic];
    const exchange = (provider: OAuthProvider) => withTimeout(provider.validateAuthorizationCode(grant), REPLY_MS);
    try {
      return await exchange(usual);
    } catch (error) {
      if (!isClientRefused(error)) throw error;
    }
    try {
      const tokens = await exchange(other);
      isBasic = other === basic;
      return tokens;
    } catch (error) {
      if (isClientRefused(error)) logger.error(`Provider "${OIDC}" refuses OIDC_CLIENT_ID and OIDC_CLIENT_SECRET`);
      throw error;
    }
  };
}

/** A provider looks at the code only after it has accepted the client, so that another attempt may use the same one. */
function isClientRefused(error: unknown): boolean {
  const { status, error: code } = Object(error);
  return status === 401 || code === 'invalid_client';
}
