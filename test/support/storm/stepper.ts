// Processes that go on one command at a time, when the test says so: several of them interleave in
// any order, and each may die, or lose a reply, between any two commands. The stores are the real
// ones; only who is next is the test's choice.
import { readdirSync } from 'node:fs';
import { setImmediate as settled } from 'node:timers/promises';
import { APPEND_EVENT } from '../../../src/lobby/event-log.ts';
import type { Database } from '../../../src/platform/postgres.ts';
import type { RedisClient } from '../../../src/platform/redis.ts';
import { loadScript } from '../../../src/platform/scripts.ts';

/**
 * What becomes of a command: it is `done`; it is `refused` or `unanswered` by a store that goes away
 * before or after it took effect, which the process is told as an outage; it is done and its reply
 * lost, so that the connection sends it again (`resent`); or the process dies `before` or `after` it.
 */
export type Fate = 'done' | 'refused' | 'unanswered' | 'resent' | 'died before' | 'died after';

/** Lets a command through when its turn has come. */
export type Gate = <T>(name: string, run: () => Promise<T>) => Promise<T>;

export interface Process {
  /** The command that comes next, or null when the process has ended or died. */
  next(): string | null;
  /** Carries out the next command. @returns its reply, if it took effect and was not refused */
  step(fate: Fate): Promise<{ reply?: unknown }>;
  /** Whether it has met with anything that it could notice. */
  isDisturbed(): boolean;
  /** What `body` came to, or null while it goes on, and for ever if it died. */
  outcome(): { value: unknown } | { error: unknown } | null;
}

interface Command {
  name: string;
  run(): Promise<unknown>;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** Starts `body`, up to its first command. It must wait for nothing but commands. */
export async function startProcess(body: (gate: Gate) => Promise<unknown>): Promise<Process> {
  const waiting: Command[] = [];
  let outcome: ReturnType<Process['outcome']> = null;
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

  async function step(fate: Fate): Promise<{ reply?: unknown }> {
    const command = waiting[0] as Command;
    isDisturbed ||= fate !== 'done' && fate !== 'resent';
    isDead ||= fate.startsWith('died');
    const hasEffect = fate !== 'refused' && fate !== 'died before';
    const [result] = hasEffect ? await Promise.allSettled([command.run()]) : [];
    if (!isDead && fate !== 'resent') {
      waiting.shift();
      if (fate !== 'done') command.reject(new Error('Command timed out'));
      else if (result?.status === 'rejected') command.reject(result.reason);
      else command.resolve(result?.value);
      await settled();
    }
    return result?.status === 'fulfilled' ? { reply: result.value } : {};
  }

  return {
    next: () => (isDead ? null : (waiting[0]?.name ?? null)),
    step,
    isDisturbed: () => isDisturbed,
    outcome: () => (isDead ? null : outcome),
  };
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** @returns a connection of which every command waits at the gate; scripts go by their names */
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

const SNAPSHOT = new URL('../../../src/match/lua/snapshot.lua', import.meta.url);

/** By hash, and by source: what a script is called with. */
const SCRIPT_NAMES = new Map(['lobby', 'match'].flatMap((feature) => namesOf(feature)));

function namesOf(feature: string): [string, string][] {
  const folder = new URL(`../../../src/${feature}/lua/`, import.meta.url);
  return readdirSync(folder).flatMap((file) => {
    const url = new URL(file, folder);
    return [[], [APPEND_EVENT], [SNAPSHOT]].flatMap((before): [string, string][] => {
      const { sha, source } = loadScript(...before, url);
      const name = file.replace('.lua', '');
      return [
        [sha, name],
        [source, name],
      ];
    });
  });
}

/** A query that is not sent before it is awaited, alone or in a transaction, as Prisma's own. */
interface Query {
  send(): Promise<unknown>;
}

/** @returns a client of which every query and every transaction waits at the gate */
export function gatedDatabase(db: Database, gate: Gate): Database {
  function gated(
    target: object,
    method: string | symbol,
    name: string,
  ): (...args: unknown[]) => Query {
    const member = Reflect.get(target, method) as Method;
    return (...args) => {
      const send = () => member.apply(target, args);
      const then = (ok: () => void, failed: () => void) => gate(name, send).then(ok, failed);
      return { send, then };
    };
  }
  const gatedModel = (model: object, modelName: string) =>
    new Proxy(model, {
      get: (target, method) => gated(target, method, `sql ${modelName}.${String(method)}`),
    });

  return new Proxy(db, {
    get(target, name) {
      if (name === '$transaction') {
        return (queries: Query[]) =>
          gate('sql transaction', () =>
            target.$transaction(queries.map((query) => query.send()) as never),
          );
      }
      if (String(name).startsWith('$')) return gated(target, name, `sql ${String(name)}`);
      return gatedModel(Reflect.get(target, name) as object, String(name));
    },
  });
}
