// What the page is told of its service, and by whom: src/http/web-config.ts. No part of the API.

export interface PageConfig {
  /** Whether one can play by a name alone. */
  guests: boolean;
  /** The social sign-ins that are set up. */
  providers: ('google' | 'github')[];
  /** Where the mails of a service without a provider can be read: in this page, or elsewhere. */
  outbox: 'here' | 'elsewhere' | null;
  /** The origin that a link to friends should have, where it is not the page's own. */
  shareOrigin: string | null;
}

/** A mail that was written down instead of sent. */
export interface OutboxMail {
  to: string;
  subject: string;
  url: string;
}
