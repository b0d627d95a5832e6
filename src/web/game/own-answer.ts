// The user's answer to the open question, shared by all windows of this browser and stored for a reload. The
// service accepts the first answer and sends nothing about it; the client library repeats it until it knows that
// the service has it.
import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { LobbyConnection } from '../../client/lobby-connection.ts';
import { load, onSavedInOtherTab, save } from '../ui/storage.ts';

interface OwnAnswer {
  questionId: string;
  optionId: number;
}

const KEY = 'own-answer';

/**
 * @param live the current connection
 * @param questionId the open question; null if there is none
 * @param isSending whether the connection is live and this screen may answer
 * @returns the option that the user has chosen, and a function that chooses one; the last question for which one was
 * chosen. The ref has the open question if it was answered in this window
 */
export function useOwnAnswer(
  live: RefObject<LobbyConnection | null>,
  questionId: string | null,
  isSending: boolean,
) {
  const [stored, setStored] = useState(() => load<OwnAnswer>('device', KEY));
  const answered = useRef<string | null>(null);
  const ownAnswer = stored?.questionId === questionId ? stored.optionId : null;
  useEffect(() => onSavedInOtherTab(KEY, () => setStored(load<OwnAnswer>('device', KEY))), []);
  useEffect(() => {
    answered.current = null;
  }, [questionId]);
  // An answer from before a reload or from another window may have been lost.
  useEffect(() => {
    if (!isSending || questionId === null || ownAnswer === null) return;
    if (answered.current !== questionId) live.current?.answer(questionId, ownAnswer);
  }, [isSending, questionId, ownAnswer]);
  const answer = useCallback(
    (optionId: number) => {
      if (questionId === null || ownAnswer !== null) return;
      answered.current = questionId;
      save('device', KEY, { questionId, optionId });
      setStored({ questionId, optionId });
      live.current?.answer(questionId, optionId);
    },
    [questionId, ownAnswer],
  );
  return { ownAnswer, answer, answered, chosenFor: stored?.questionId ?? null };
}
