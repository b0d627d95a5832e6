// Parses the versioned secrets of better-auth, `2:new,1:old`. The first one signs and encrypts; the others decrypt what
// was encrypted with them. [contract 8]
import { z } from 'zod';

export const MIN_SECRET_LENGTH = 32;
const RULE = `must be like 2:new,1:old, different whole numbers and secrets of at least ${MIN_SECRET_LENGTH} characters`;

const VERSION = /^\d{1,9}$/;

export interface VersionedSecret {
  version: number;
  value: string;
}

export const versionedSecrets = z
  .string()
  .refine((text) => isUsable(split(text)), RULE)
  .transform((text): VersionedSecret[] => split(text).map(([version, value]) => ({ version: Number(version), value })));

function split(text: string): [version: string, value: string][] {
  return text.split(',').map((entry) => {
    const colon = entry.indexOf(':');
    return [entry.slice(0, Math.max(colon, 0)).trim(), entry.slice(colon + 1).trim()];
  });
}

function isUsable(entries: [version: string, value: string][]): boolean {
  const versions = new Set(entries.map(([version]) => Number(version)));
  return (
    versions.size === entries.length &&
    entries.every(([version, value]) => VERSION.test(version) && value.length >= MIN_SECRET_LENGTH)
  );
}
