// The client library has a method and types for each operation, printed from the operations themselves. [contract 15]
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FILES } from '../../src/client/print.ts';

/** The formatter decides spaces, lines, the last mark of a list, and the order of imports. */
const plain = (text: string) =>
  text
    .replace(/^import [^;]*;$/gm, '')
    .replace(/[\s|]+/g, '')
    .replace(/[,;](?=[)}\]])/g, '');

it.each(Object.entries(FILES))('%s is as `node src/client/build.ts --print` prints it', (name, text) => {
  const written = readFileSync(new URL(`../../src/client/${name}`, import.meta.url), 'utf8');
  expect(plain(written)).toBe(plain(text));
});
