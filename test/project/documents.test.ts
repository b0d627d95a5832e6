// The files, commands and anchors that documents name exist, and so does each section of src/contract.md that the
// source cites as [contract 5.9].
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { filesIn, ROOT, textOf } from '../support/sources.ts';

const DOCUMENTS = ['.github', 'k8s', 'prisma', 'src', 'test'].flatMap((folder) => filesIn(folder, /\.md$/));
DOCUMENTS.push('README.md', 'SECURITY.md');

/** @returns what the first group of the pattern matches, at each place */
const allIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** @returns the anchors that GitHub generates for a document's headings, of all levels or of one */
function anchorsOf(text: string, headings = /^#+ (.+)$/gm): string[] {
  const letters = allIn(text, headings).map((heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_\- ]/gu, ''));
  return letters.map((heading) => heading.replaceAll(' ', '-'));
}

function isDead(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path ? join(dirname(file), path) : file;
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(textOf(target)).includes(anchor);
}

describe.each(DOCUMENTS)('%s', (file) => {
  const text = textOf(file);

  it('has links whose targets exist', () => {
    const own = allIn(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^(https?:|mailto:|\/)/.test(link));
    expect(own.filter((link) => isDead(file, link))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = allIn(text, /`((?:src|test|prisma|k8s|worker|\.github|\.ci)\/[\w./-]*\w\/?)`/g);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names only commands that exist', () => {
    const names = allIn(text, /npm run ([a-z-]+(?::[a-z]+)*)/g);
    expect(names.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });
});

const contract = textOf('src/contract.md');
const headings = allIn(contract, /^#{2,3} (\d+(?:\.\d+)?)\.? .+$/gm);
const sections = new Set(headings);

/**
 * @param citation the text after the document's name: ` 5.1–5.7, 11`, ` 5: pings every 30 s; 17: 503`
 * @returns the sections that it names, with both ends of a range; a remark follows a colon
 */
function citedIn(citation: string): string[] {
  const named = citation.split(';').map((part) => part.replace(/:.*/, ''));
  return [...named.join(' ').matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => number);
}

/** @returns the line and text of each citation without a section, such as `12: [contract 99]` */
function deadCitations(text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/\[(contract|spec)(?=[ \]])([^\]]*)\]/g)]
      .filter(([, document, rest = '']) => {
        const cited = citedIn(rest);
        return document === 'spec' || cited.length === 0 || !cited.every((at) => sections.has(at));
      })
      .map(([citation]) => `${index + 1}: ${citation}`),
  );
}

describe('the contract', () => {
  it('has unique section numbers', () => {
    expect(sections.size).toBe(headings.length);
  });

  it('has a table of contents with a link to each section', () => {
    expect(allIn(contract, /\]\(#([^)]+)\)/g)).toEqual(anchorsOf(contract, /^## (.+)$/gm));
  });

  it('has the section of each citation', () => {
    const cited = /\.(ts|lua|js|css|html|md|sql|prisma|ya?ml)$/;
    const files = ['src', 'worker', 'test', 'prisma', 'k8s'].flatMap((folder) => filesIn(folder, cited));
    const dead = files.flatMap((file) => deadCitations(textOf(file)).map((place) => `${file}:${place}`));
    expect(dead.filter((place) => !place.startsWith('test/project/documents.test.ts'))).toEqual([]);
  });
});

it.each([
  ['[contract 5.1–5.7, 11]', 0],
  ['[contract 5: pings every 30 s; 17: 503]', 0],
  ['one of several: [contract 5.9, 16, 98]', 1],
  ['a document that is not in the repository: [spec 3]', 1],
])('a citation without a section is found: %s', (line, dead) => {
  expect(deadCitations(line)).toHaveLength(dead);
});
