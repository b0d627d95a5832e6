// Asks the house's identity provider for its addresses and keys when they are first needed. better-auth's generic
// OAuth plugin asks only once, while better-auth starts, and every request would wait for that. This file runs the
// plugin later, and again after each failure, so that a provider may be away when a replica starts. [contract 22]
import type { AuthContext, OAuthProvider } from 'better-auth';
import { APIError } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { OidcSettings } from '../../config.ts';
import { withTimeout } from '../../platform/overload/timeout.ts';
import { userOfClaims } from './claims.ts';

/** How long one attempt may take, ms. Sign-ins wait for it. */
const ATTEMPT_MS = 5000;

/** The pause after a failed attempt, ms, so that many sign-ins don't become many requests to a failing provider. */
const PAUSE_MS = 1000;

/**
 * The methods of authentication at the token endpoint. A provider may accept only the method that it has registered
 * for the client, and does not publish which one that is.
 */
const METHODS = ['post', 'basic'] as const;
const idOf = (method: (typeof METHODS)[number]) => `oidc-${method}`;

/** The provider as better-auth uses it, once for each method of `METHODS`. */
export type Discovered = readonly [post: OAuthProvider, basic: OAuthProvider];

/**
 * @param context better-auth's, with which its plugin makes the provider
 * @returns a function that resolves to the discovered provider; all callers share one attempt, and its result if it
 *   succeeds. The function throws APIError 503 `PROVIDER_UNAVAILABLE` while the provider can't be reached, or is not
 *   what the settings say
 */
export function createDiscovery(settings: OidcSettings, context: AuthContext): () => Promise<Discovered> {
  let attempt: Promise<Discovered> | undefined;

  async function start(): Promise<Discovered> {
    try {
      return await withTimeout(discover(settings, context), ATTEMPT_MS);
    } catch (error) {
      context.logger.error(`Provider "oidc": ${(error as Error).message}`);
      setTimeout(() => {
        attempt = undefined;
      }, PAUSE_MS).unref();
      throw unavailable();
    }
  }

  return () => {
    attempt ??= start();
    return attempt;
  };
}

async function discover(settings: OidcSettings, context: AuthContext): Promise<Discovered> {
  const { clientId, clientSecret, issuer, scopes } = settings;
  const { init } = genericOAuth({
    config: METHODS.map((authentication) => ({
      providerId: idOf(authentication),
      // The path is that of OpenID Connect Discovery 1.0, section 4.
      discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      mapProfileToUser: userOfClaims,
      authentication,
      clientId,
      clientSecret,
      scopes,
    })),
  });
  const { socialProviders } = (await init(context)).context;
  const [post, basic] = METHODS.map((method) => socialProviders.find(({ id }) => id === idOf(method)));
  if (!post || !basic) throw new Error('its configuration was not found');
  // Section 4.3 requires that both are equal, or another server could pass as the provider.
  if (post.issuer !== issuer || basic.issuer !== issuer)
    throw new Error('its configuration names another issuer than OIDC_ISSUER');
  return [post, basic];
}

function unavailable(): APIError {
  return new APIError(
    'SERVICE_UNAVAILABLE',
    { code: 'PROVIDER_UNAVAILABLE', message: 'The identity provider can’t be reached' },
    { 'retry-after': String(Math.ceil(ATTEMPT_MS / 1000)) },
  );
}
