// The form that creates a lobby. It offers only as many rounds as the words have questions.
import { useState } from 'preact/hooks';
import type { ScoringName } from '../../scoring/registry.ts';
import { client } from '../api.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import type { ChosenWords } from '../words/deck-choice.ts';
import {
  CAPACITIES,
  CAPACITY,
  FIRST_INTERMISSION_MS,
  FIRST_SCORINGS,
  ROUND_COUNTS,
  ROUNDS,
} from './lobby-choices.ts';
import { ScoringChoice } from './scoring-choice.tsx';

export function CreateLobbyForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const [rounds, setRounds] = useState<number>(ROUNDS.default);
  const [capacity, setCapacity] = useState<number>(CAPACITY.default);
  const [scoring, setScoring] = useState<ScoringName>('accuracy');
  const sending = useSubmit(async () => {
    const settings = { ...words.selection, rounds, scoring, intermissionMs: FIRST_INTERMISSION_MS };
    const { code } = await client.createLobby({ capacity, settings });
    navigate(`/lobby/${code}`);
  });
  const summary = `${t.rounds}: ${rounds} · ${t.scorings[scoring]} · ${t.players}: ${capacity}`;
  return (
    <form onSubmit={sending.submit}>
      <Collapsible summary={summary}>
        <RadioGroup
          label={t.rounds}
          isNumeric
          options={numberOptions(ROUND_COUNTS.filter((count) => count <= words.questions))}
          value={rounds}
          onValue={setRounds}
        />
        <ScoringChoice offered={FIRST_SCORINGS} value={scoring} onValue={setScoring} />
        <RadioGroup
          label={t.players}
          isNumeric
          options={numberOptions(CAPACITIES)}
          value={capacity}
          onValue={setCapacity}
        />
      </Collapsible>
      <SubmitButton sending={sending}>{t.createLobby}</SubmitButton>
    </form>
  );
}
