// The metrics of learning. Each worker counts the reviews that it has written itself.
import { counter, gauge } from '../platform/observability/metrics.ts';

export const learningMetrics = {
  reviews: counter('quiz_reviews_total', 'Judged answers that were written into the memory.'),
  lag: gauge(
    'quiz_reviews_lag_seconds',
    'How long ago the oldest game ended, or the oldest quiz was answered, that is not learned yet.',
  ),
  unreadable: counter(
    'quiz_reviews_unreadable_total',
    'Rounds of games, and answers of quizzes, that could not be read and are passed over.',
  ),
};
