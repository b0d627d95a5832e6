// The metrics of running games.
import { counter, histogram } from '../platform/observability/metrics.ts';

export const matchMetrics = {
  gamesStarted: counter('quiz_games_started_total', 'Games started.'),
  gamesFinished: counter('quiz_games_finished_total', 'Games whose result was stored.'),
  roundsResolved: counter('quiz_rounds_resolved_total', 'Rounds resolved, by reason.', ['reason']),
  roundLateness: histogram(
    'quiz_round_lateness_seconds',
    'How long after its deadline a round that timed out was resolved.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  ),
  answers: counter('quiz_answers_total', 'Multiplayer answers, by outcome.', ['outcome']),
};
