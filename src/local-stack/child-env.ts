// The environment of each process of the stack: the user's own, completed.
import type { StackPorts } from './choose-ports.ts';
import type { Settings } from './settings.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const WILDCARDS = ['0.0.0.0', '::'];

/** The addresses and the secret that all processes share. */
export interface Shared {
  databaseUrl: string;
  redisUrl: string;
  secret: string;
  /** One a replica. */
  apiUrls: string[];
  /** The same for other devices in the network, one a replica and address. */
  networkUrls: string[];
}

/** @returns the address under which a browser on this machine reaches `port`. */
export function urlFor(host: string, port: number): string {
  const local = LOOPBACK.includes(host) || WILDCARDS.includes(host);
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${local ? 'localhost' : name}:${port}`;
}

/** @returns the address at which this process reaches `port`, whatever "localhost" means here. */
export function probeUrl(host: string, port: number): string {
  if (host === '::' || host === '::1') return `http://[::1]:${port}`;
  return LOOPBACK.includes(host) || WILDCARDS.includes(host)
    ? `http://127.0.0.1:${port}`
    : urlFor(host, port);
}

/** @returns what every process of the stack gets, the vocabulary loader too. */
export function sharedEnv(settings: Settings, shared: Shared): NodeJS.ProcessEnv {
  const { env } = settings;
  const publicUrl = env.BETTER_AUTH_URL ?? (shared.apiUrls[0] as string);
  // A page of any replica may use any other, as behind a load balancer they are one.
  const { apiUrls, networkUrls } = shared;
  const origins = [publicUrl, ...apiUrls, ...apiUrls.map(numeric), ...networkUrls];
  return {
    GUESTS: 'true',
    ...env,
    DATABASE_URL: shared.databaseUrl,
    REDIS_URL: shared.redisUrl,
    DATA_DIR: settings.dataDir,
    HOST: settings.host,
    BETTER_AUTH_SECRET: shared.secret,
    BETTER_AUTH_URL: publicUrl,
    CORS_ORIGIN: env.CORS_ORIGIN ?? [...new Set(origins)].join(','),
  };
}

/** @returns what replica `index` gets, counted from 0; the one behind the last is the worker. */
export function processEnv(
  env: NodeJS.ProcessEnv,
  { api, metrics }: StackPorts,
  index: number,
): NodeJS.ProcessEnv {
  // The worker listens for metrics alone, and gets no port of the API's by mistake.
  return { ...env, PORT: String(api[index] ?? 0), METRICS_PORT: String(metrics[index]) };
}

function numeric(url: string): string {
  return url.replace('//localhost:', '//127.0.0.1:');
}
