// Builds the environment of each process of the stack from the user's own.
import type { StackPorts } from './choose-ports.ts';
import type { Settings } from './settings.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const WILDCARDS = ['0.0.0.0', '::'];

/** The addresses and the secret that all processes share. */
export interface SharedValues {
  databaseUrl: string;
  redisUrl: string;
  secret: string;
  /** The address of each replica on this machine. */
  apiUrls: string[];
  /** The addresses of each replica for other devices in the network. */
  networkUrls: string[];
}

/** @returns the address at which a browser on this machine reaches `port` */
export function urlFor(host: string, port: number): string {
  const local = LOOPBACK.includes(host) || WILDCARDS.includes(host);
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${local ? 'localhost' : name}:${port}`;
}

/** @returns the numeric address at which this process reaches `port`, since `localhost` may resolve to ::1 */
export function probeUrl(host: string, port: number): string {
  if (host === '::' || host === '::1') return `http://[::1]:${port}`;
  return LOOPBACK.includes(host) || WILDCARDS.includes(host) ? `http://127.0.0.1:${port}` : urlFor(host, port);
}

/** @returns the environment of every process of the stack, the vocabulary loader included */
export function sharedEnv(settings: Settings, shared: SharedValues): NodeJS.ProcessEnv {
  const { env } = settings;
  const publicUrl = env.BETTER_AUTH_URL ?? (shared.apiUrls[0] as string);
  // A page of one replica may call the others, since behind a load balancer they would share one origin.
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

/** @param index counts the replicas from 0; the index after the last replica is the worker */
export function processEnv(env: NodeJS.ProcessEnv, { api, metrics }: StackPorts, index: number): NodeJS.ProcessEnv {
  // The worker listens for metrics alone; port 0 keeps it from taking one of the API's by mistake.
  return { ...env, PORT: String(api[index] ?? 0), METRICS_PORT: String(metrics[index]) };
}

function numeric(url: string): string {
  return url.replace('//localhost:', '//127.0.0.1:');
}
