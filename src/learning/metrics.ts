// What an operator wants to know of the memory.
import { counter, gauge } from '../platform/metrics.ts';

/** By the one worker that writes; the others say nothing. */
export const learningMetrics = {
  reviews: counter('quiz_reviews_total', 'Judged answers that were written into the memory.'),
  waiting: gauge(
    'quiz_reviews_waiting',
    'Entries of the queues of judged answers that were found and are not written yet.',
  ),
  lag: gauge(
    'quiz_reviews_lag_seconds',
    'How long ago the oldest answer was judged that is not written yet.',
  ),
  unreadable: counter(
    'quiz_reviews_unreadable_total',
    'Entries of the queue of judged answers of which no sense could be made.',
  ),
};
