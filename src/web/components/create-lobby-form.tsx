// Opens a lobby: the game's settings, as far as the words are good for them.
import { useState } from 'preact/hooks';
import type { ScoringName } from '../../scoring/registry.ts';
import { client } from '../api.ts';
import type { ChosenWords } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import {
  CAPACITIES,
  CAPACITY,
  FIRST_INTERMISSION_MS,
  FIRST_SCORINGS,
  ROUND_COUNTS,
  ROUNDS,
} from '../lobby-choices.ts';
import { navigate } from '../router.ts';
import { useSubmit } from '../use-submit.ts';
import { Choice, numberOptions } from './choice.tsx';
import { Fold } from './fold.tsx';
import { ScoringChoice } from './scoring-choice.tsx';
import { SubmitButton } from './submit-button.tsx';

export function CreateLobbyForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const [rounds, setRounds] = useState<number>(ROUNDS.default);
  const [capacity, setCapacity] = useState<number>(CAPACITY.default);
  const [scoring, setScoring] = useState<ScoringName>('accuracy');
  const sending = useSubmit(async () => {
    const settings = { ...words.asked, rounds, scoring, intermissionMs: FIRST_INTERMISSION_MS };
    const { code } = await client.createLobby({ capacity, settings });
    navigate(`/lobby/${code}`);
  });
  const summary = `${t.rounds}: ${rounds} · ${t.scorings[scoring]} · ${t.players}: ${capacity}`;
  return (
    <form onSubmit={sending.submit}>
      <Fold summary={summary}>
        <Choice
          label={t.rounds}
          isNumeric
          options={numberOptions(ROUND_COUNTS.filter((count) => count <= words.questions))}
          value={rounds}
          onValue={setRounds}
        />
        <ScoringChoice offered={FIRST_SCORINGS} value={scoring} onValue={setScoring} />
        <Choice
          label={t.players}
          isNumeric
          options={numberOptions(CAPACITIES)}
          value={capacity}
          onValue={setCapacity}
        />
      </Fold>
      <SubmitButton sending={sending}>{t.createLobby}</SubmitButton>
    </form>
  );
}
