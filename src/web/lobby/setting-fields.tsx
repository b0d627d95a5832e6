// The fields of a lobby's settings: numbers, which can also be typed, and how answers are scored.
import { useEffect, useState } from 'preact/hooks';
import type { ScoringName } from '../../scoring/scoring.ts';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { ROUND_COUNTS, ROUNDS, type Rounds } from './lobby-choices.ts';

interface RoundsChoiceProps {
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

interface ScoringChoiceProps {
  offered: readonly ScoringName[];
  value: ScoringName;
  onValue(scoring: ScoringName): void;
}

export function ScoringChoice({ offered, value, onValue }: ScoringChoiceProps) {
  const { t } = useI18n();
  const options = offered.map((name) => ({ value: name, text: t.scorings[name], title: t.scoringHints[name] }));
  return <RadioGroup label={t.scoring} options={options} value={value} onValue={onValue} />;
}

interface NumberChoiceProps {
  label: string;
  /** The numbers that a press chooses. */
  options: { value: number; text: string }[];
  min: number;
  max: number;
  value: number;
  /** Whether only the options can be chosen, where there is little room. */
  isShort?: boolean;
  onValue(value: number): void;
}

/** Chooses a number: one of a few that suit most users by a press, or any other by typing it. */
export function NumberChoice(props: NumberChoiceProps) {
  const { label, options, min, max, value, isShort = false, onValue } = props;
  const { t } = useI18n();
  const [typed, setTyped] = useState(String(value));
  useEffect(() => setTyped(String(value)), [value]);
  const commit = () => {
    const number = Math.round(Number(typed));
    // A text that is no number leaves the value as it is.
    const next = typed.trim() && Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : value;
    setTyped(String(next));
    if (next !== value) onValue(next);
  };
  return (
    <RadioGroup label={label} isNumeric options={options} value={value} onValue={onValue}>
      {!isShort && (
        <input
          class="is-wide"
          type="number"
          inputMode="numeric"
          aria-label={t.otherNumber(label)}
          min={min}
          max={max}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={commit}
        />
      )}
    </RadioGroup>
  );
}
