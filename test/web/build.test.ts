// Vite builds the page: compressed, for Chrome 109, Firefox 115 and Safari 16, and in accordance with the content
// security policy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseAst } from 'rolldown/parseAst';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../support/edge.ts';

/** The functions and properties that one of the oldest browsers does not have. */
const NEW_NAMES: ReadonlySet<string> = new Set(
  [
    'toReversed toSorted toSpliced fromAsync groupBy withResolvers isWellFormed toWellFormed canParse toBase64 fromBase64',
    'isSubsetOf isSupersetOf isDisjointFrom symmetricDifference getOrInsert getOrInsertComputed checkVisibility',
    'showPopover togglePopover requestClose startViewTransition ariaHidden ariaLabel ariaExpanded ariaPressed',
  ].flatMap((names) => names.split(' ')),
);

/** Syntax since ES2022, and static blocks, which Safari has since 16.4. */
const NEW_SYNTAX: ReadonlySet<string> = new Set(['StaticBlock', 'Decorator', 'ImportAttribute', 'AccessorProperty']);

/** The parts of a syntax tree that the test reads. */
interface SyntaxNode {
  type?: string;
  kind?: string;
  property?: { name?: string };
  regex?: { pattern: string; flags: string };
  value?: unknown;
}

/** @returns what the program has that one of the oldest browsers can't parse, or lacks */
function newIn(node: SyntaxNode): string[] {
  const { type = '', kind = '', property, regex, value } = node;
  const own = [type, property?.name ?? ''].filter((name) => NEW_SYNTAX.has(name) || NEW_NAMES.has(name));
  if (/using/.test(kind)) own.push(kind);
  if (regex && /[dv]/.test(regex.flags)) own.push(`/${regex.pattern}/${regex.flags}`);
  // The build makes strings of the regular expressions that a browser of its targets can't parse.
  const text = regex?.pattern ?? (type === 'TemplateElement' ? (value as { raw: string }).raw : value);
  if (typeof text === 'string' && isNewPattern(text)) own.push(text);
  return [...own, ...Object.values(node).flatMap((child) => (child && typeof child === 'object' ? newIn(child) : []))];
}

/** @returns whether the pattern has a lookbehind or modifiers, outside of classes and escapes */
function isNewPattern(pattern: string): boolean {
  return /\(\?(<[=!]|[ims]*-?[ims]+:)/.test(pattern.replace(/\\.|\[(\\.|[^\]])*\]/gs, ''));
}

/** Styles without which the page can't be used, unlike those that a browser may ignore. */
const NEW_STYLES = /:has\(|@scope|@starting-style|light-dark\(|color-mix\(|subgrid|(^|[{};])\s*&/;

/** An address, except for those to which the page sends no request: namespaces, and that in a library's warning. */
const ADDRESS =
  /(https?:)?\/\/(?!www\.w3\.org|schemas\.openxmlformats\.org|purl\.oclc\.org|simplewebauthn\.dev)[a-z0-9-]+\.[a-z]{2,}/;

describe('the built page', () => {
  let root: string;
  beforeAll(async () => {
    root = newFolder();
    await build({
      configFile: fileURLToPath(new URL('../../src/web/vite.config.ts', import.meta.url)),
      logLevel: 'silent',
      build: { outDir: root },
    });
  });
  const read = (path: string) => readFileSync(join(root, path));
  const files = () => readdirSync(root, { recursive: true }).map(String);

  it('has no inline scripts or styles and loads nothing from other hosts', () => {
    const html = read('index.html').toString();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) expect(source).toMatch(/^\/(assets|icons|manifest)\b/);
    for (const file of files().filter((name) => /\.(js|css)$/.test(name)))
      expect(read(file).toString(), file).not.toMatch(ADDRESS);
  });

  it('needs no syntax, regular expressions, functions or styles that one of the oldest browsers lacks', () => {
    for (const file of files().filter((name) => name.endsWith('.js')))
      expect(newIn(parseAst(read(file).toString())), file).toEqual([]);
    for (const file of files().filter((name) => name.endsWith('.css')))
      expect(read(file).toString(), file).not.toMatch(NEW_STYLES);
    const program = 'class A { static { "(?<!a)".x; [].toSorted(/(?<=[(]b)/, /(?i:c)/, /[(?<=]|\\(?<d>/) } }';
    expect(newIn(parseAst(program))).toEqual(['StaticBlock', '(?<!a)', 'toSorted', '(?<=[(]b)', '(?i:c)']);
  });

  it('has compressed files with the same contents', () => {
    for (const file of files()) {
      if (file.endsWith('.br')) expect(brotliDecompressSync(read(file))).toEqual(read(file.slice(0, -3)));
      if (file.endsWith('.gz')) expect(gunzipSync(read(file))).toEqual(read(file.slice(0, -3)));
    }
    expect(files().filter((file) => file.endsWith('.br')).length).toBeGreaterThan(3);
  });
});
