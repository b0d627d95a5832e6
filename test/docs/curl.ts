// The part of curl that the printed samples use, since Debian's base has no curl. It throws at a flag that it does not know.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Does one call. @param folder the folder of the cookie jars */
export async function curl(args: string[], folder: string): Promise<{ status: number; text: string }> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      silent: { type: 'boolean', short: 's' },
      'no-buffer': { type: 'boolean', short: 'N' },
      request: { type: 'string', short: 'X' },
      header: { type: 'string', short: 'H', multiple: true, default: [] },
      data: { type: 'string', short: 'd' },
      cookie: { type: 'string', short: 'b' },
      'cookie-jar': { type: 'string', short: 'c' },
    },
  });
  const { data, request: method = data === undefined ? 'GET' : 'POST', cookie, 'cookie-jar': written } = values;
  const jar = readJar(cookie && join(folder, cookie));
  const headers = new Headers(values.header.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  if (jar.size > 0) headers.set('cookie', cookieOf(jar));
  const init = { method, headers, redirect: 'manual', ...(data !== undefined && { body: data }) } as const;
  const response = await fetch(positionals[0] ?? '', init);
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
  if (written) writeFileSync(join(folder, written), JSON.stringify([...jar]));
  // A stream ends when its reader goes away.
  if (values['no-buffer']) await response.body?.cancel();
  return { status: response.status, text: values['no-buffer'] ? '' : await response.text() };
}

type Jar = Map<string, string>;

const readJar = (file?: string): Jar => new Map(file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
const cookieOf = (jar: Jar): string => [...jar].map((pair) => pair.join('=')).join('; ');

/** @returns the cookies in a jar, as a Cookie header */
export const cookiesIn = (file: string): string => cookieOf(readJar(file));

/** Puts a program `curl` into a folder, for a shell that finds it there. It fails at a refusal, as curl does with `--fail`. */
export function installCurl(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const call = `import('${import.meta.url}').then(({ curl }) => curl(process.argv.slice(1), '.')).then(({ status, text }) => { console.log(text); process.exitCode = status < 400 ? 0 : 22; })`;
  const program = join(folder, 'curl');
  writeFileSync(program, `#!/bin/sh\nexec '${resolve(process.execPath)}' -e "${call}" -- "$@"\n`);
  chmodSync(program, 0o755);
}

/** @returns the words of one command of a shell, with its variables */
export function wordsOf(command: string, variables: Record<string, string>): string[] {
  const words: string[] = [];
  for (const [word] of command.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g))
    words.push(
      word.replace(
        /'([^']*)'|"([^"]*)"|\$\w+/g,
        (part, single?: string, double?: string) =>
          single ?? (double ?? part).replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? ''),
      ),
    );
  return words;
}
