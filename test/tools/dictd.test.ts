// Reads the pair of files of a dictionary server.
import { mkdtempSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { readDictd } from '../../src/tools/import/dictd.ts';

/** @returns the dictionary files that this process has open */
function openEntries(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).match(/dictd-.*/)?.[0] ?? [];
    } catch {
      // The descriptor of the folder itself is closed by now.
      return [];
    }
  });
}

test('reading a dictionary, completely or in part, leaves no file open', async () => {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'dictionary-'));
  const file = join(folder, 'freedict-eng-deu.index');
  writeFileSync(file, 'eel\tA\tQ\neels\tA\tQ\n');
  writeFileSync(join(folder, 'freedict-eng-deu.dict'), 'eel\nAal <masc>\n \n');
  const read = () => readDictd(file, { bytesRead: 0, bytesTotal: 0 }, {}, {});

  const lines: unknown[] = [];
  for await (const line of read()) lines.push(line);
  expect(lines).toHaveLength(2);
  expect(openEntries()).toEqual([]);

  for await (const line of read()) {
    expect(line).toEqual(lines[0]);
    expect(openEntries()).toHaveLength(1);
    break;
  }
  expect(openEntries()).toEqual([]);
});
