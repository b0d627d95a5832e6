// The result of a round on a projector: the right answer, how often each option was chosen, and the leaders.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { Listen } from '../effects/listen.tsx';
import { AnswerBars } from '../game/answer-bars.tsx';
import { alsoRight, rightText } from '../game/answers.ts';
import type { GameState, ResolvedRound } from '../game/game-state.ts';
import { Solution } from '../game/solution.tsx';
import { Standings } from '../game/standings.tsx';
import { TimeBar } from '../game/time-bar.tsx';
import { AlsoRight } from '../game/typed-result.tsx';
import { useI18n } from '../i18n/index.tsx';
import { UNTIL_HOST_MS } from '../lobby/lobby-choices.ts';
import { announce } from '../ui/announce.tsx';
import { isLong } from './is-long.ts';
import { Scene } from './scene.tsx';

interface StageResultProps {
  state: GameState;
  result: ResolvedRound;
  lobby: Lobby;
}

/** The projector shows no player's own answer or place. */
const NOBODY = '';

export function StageResult({ state, result, lobby }: StageResultProps) {
  const { t } = useI18n();
  const { question, reason, isLast } = result;
  const right = rightText(question ?? {}, result);
  useEffect(() => announce(right), [right]);
  useEffect(() => playEffect('right'), []);
  return (
    <Scene
      name="result"
      isLong={question !== null && isLong(question)}
      title={t.roundResult(result.number)}
      aside={<p class="hint">{t.reasons[reason]}</p>}
    >
      {question && (
        <div class="stage-prompt">
          <h2>
            <Solution question={question} solution={result} direction={lobby.settings} />
          </h2>
          <AlsoRight texts={alsoRight(result, right)} lang={lobby.settings.targetLanguage} />
          <Listen text={right} lang={lobby.settings.targetLanguage} />
        </div>
      )}
      <div class="stage-columns">
        <div>
          <h2>{t.answers}</h2>
          <AnswerBars result={result} lobby={lobby} ownId={NOBODY} />
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
