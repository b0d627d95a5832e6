// Chooses the number of rounds. A game can't have more rounds than there are questions; one with a list can ask
// all of its words.
import { useI18n } from '../i18n/index.tsx';
import { numberOptions } from '../ui/choice.tsx';
import { NumberChoice } from '../ui/number-choice.tsx';
import { ROUND_COUNTS, ROUNDS, type Rounds } from './lobby-choices.ts';

interface RoundsChoiceProps {
  /** How many questions the words have. */
  most: number;
  isList: boolean;
  value: number;
  /** As of a `NumberChoice`. */
  isShort?: boolean;
  onValue(rounds: Rounds): void;
}

export function RoundsChoice({ most, isList, value, isShort = false, onValue }: RoundsChoiceProps) {
  const { t } = useI18n();
  const hasAll = isList && most <= ROUNDS.max;
  const max = Math.min(ROUNDS.max, most);
  const counts = ROUND_COUNTS.filter((count) => count < max || (count === max && !hasAll));
  const all = hasAll ? [{ value: most, text: t.allWords(most) }] : [];
  return (
    <NumberChoice
      label={t.rounds}
      options={[...numberOptions(counts), ...all]}
      min={ROUNDS.min}
      max={max}
      value={value}
      isShort={isShort}
      onValue={(rounds) => onValue(hasAll && rounds === most ? 'all' : rounds)}
    />
  );
}
