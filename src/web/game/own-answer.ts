// The user's answers to the questions of a game, shared by all windows of this browser and stored for a reload. The
// service accepts the first answer and sends nothing about it; the client library repeats it until it knows that the
// service has it. What others have typed is sent to nobody until the game is over.
import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { LobbyConnection } from '../../client/lobby-connection.ts';
import { load, onSavedInOtherTab, save } from '../ui/storage.ts';
import type { GivenAnswer } from './answers.ts';

type OwnAnswer = GivenAnswer & { questionId: string };

const KEY = 'own-answers';

/** The number of answers that are stored: as many as a game has rounds at most. */
const KEPT = 50;

const loadAnswers = () => load<OwnAnswer[]>('device', KEY) ?? [];

/**
 * @param live the current connection
 * @param questionId the open question; null if there is none
 * @param isSending whether the connection is live and this screen may answer
 * @returns the user's answer to the open question, a function that answers it, and one that finds the answer to an
 * earlier question, or null. The ref has the open question if it was answered in this window
 */
export function useOwnAnswer(live: RefObject<LobbyConnection | null>, questionId: string | null, isSending: boolean) {
  const [stored, setStored] = useState(loadAnswers);
  const answered = useRef<string | null>(null);
  const answerTo = useCallback(
    (id: string): GivenAnswer | null => stored.find((one) => one.questionId === id) ?? null,
    [stored],
  );
  const ownAnswer = questionId === null ? null : answerTo(questionId);
  useEffect(() => onSavedInOtherTab(KEY, () => setStored(loadAnswers())), []);
  useEffect(() => {
    answered.current = null;
  }, [questionId]);
  // An answer from before a reload or from another window may have been lost.
  useEffect(() => {
    if (!isSending || questionId === null || ownAnswer === null) return;
    if (answered.current !== questionId) send(live.current, questionId, ownAnswer);
  }, [isSending, questionId, ownAnswer]);
  const answer = useCallback(
    (given: GivenAnswer) => {
      if (questionId === null || ownAnswer !== null) return;
      answered.current = questionId;
      const next = [...stored, { questionId, ...given }].slice(-KEPT);
      save('device', KEY, next);
      setStored(next);
      send(live.current, questionId, given);
    },
    [questionId, ownAnswer, stored],
  );
  return { ownAnswer, answer, answerTo, answered };
}

function send(live: LobbyConnection | null, questionId: string, given: GivenAnswer): void {
  if ('text' in given) live?.answerText(questionId, given.text);
  else live?.answer(questionId, given.optionId);
}
