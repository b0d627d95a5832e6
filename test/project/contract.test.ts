// The source cites src/contract.md as [contract 5.9]. Each citation names a section that exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const contract = readFileSync(join(ROOT, 'src/contract.md'), 'utf8');
const headings = [...contract.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? (.+)$/gm)];
const sections = new Set(headings.map(([, number]) => number));

const files = ['src', 'worker', 'test', 'prisma', 'k8s'].flatMap(filesIn);

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|lua|js|css|html|md|sql|prisma|ya?ml)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !/generated|node_modules|(^|\/)dist\//.test(file));
}

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
    const linked = [...contract.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    const anchors = [...contract.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(linked).toEqual(anchors);
  });

  it('has the section of each citation', () => {
    const dead = files.flatMap((file) =>
      deadCitations(readFileSync(join(ROOT, file), 'utf8')).map((place) => `${file}:${place}`),
    );
    expect(dead.filter((place) => !place.startsWith('test/project/contract.test.ts'))).toEqual([]);
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
