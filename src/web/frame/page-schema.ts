// The files under /web that src/http/web.ts serves to the page. They are no part of the API.

/** The providers that an account can sign in with: the last one is the house's own. */
export const PROVIDERS = ['google', 'github', 'oidc'] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface PageConfig {
  guests: boolean;
  /** The configured providers of accounts. */
  providers: Provider[];
  /** The name of the provider `oidc`; null without it. */
  oidcName: string | null;
  /** Whether people can sign up by email. */
  emailSignUp: boolean;
  /** Where the mails of a service without a mail provider can be read; null if it sends them. */
  outbox: 'here' | 'elsewhere' | null;
  /** The origin for links to share; null if it is the page's own. */
  shareOrigin: string | null;
}

/** A mail that a development server has stored instead of sending it. */
export interface OutboxMail {
  to: string;
  subject: string;
  url: string;
}
