// Checks a user's picture: it is an address, never the picture itself, since it is read with every session.
// [contract 17]

export const MAX_IMAGE_LENGTH = 500;

export const IMAGE_RULE = `The image must be an https address without credentials, of at most ${MAX_IMAGE_LENGTH} characters, or null`;

/** @returns whether `image` may be stored as a user's picture; null means none */
export function isUserImage(image: unknown): image is string | null {
  if (image === null) return true;
  if (typeof image !== 'string' || image.length > MAX_IMAGE_LENGTH) return false;
  // URL parsers repair spaces, line breaks and backslashes in different ways, so that these are refused.
  if (!/^https:\/\/[^\s\\\p{Cc}/?#]/iu.test(image) || /[\s\\\p{Cc}\p{Cs}]/u.test(image)) return false;
  const url = URL.parse(image);
  return url !== null && url.username === '' && url.password === '' && !/^https:\/\/[^/?#]*@/i.test(image);
}
