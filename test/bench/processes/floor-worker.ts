// The least that a distributed timer needs: bare BullMQ jobs that record their lateness.
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { answers } from './asked.ts';

const late: number[] = [];
const connection = new Redis(process.env.REDIS_URL as string, { maxRetriesPerRequest: null });
const worker = new Worker<{ dueMs: number | null }>(
  'floor',
  async ({ data }) => {
    if (data.dueMs !== null) late.push(Date.now() - data.dueMs);
  },
  { connection, concurrency: Number(process.argv[2]), removeOnComplete: { count: 0 } },
);
answers.set('late', () => late);
await worker.waitUntilReady();
