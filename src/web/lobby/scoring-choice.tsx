import type { ScoringName } from '../../scoring/scoring.ts';
import { useI18n } from '../i18n/index.tsx';
import { RadioGroup } from '../ui/choice.tsx';

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
