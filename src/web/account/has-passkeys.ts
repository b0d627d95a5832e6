// Decides whether this browser supports passkeys for this page.

/** Matches IP addresses. A passkey belongs to a domain. */
const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/** Passkeys need a secure context, which is https or localhost. */
export const HAS_PASSKEYS = isSecureContext && 'PublicKeyCredential' in window && !IP_ADDRESS.test(location.hostname);
