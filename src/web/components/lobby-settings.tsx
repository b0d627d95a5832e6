// The settings of a lobby that waits: each choice holds at once, for all. Loaded for hosts alone.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import * as offered from '../lobby-choices.ts';
import type { LobbyGame } from '../use-lobby.ts';
import { type Change, useChoices, useWords } from '../use-lobby-choices.ts';
import { Choice, numberOptions } from './choice.tsx';
import { HostDialog } from './host-dialog.tsx';
import { ScoringChoice } from './scoring-choice.tsx';
import { WordsPicker } from './words-picker.tsx';

interface LobbySettingsProps {
  game: LobbyGame;
  lobby: Lobby;
  onClosed(): void;
}

export default function LobbySettings({ game, lobby, onClosed }: LobbySettingsProps) {
  const { t } = useI18n();
  const [settings, set] = useChoices(game, lobby);
  const { most, ...words } = useWords(settings, set);
  return (
    <HostDialog title={t.hosting.settings} onClosed={onClosed}>
      <WordsPicker {...words} />
      <Choice
        label={t.rounds}
        isNumeric
        options={numberOptions(
          offered.choicesWith(offered.ROUND_COUNTS, settings.rounds, (count) => count <= most),
        )}
        value={settings.rounds}
        onValue={(rounds) => set({ rounds })}
      />
      <TimeChoices settings={settings} onChange={set} />
      <ScoringChoice
        offered={offered.SCORINGS}
        value={settings.scoring}
        onValue={(scoring) => set({ scoring })}
      />
      <Choice
        label={t.players}
        isNumeric
        options={numberOptions(
          offered.choicesWith(
            offered.CAPACITIES,
            settings.capacity,
            (capacity) => capacity >= lobby.players.length,
          ),
        )}
        value={settings.capacity}
        onValue={(capacity) => set({ capacity })}
      />
      <Either
        label={t.hosting.role}
        texts={[t.hosting.presents, t.hosting.plays]}
        value={settings.hostPlays}
        onValue={(hostPlays) => set({ hostPlays })}
      />
      <Either
        label={t.hosting.lateJoin}
        texts={[t.hosting.notLate, t.hosting.late]}
        value={settings.lateJoin}
        onValue={(lateJoin) => set({ lateJoin })}
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
    ms === 0
      ? t.hosting.noPause
      : ms === offered.UNTIL_HOST_MS
        ? t.hosting.whenISay
        : t.hosting.seconds(ms / 1000);
  return (
    <>
      <Choice
        label={t.hosting.roundTime}
        isNumeric
        options={offered.choicesWith(offered.ROUND_TIMES_MS, roundMs).map((value) => ({
          value,
          text: t.hosting.seconds(value / 1000),
        }))}
        value={roundMs}
        onValue={(ms) => onChange({ roundMs: ms })}
      />
      <Choice
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

interface EitherProps {
  label: string;
  texts: [no: string, yes: string];
  value: boolean;
  onValue(value: boolean): void;
}

function Either({ label, texts, value, onValue }: EitherProps) {
  const options = texts.map((text, index) => ({ value: index, text }));
  return (
    <Choice
      label={label}
      options={options}
      value={Number(value)}
      onValue={(index) => onValue(index === 1)}
    />
  );
}
