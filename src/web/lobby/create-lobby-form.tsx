// The form that creates a lobby. It offers only as many rounds as the words have questions.
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions } from '../ui/choice.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { NumberChoice } from '../ui/number-choice.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { AnswerModeChoice } from '../words/answer-mode.tsx';
import type { ChosenWords } from '../words/deck-choice.ts';
import { CAPACITIES, CAPACITY, FIRST_SCORINGS, roundsFor } from './lobby-choices.ts';
import { firstChoices, openRoom, rememberChoices } from './room-choices.ts';
import { RoundsChoice } from './rounds-choice.tsx';
import { ScoringChoice } from './scoring-choice.tsx';

export function CreateLobbyForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const [choices, setChoices] = useState(() => firstChoices('friends'));
  const { capacity, scoring, answerMode = 'choice' } = choices;
  const rounds = roundsFor(choices.rounds, words);
  const choose = (change: Partial<typeof choices>) => setChoices({ ...choices, ...change });
  const sending = useSubmit(() => {
    rememberChoices('friends', choices);
    return openRoom('friends', words);
  });
  const summary = `${t.rounds}: ${rounds} · ${t.scorings[scoring]} · ${t.players}: ${capacity}`;
  return (
    <form onSubmit={sending.submit}>
      <Collapsible summary={summary}>
        <RoundsChoice
          most={words.questions}
          isList={'listId' in words.selection}
          value={rounds}
          isShort
          onValue={(chosen) => choose({ rounds: chosen })}
        />
        <AnswerModeChoice value={answerMode} onValue={(chosen) => choose({ answerMode: chosen })} />
        <ScoringChoice offered={FIRST_SCORINGS} value={scoring} onValue={(chosen) => choose({ scoring: chosen })} />
        <NumberChoice
          label={t.players}
          options={numberOptions(CAPACITIES)}
          {...CAPACITY}
          value={capacity}
          isShort
          onValue={(chosen) => choose({ capacity: chosen })}
        />
      </Collapsible>
      <SubmitButton sending={sending}>{t.createLobby}</SubmitButton>
    </form>
  );
}
