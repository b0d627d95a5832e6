// The settings of a waiting lobby. Each change is sent at once. Only hosts load this file.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { numberOptions, RadioGroup } from '../ui/choice.tsx';
import { NumberChoice } from '../ui/number-choice.tsx';
import { AnswerModeChoice } from '../words/quiz-fields.tsx';
import { WordsPicker } from '../words/words-picker.tsx';
import { HostDialog } from './host-dialog.tsx';
import * as offered from './lobby-choices.ts';
import { rememberChoices } from './room-choices.ts';
import { RoundsChoice } from './rounds-choice.tsx';
import { ScoringChoice } from './scoring-choice.tsx';
import type { LobbyGame } from './use-lobby.ts';
import { type Change, useLobbyChoices, useLobbyWords } from './use-lobby-choices.ts';

interface LobbySettingsProps {
  game: LobbyGame;
  lobby: Lobby;
  onClosed(): void;
}

export function LobbySettings({ game, lobby, onClosed }: LobbySettingsProps) {
  const { t } = useI18n();
  const [settings, change] = useLobbyChoices(game, lobby);
  const set = (chosen: Change) => {
    change(chosen);
    rememberChoices(offered.kindOf(settings), chosen);
  };
  const { most, ...words } = useLobbyWords(settings, change);
  const setRounds = (rounds: offered.Rounds) => {
    change({ rounds: rounds === 'all' ? most : rounds });
    rememberChoices(offered.kindOf(settings), { rounds });
  };
  const fewest = Math.max(offered.CAPACITY.min, lobby.playerCount);
  return (
    <HostDialog title={t.hosting.settings} onClosed={onClosed}>
      <WordsPicker {...words} />
      <RoundsChoice most={most} isList={settings.listId !== undefined} value={settings.rounds} onValue={setRounds} />
      <AnswerModeChoice value={settings.answerMode} onValue={(answerMode) => set({ answerMode })} />
      <TimeChoices settings={settings} onChange={set} />
      <ScoringChoice offered={offered.SCORINGS} value={settings.scoring} onValue={(scoring) => set({ scoring })} />
      <NumberChoice
        label={t.players}
        options={numberOptions(offered.CAPACITIES.filter((places) => places >= fewest))}
        min={fewest}
        max={offered.CAPACITY.max}
        value={settings.capacity}
        onValue={(capacity) => set({ capacity })}
      />
      <BooleanChoice
        label={t.hosting.role}
        texts={[t.hosting.presents, t.hosting.plays]}
        value={settings.hostPlays}
        onValue={(hostPlays) => set({ hostPlays })}
      />
      <BooleanChoice
        label={t.hosting.lateJoin}
        texts={[t.hosting.notLate, t.hosting.late]}
        value={settings.lateJoin}
        onValue={(lateJoin) => set({ lateJoin })}
      />
      <RadioGroup
        label={t.hosting.names}
        options={offered.NAMES.map((value) => ({ value, text: t.hosting.nameRules[value] }))}
        value={settings.names}
        onValue={(names) => set({ names })}
      />
    </HostDialog>
  );
}

interface TimeChoicesProps {
  settings: offered.Choices;
  onChange(change: Change): void;
}

function TimeChoices({ settings, onChange }: TimeChoicesProps) {
  const { t } = useI18n();
  const { roundMs, intermissionMs } = settings;
  const pause = (ms: number) =>
    ms === 0 ? t.hosting.noPause : ms === offered.UNTIL_HOST_MS ? t.hosting.whenISay : t.hosting.seconds(ms / 1000);
  return (
    <>
      <RadioGroup
        label={t.hosting.roundTime}
        isNumeric
        options={offered
          .choicesWith(offered.ROUND_TIMES_MS, roundMs)
          .map((value) => ({ value, text: t.hosting.seconds(value / 1000) }))}
        value={roundMs}
        onValue={(ms) => onChange({ roundMs: ms })}
      />
      <RadioGroup
        label={t.hosting.pause}
        options={offered
          .choicesWith(offered.INTERMISSIONS_MS, intermissionMs)
          .map((value) => ({ value, text: pause(value) }))}
        value={intermissionMs}
        onValue={(ms) => onChange({ intermissionMs: ms })}
      />
    </>
  );
}

interface BooleanChoiceProps {
  label: string;
  texts: [no: string, yes: string];
  value: boolean;
  onValue(value: boolean): void;
}

function BooleanChoice({ label, texts, value, onValue }: BooleanChoiceProps) {
  const options = texts.map((text, index) => ({ value: index, text }));
  return <RadioGroup label={label} options={options} value={Number(value)} onValue={(index) => onValue(index === 1)} />;
}
