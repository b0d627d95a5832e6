// The files, commands and anchors that documents name exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = ['.github', 'k8s', 'prisma', 'src', 'test'].flatMap(documentsIn);
DOCUMENTS.push('README.md', 'SECURITY.md');

function documentsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file));
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** @returns the anchors that GitHub generates for a document's headings */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
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
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => !/^(https?:|mailto:|\/)/.test(link));
    expect(own.filter((link) => isDead(file, link))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = [...text.matchAll(/`((?:src|test|prisma|k8s|worker|\.github|\.ci)\/[\w./-]*\w\/?)`/g)];
    const dead = paths.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)));
    expect(dead).toEqual([]);
  });

  it('names only commands that exist', () => {
    const names = [...text.matchAll(/npm run ([a-z-]+(?::[a-z]+)*)/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });
});
