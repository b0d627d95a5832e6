// Stores the cookies of a program that is no browser. In a browser the jar stays empty, since a script can't
// read Set-Cookie headers there. [contract 15]

export interface CookieJar {
  /** @returns the `cookie` header to send, or undefined while there are no cookies */
  header(): string | undefined;
  /** @param lines the `Set-Cookie` headers of a reply */
  keep(lines: readonly string[]): void;
}

/** @param cookie the first cookies, as a `cookie` header: `name=value; other=value` */
export function createCookieJar(cookie = ''): CookieJar {
  const values = new Map<string, string>();
  const set = (pair: string) => {
    const at = pair.indexOf('=');
    if (at > 0) values.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  };
  for (const pair of cookie.split(';')) set(pair);
  return {
    header: () => [...values].map((pair) => pair.join('=')).join('; ') || undefined,
    keep(lines) {
      for (const line of lines) {
        const [pair = '', ...attributes] = line.split(';');
        set(pair);
        if (attributes.some(isExpired)) values.delete(pair.slice(0, pair.indexOf('=')).trim());
      }
    },
  };
}

/** @returns whether this attribute says that the cookie is expired */
function isExpired(attribute: string): boolean {
  const [name, value = ''] = attribute.trim().split('=');
  switch (name?.toLowerCase()) {
    case 'max-age':
      return Number(value) <= 0;
    case 'expires':
      return Date.parse(value) <= Date.now();
    default:
      return false;
  }
}
