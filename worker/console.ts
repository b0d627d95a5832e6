// Opens the operator's console, which a worker serves and a replica does not, so that replicas stay small.
import type { CommonServices } from '../src/common-services.ts';
import { type Console, createConsole } from '../src/console/console.ts';
import { allQueues } from './queues.ts';

/** @returns undefined without CONSOLE_TOKEN */
export function startConsole(services: CommonServices): Console | undefined {
  const { consoleToken, clockQueues } = services.config;
  if (!consoleToken) return undefined;
  return createConsole(consoleToken, { ...services, queuePlaces: allQueues(clockQueues) });
}
