// Parses REDIS_URL, which names a single server, the nodes of a cluster, or the Sentinels that know the primary.

/** The form is explained at `sentinelAddress`. URL.parse does not accept several hosts. */
const SENTINEL_URL = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^/]+)\/([^/?#]+)(?:\?sentinelPassword=([^&#]+))?$/;
const SENTINEL_PORT = 26_379;

/** @returns whether `url` has the scheme for Sentinels, valid or not */
export function isSentinelUrl(url: string): boolean {
  return /^rediss?\+sentinel:/.test(url);
}

/** @returns whether `url` is valid: Sentinels, one server, or several nodes separated by commas */
export function isRedisUrl(url: string): boolean {
  if (isSentinelUrl(url)) return SENTINEL_URL.test(url);
  const nodes = url.split(',').map((node) => node.trim());
  return nodes.every((node) => /^rediss?:\/\//.test(node) && URL.canParse(node));
}

/**
 * Reads `redis+sentinel://user:password@host1:26379,host2:26379/primary-name?sentinelPassword=…`; the
 * user and the first password are those of the Redis servers. `rediss` means TLS to all of them.
 * @throws Error when the name of the primary is missing
 */
export function sentinelAddress(url: string) {
  const [, scheme, credentials, hosts = '', name, password] = SENTINEL_URL.exec(url) ?? [];
  if (!name) throw new Error('a Sentinel address ends with the name of the primary');
  const sentinels = hosts.split(',').map((item) => {
    const [host = '', port] = item.trim().split(':');
    return { host, port: Number(port || SENTINEL_PORT) };
  });
  return {
    sentinels,
    name: decodeURIComponent(name),
    ...credentialsOf(credentials),
    ...(password ? { sentinelPassword: decodeURIComponent(password) } : {}),
    ...(scheme === 'rediss' ? { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  };
}

/** @returns the credentials and TLS settings of the listed nodes, for the nodes that ioredis discovers later */
export function clusterAddress(nodes: string[]) {
  const { protocol, username, password } = new URL(nodes[0] as string);
  return { ...credentialsOf(`${username}:${password}`), ...(protocol === 'rediss:' ? { tls: {} } : {}) };
}

function credentialsOf(text = '') {
  const [username = '', password = ''] = text.split(':').map(decodeURIComponent);
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}
