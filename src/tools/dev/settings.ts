// The environment of `npm run dev`, which is checked before anything is started, and that of each process of the stack.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { PROJECT_ROOT } from './child.ts';

const MAX_REPLICAS = 32;
/** Valid values for the check of the configuration; the real ones are known when the stores run. */
const PLACEHOLDERS = {
  DATABASE_URL: 'postgresql://127.0.0.1/placeholder',
  REDIS_URL: 'redis://127.0.0.1',
  BETTER_AUTH_SECRET: 'placeholder-of-at-least-32-characters',
};

export interface Settings {
  /** The given variables without empty ones, which count as unset. A store that they name is the user's own. */
  env: NodeJS.ProcessEnv;
  /** An absolute path. */
  dataDir: string;
  host: string;
  /** The port of the first replica; the others have the following ports. 0 chooses free ones. */
  port: number;
  replicas: number;
  /** The metrics port of the first replica; the others and the worker have the following ones. 0 turns metrics off. */
  metricsPort: number;
}

/** Reads and checks the environment. @throws ConfigError with one line for each variable that can't be used */
export function readSettings(given: NodeJS.ProcessEnv): Settings {
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  if (env.NODE_ENV === 'production')
    throw new ConfigError([
      'NODE_ENV is "production": npm run dev is for development only. Use "npm start" and ' +
        '"npm run start:worker" with DATABASE_URL and REDIS_URL.',
    ]);
  const lines: string[] = [];
  const replicas = Number(env.API_REPLICAS ?? 1);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > MAX_REPLICAS)
    lines.push(`API_REPLICAS: must be a whole number from 1 to ${MAX_REPLICAS}`);
  if (env.REDIS_CLUSTER === 'true' && !env.REDIS_URL)
    lines.push('REDIS_CLUSTER: needs REDIS_URL, the embedded Redis is a single server');
  const config = configOf({ ...PLACEHOLDERS, ...env }, lines);
  if (config.port + replicas - 1 > 65_535) lines.push('PORT: the ports that follow exceed 65535');
  if (config.metricsPort + replicas > 65_535) lines.push('METRICS_PORT: the ports that follow exceed 65535');
  if (lines.length > 0) throw new ConfigError(lines);
  return {
    env,
    dataDir: resolve(env.DATA_DIR ?? join(PROJECT_ROOT, '.data')),
    host: config.host,
    port: config.port,
    replicas,
    metricsPort: config.metricsPort,
  };
}

/** Creates the folder if it is missing. @throws Error when it can't be created or written */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR: ${dataDir} can't be written (${code}). Choose another folder.`);
  }
}

/** Applies the check that the API makes at its start, before the stores are started for it. */
function configOf(env: NodeJS.ProcessEnv, lines: string[]): Config {
  try {
    return readConfig(env);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...lines, ...error.lines]) : error;
  }
}

const ALL_INTERFACES = ['0.0.0.0', '::'];
/** The addresses at which a browser on this machine reaches a replica by the name `localhost`. */
const LOCAL = ['127.0.0.1', 'localhost', '::1', ...ALL_INTERFACES];

/** The addresses and the secret that all processes share. */
interface SharedValues {
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
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${LOCAL.includes(host) ? 'localhost' : name}:${port}`;
}

/** @returns the environment of every process of the stack, the vocabulary loader included */
export function sharedEnv({ env, dataDir, host }: Settings, shared: SharedValues): NodeJS.ProcessEnv {
  const { databaseUrl, redisUrl, secret, apiUrls, networkUrls } = shared;
  const publicUrl = env.BETTER_AUTH_URL ?? (apiUrls[0] as string);
  // A page of one replica may call the others, since behind a load balancer they would share one origin.
  const numericUrls = apiUrls.map((url) => url.replace('//localhost:', '//127.0.0.1:'));
  const origins = new Set([publicUrl, ...apiUrls, ...numericUrls, ...networkUrls]);
  return {
    GUESTS: 'true',
    ...env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    HOST: host,
    BETTER_AUTH_SECRET: secret,
    BETTER_AUTH_URL: publicUrl,
    CORS_ORIGIN: env.CORS_ORIGIN ?? [...origins].join(','),
  };
}

/** Interfaces of containers, virtual machines and tunnels, which phones can't reach. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|utun|tun|tap)/;

/**
 * @param host the address that the replicas listen on
 * @returns this machine's IPv4 addresses; none unless the replicas listen on all interfaces
 */
export function networkAddresses(host: string): string[] {
  if (!ALL_INTERFACES.includes(host)) return [];
  return Object.entries(networkInterfaces())
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
