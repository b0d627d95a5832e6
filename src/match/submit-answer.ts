// A player answers the open question. [contract 5.4, 23]
import { AppError } from '../errors.ts';
import { isAskedBy, judgeText } from '../vocabulary/judge-text.ts';
import { wordsName } from '../vocabulary/rules.ts';
import { wrongMode } from '../vocabulary/schema.ts';
import { tryToEndPhase } from './end-phase.ts';
import { matchMetrics } from './metrics.ts';
import { type AnswerRequest, type MatchServices, storeAnswer } from './store.ts';

/**
 * Stores an answer, and ends the round if it was the last awaited one. One that equals the stored answer changes
 * nothing. The answer counts even where ending the round fails.
 * @throws AppError NOT_IN_GAME, ROUND_CLOSED, VALIDATION_FAILED for the answer of another mode, ALREADY_ANSWERED
 */
export async function submitAnswer(deps: MatchServices, lobbyId: string, request: AnswerRequest): Promise<void> {
  const { outcome, match } = await judgeAndStore(deps, lobbyId, request);
  matchMetrics.answers.inc({ outcome: outcome.toLowerCase() });
  if (outcome === 'stored') return;
  if (outcome === 'complete' || outcome === 'OVERDUE') await tryToEndPhase(deps, lobbyId, match);
  if (outcome === 'complete') return;
  if (outcome === 'WRONG_KIND') throw wrongMode(request.given);
  throw new AppError(outcome === 'OVERDUE' ? 'ROUND_CLOSED' : outcome);
}

/**
 * Judges a text here, and not at the end of the round, where a room of a thousand would be judged at once. An answer
 * that would be refused isn't judged, since that costs more than the refusal. [contract 20]
 */
async function judgeAndStore(deps: MatchServices, lobbyId: string, request: AnswerRequest) {
  const reply = await storeAnswer(deps.redis, lobbyId, request);
  if (reply.outcome !== 'NOT_COMPARED') return reply;
  const { asked, settings } = reply;
  const question = {
    words: wordsName(settings),
    key: { language: settings.targetLanguage ?? '', accepted: asked.accepted },
    isAsked: isAskedBy(asked.question),
  };
  const { text } = request.given as { text: string };
  const given = { text, verdict: await judgeText(deps, question, text) };
  return judgeAndStore(deps, lobbyId, { ...request, given });
}
