// Whether this browser can keep a passkey for this page.

/** An address in numbers is no domain, which a passkey is for. */
const NUMBERS = /^(\d+\.){3}\d+$|^\[/;

/** Not over plain http either, but on one's own machine. */
export const HAS_PASSKEYS =
  isSecureContext && 'PublicKeyCredential' in window && !NUMBERS.test(location.hostname);
