// Enables the second factor of an account in the way the page does, and signs in with a passkey's authenticator.
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import { PASSWORD, signIn } from './accounts.ts';
import type { HttpClient } from './http-client.ts';
import type { TestService } from './service.ts';
import { createPerson, type TestUser } from './users.ts';

/**
 * @param client the client of a signed-in user with PASSWORD
 * @returns the TOTP secret in base 32, and the backup codes
 */
export async function enableSecondFactor(client: HttpClient) {
  const enabled = await client.post('/api/auth/two-factor/enable', { password: PASSWORD });
  expect(enabled).toMatchObject({ status: 200, body: { method: 'totp' } });
  const secret = new URL(enabled.body.totpURI).searchParams.get('secret') ?? '';
  expect((await sendCode(client, secret)).status).toBe(200);
  return { secret, backupCodes: enabled.body.backupCodes as string[] };
}

export type ProtectedUser = Awaited<ReturnType<typeof createProtectedUser>>;

/** Creates a user whose sign-ins need a code. @returns the user with a client that is signed in, on no trusted device */
export async function createProtectedUser(replica: Pick<TestService, 'services' | 'url'>) {
  const { user, client } = await createPerson(replica, { password: PASSWORD });
  return { user, client, ...(await enableSecondFactor(client)) };
}

/** Signs in with the password. @returns the client, which still needs to send a code */
export async function startSignIn({ email }: TestUser, client: HttpClient): Promise<HttpClient> {
  const body = { twoFactorRedirect: true, twoFactorMethods: ['totp'] };
  expect(await signIn(client, email)).toMatchObject({ status: 200, body });
  return client;
}

/** Sends the current code of the authenticator app. */
export const sendCode = (client: HttpClient, secret: string, more: { trustDevice?: boolean } = {}) =>
  client.post('/api/auth/two-factor/verify-totp', { code: totpCode(secret), ...more });

/** @param secret in base 32, as in the otpauth URI @returns the current six-digit code */
export function totpCode(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

// A software authenticator replaces the phone or security key that a browser asks for a passkey.
// https://www.w3.org/TR/webauthn-3/

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/**
 * @param origin the page's origin
 * @param verifiesUser whether it reports that it has verified the user by biometrics or a PIN
 */
export function createAuthenticator(origin: string, verifiesUser = true) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const presence = USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);
  let uses = 0;

  function clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
  function authenticatorData(rpId: string, flags: number, credential = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++uses);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, credential]);
  }
  const answer = (response: object) => {
    const rawId = id.toString('base64url');
    return { id: rawId, rawId, type: 'public-key', clientExtensionResults: {}, response };
  };

  return {
    /** Answers the options of a registration, as `PublicKeyCredential.toJSON()` does. */
    create({ challenge, rp }: { challenge: string; rp: { id: string } }): object {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // In COSE, key type 2 is an elliptic curve, algorithm -7 is ES256, and curve 1 is P-256.
      const point = { '-2': Buffer.from(x, 'base64url'), '-3': Buffer.from(y, 'base64url') };
      const key = cborOf({ 1: 2, 3: -7, '-1': 1, ...point });
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const authData = authenticatorData(rp.id, presence | HAS_CREDENTIAL, credential);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: cborOf({ fmt: 'none', attStmt: {}, authData }).toString('base64url'),
        transports: ['internal'],
      });
    },
    get({ challenge, rpId }: { challenge: string; rpId: string }): object {
      const client = clientData('webauthn.get', challenge);
      const data = authenticatorData(rpId, presence);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

type Cbor = number | string | Buffer | { [key: string]: Cbor };

/**
 * Encodes the part of CBOR that WebAuthn needs. A key that is a number is encoded as one.
 * https://www.rfc-editor.org/rfc/rfc8949#section-3.1
 */
function cborOf(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = Object.entries(value).map(([key, one]) => [Number(key) || key, one] as const);
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cborOf)]);
}

function cborHead(majorType: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(majorType << 5) | value]);
  if (value < 256) return Buffer.from([(majorType << 5) | 24, value]);
  return Buffer.from([(majorType << 5) | 25, value >> 8, value & 0xff]);
}
