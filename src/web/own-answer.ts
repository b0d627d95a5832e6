// The user's answer to the open question, locked in over a reload and in all windows of this browser:
// the service takes the first one and says nothing more of it until the round is over.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { load, onSavedElsewhere, save } from './storage.ts';

interface OwnAnswer {
  questionId: string;
  optionId: number;
}

const KEY = 'own-answer';

/** @returns the answer to this question, or null; and what locks one in */
export function useOwnAnswer(
  questionId: string | null,
): [optionId: number | null, keep: (optionId: number) => void] {
  const [answer, setAnswer] = useState(() => load<OwnAnswer>('device', KEY));
  useEffect(() => onSavedElsewhere(KEY, () => setAnswer(load<OwnAnswer>('device', KEY))), []);
  const keep = useCallback(
    (optionId: number) => {
      if (questionId === null) return;
      save('device', KEY, { questionId, optionId });
      setAnswer({ questionId, optionId });
    },
    [questionId],
  );
  return [answer?.questionId === questionId ? answer.optionId : null, keep];
}
