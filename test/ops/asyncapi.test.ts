// The description of the socket is read by AsyncAPI's own parser. It is installed when this test runs, since its 160
// packages take 50 MB.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { describeSocket } from '../../src/docs/asyncapi.ts';

const PARSER = '@asyncapi/parser@3.6.6';

interface Parser {
  parse(text: string): Promise<{ document?: object; diagnostics: { code: string; message: string }[] }>;
}

test('[contract 7] the description of the socket is valid by the recommended rules of AsyncAPI', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-asyncapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options, PARSER]);
  const load = createRequire(join(folder, 'package.json'));
  const { Parser } = load('@asyncapi/parser') as { Parser: new () => Parser };
  const description = describeSocket({ version: '1.0.0', publicUrl: 'https://quiz.example.org' });
  const { document, diagnostics } = await new Parser().parse(JSON.stringify(description));
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  expect(document).toBeDefined();
  // An installation takes minutes on a busy machine.
}, 600_000);
