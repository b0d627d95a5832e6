// A gated process runs a use case one command at a time, when the test says so. Several of them interleave in
// any order, and each can crash or lose a reply between any two commands. The stores are real; the test only
// chooses the next process.
import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadAppendingScript } from '../../../src/lobby/event-log.ts';
import type { Database, PostgresPool } from '../../../src/platform/postgres/postgres.ts';
import type { RedisClient } from '../../../src/platform/redis/redis.ts';
import { loadScript } from '../../../src/platform/redis/scripts.ts';

/**
 * What happens to a command. `none`: it succeeds. `refused` and `unanswered`: the store becomes unavailable
 * before or after its effect, which the process sees as an outage. `resent`: its reply is lost, so that the
 * connection sends it again. `died before` and `died after`: the process crashes before or after its effect.
 */
export type CommandFault = 'none' | 'refused' | 'unanswered' | 'resent' | 'died before' | 'died after';

export type Gate = <T>(name: string, run: () => Promise<T>) => Promise<T>;

export type Process = Awaited<ReturnType<typeof startProcess>>;

interface Command {
  name: string;
  run(): Promise<unknown>;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** Waits until a process has requested its next command. Results are stored in batches, which begin a turn later. */
async function settled(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Starts `body` and runs it up to its first command. It must await nothing but commands. */
export async function startProcess(body: (gate: Gate) => Promise<unknown>) {
  const waiting: Command[] = [];
  let outcome: { value: unknown } | { error: unknown } | null = null;
  let isDisturbed = false;
  let isDead = false;

  const gate: Gate = (name, run) =>
    new Promise((resolve, reject) => {
      waiting.push({ name, run, resolve: resolve as Command['resolve'], reject });
    });
  body(gate).then(
    (value) => {
      outcome = { value };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  await settled();

  /** Runs the next command. @returns its reply, if it took effect and was not refused */
  async function step(fault: CommandFault): Promise<{ reply?: unknown }> {
    const command = waiting[0] as Command;
    isDisturbed ||= fault !== 'none' && fault !== 'resent';
    isDead ||= fault.startsWith('died');
    const hasEffect = fault !== 'refused' && fault !== 'died before';
    const [result] = hasEffect ? await Promise.allSettled([command.run()]) : [];
    if (!isDead && fault !== 'resent') {
      waiting.shift();
      if (fault !== 'none') command.reject(new Error('Command timed out'));
      else if (result?.status === 'rejected') command.reject(result.reason);
      else command.resolve(result?.value);
      await settled();
    }
    return result?.status === 'fulfilled' ? { reply: result.value } : {};
  }

  return {
    /** @returns the next command, or null if the process has ended or crashed */
    next: () => (isDead ? null : (waiting[0]?.name ?? null)),
    step,
    /** @returns whether the process has met a fault that it could notice */
    isDisturbed: () => isDisturbed,
    /** @returns the result of `body`, or null while it runs and after a crash */
    outcome: () => (isDead ? null : outcome),
  };
}

/** @returns a pool whose statements all wait at the gate; they are named by their verbs */
export function gatedPostgres(postgres: PostgresPool, gate: Gate): Pick<PostgresPool, 'query'> {
  const query = (statement: { name: string; text: string; values: unknown[] }) =>
    gate(`sql ${statement.text.trim().split(' ', 1)}`, () => postgres.query(statement));
  return { query: query as PostgresPool['query'] };
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** @returns a connection whose commands all wait at the gate; scripts are named by their files */
export function gatedRedis(redis: RedisClient, gate: Gate): RedisClient {
  return new Proxy(redis, {
    get(target, name) {
      const member = Reflect.get(target, name) as Method;
      return (...args: unknown[]) => {
        const script = SCRIPT_NAMES.get(args[0] as string) ?? '';
        return gate(`redis ${String(name)} ${script}`.trim(), () => member.apply(target, args));
      };
    },
  });
}

const lua = (name: string) => new URL(`../../../src/match/lua/${name}.lua`, import.meta.url);
/** The files whose functions the named scripts use. */
const SHARED = [[], [lua('snapshot')], [lua('present-players')], [lua('snapshot'), lua('present-players')]];

/** The names of scripts by hash and by source, since a script is called with either. */
const SCRIPT_NAMES = new Map(['lobby', 'match'].flatMap((feature) => namesOf(feature)));

function namesOf(feature: string): [string, string][] {
  const folder = new URL(`../../../src/${feature}/lua/`, import.meta.url);
  return readdirSync(folder).flatMap((file) => {
    const url = new URL(file, folder);
    const scripts = [...SHARED.map((before) => loadScript(...before, url)), loadAppendingScript(url)];
    const texts = scripts.flatMap(({ sha, source }) => [sha, source]);
    return texts.map((text): [string, string] => [text, file.replace('.lua', '')]);
  });
}

/** A query that is sent only when it is awaited, alone or in a transaction, like Prisma's own. */
interface Query {
  send(): Promise<unknown>;
}

/** @returns a client whose queries and transactions all wait at the gate */
export function gatedDatabase(db: Database, gate: Gate): Database {
  function gated(target: object, method: string | symbol, name: string): (...args: unknown[]) => Query {
    const member = Reflect.get(target, method) as Method;
    return (...args) => {
      const send = () => member.apply(target, args);
      const then = (ok: () => void, failed: () => void) => gate(name, send).then(ok, failed);
      return { send, then };
    };
  }
  const gatedModel = (model: object, modelName: string) =>
    new Proxy(model, { get: (target, method) => gated(target, method, `sql ${modelName}.${String(method)}`) });

  return new Proxy(db, {
    get(target, name) {
      if (name === '$transaction') {
        return (queries: Query[]) =>
          gate('sql transaction', () => target.$transaction(queries.map((query) => query.send()) as never));
      }
      if (String(name).startsWith('$')) return gated(target, name, `sql ${String(name)}`);
      return gatedModel(Reflect.get(target, name) as object, String(name));
    },
  });
}
