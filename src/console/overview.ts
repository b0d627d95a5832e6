// The first page of the console: the stores, the processes with their versions, and the queues.
import type { Queue } from 'bullmq';
import { withTimeout } from '../platform/overload/timeout.ts';
import { type ListedProcess, listProcesses } from '../platform/redis/processes.ts';
import type { ConsoleDeps } from './deps.ts';
import { type Html, html, span, table } from './html.ts';
import { QUEUES_PATH } from './queues.ts';

/** A process sends a command every two seconds; one that is silent for longer than this, in seconds, is frozen. */
const SILENT_MAX_S = 10;

/** BullMQ waits for a Redis that this process has not reached yet; a part that takes longer than this is left out, ms. */
const READ_TIMEOUT_MS = 2000;

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

const STORES = { postgres: 'PostgreSQL', redis: 'Redis' };

/** @returns the content; a part that can't be read says so, and the others are shown */
export async function overview(deps: ConsoleDeps, queues: readonly Queue[]): Promise<Html> {
  const [states, processes, counts] = await Promise.all([
    deps.storeChecks.look(),
    orUnread(async () => processesOf(await listProcesses(deps.redis))),
    orUnread(() => queuesOf(queues)),
  ]);
  const stores = Object.entries(STORES).map(([name, label]) => {
    const state = states[name as keyof typeof STORES];
    return [label, state === 'ok' ? state : html`<span class="bad">${state}</span>`];
  });
  return html`
<h2>Stores, as ${deps.processName} sees them</h2>
${table(['store', 'state'], stores)}
<h2>Processes</h2>
${processes}
<h2>Queues</h2>
${counts}
<p><a href="${QUEUES_PATH}/">Their jobs</a></p>`;
}

async function orUnread(read: () => Promise<Html>): Promise<Html> {
  try {
    return await withTimeout(read(), READ_TIMEOUT_MS);
  } catch {
    return html`<p class="bad">can’t be read</p>`;
  }
}

function processesOf(processes: readonly ListedProcess[]): Html {
  const versions = new Set(processes.map(({ version }) => version));
  const rows = processes.map((each) => [
    each.program,
    each.name,
    each.version,
    span(each.connectedSeconds),
    each.silentSeconds <= SILENT_MAX_S ? '' : html`<span class="bad">silent for ${span(each.silentSeconds)}</span>`,
  ]);
  return html`${table(['program', 'host/pid', 'version', 'connected for', ''], rows)}
${versions.size > 1 ? html`<p class="bad">More than one version runs: an update is under way, or was left halfway.</p>` : ''}`;
}

async function queuesOf(queues: readonly Queue[]): Promise<Html> {
  const counts = await Promise.all(queues.map((queue) => queue.getJobCounts(...STATES)));
  const groups = Map.groupBy(queues.keys(), (index) => (queues[index] as Queue).name);
  const rows = [...groups].map(([name, indexes]) => [
    name,
    ...STATES.map((state) => indexes.reduce((sum, index) => sum + (counts[index]?.[state] ?? 0), 0)),
  ]);
  return table(['queue', ...STATES], rows);
}
