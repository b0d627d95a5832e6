// How a round ended, for a whole room: the right answer, how many chose what, and who leads.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { announce } from '../announce.tsx';
import { OptionBars } from '../components/option-bars.tsx';
import { Solution } from '../components/solution.tsx';
import { Standings } from '../components/standings.tsx';
import { TimeBar } from '../components/time-bar.tsx';
import { effect } from '../effects/effects.ts';
import type { GameState, ResolvedRound } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { UNTIL_HOST_MS } from '../lobby-choices.ts';
import { optionText } from '../option-text.ts';
import { isLong } from './is-long.ts';
import { Scene } from './scene.tsx';

interface SolvedProps {
  state: GameState;
  result: ResolvedRound;
  lobby: Lobby;
}

/** Nobody's own: a room has no answer and no place. */
const NOBODY = '';

export function Solved({ state, result, lobby }: SolvedProps) {
  const { t } = useI18n();
  const { question, correctOptionId, reason, isLast } = result;
  const right = question ? optionText(question, correctOptionId) : '';
  useEffect(() => announce(right), [right]);
  useEffect(() => effect('right'), []);
  return (
    <Scene
      name="solved"
      isLong={question !== null && isLong(question)}
      title={t.roundResult(result.number)}
      aside={<p class="hint">{t.reasons[reason]}</p>}
    >
      {question && (
        <div class="stage-prompt">
          <h2>
            <Solution {...{ question, correctOptionId }} direction={lobby.settings} />
          </h2>
        </div>
      )}
      <div class="stage-columns">
        <div>
          <h2>{t.answers}</h2>
          <OptionBars result={result} lobby={lobby} ownId={NOBODY} />
        </div>
        <div>
          <Standings scores={state.scores} before={state.scoresBefore} ownId={NOBODY} />
        </div>
      </div>
      {state.intermission && lobby.settings.intermissionMs !== UNTIL_HOST_MS && (
        <TimeBar countdown={state.intermission} text={isLast ? t.podiumIn : t.nextIn} />
      )}
    </Scene>
  );
}
