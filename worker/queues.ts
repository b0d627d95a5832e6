// The places of all queues of the service.
import { MAIL_QUEUE, MAIL_WISH_QUEUE } from '../src/auth/mail/mail-queue.ts';
import { clockPlaces } from '../src/match/clock/clock.ts';
import { type QueuePlace, sharedPlace } from '../src/platform/queues/queue.ts';

export const CHORES_QUEUE = sharedPlace('chores');

/** @param clockQueues the number of queues that share the games' clocks */
export function allQueues(clockQueues: number): QueuePlace[] {
  return [...clockPlaces(clockQueues), MAIL_WISH_QUEUE, MAIL_QUEUE, CHORES_QUEUE];
}
