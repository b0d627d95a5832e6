// How a round ended, for the few seconds before the next question. The next round's time is running
// already, so that whoever is in a hurry can go on at once.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { announce } from '../announce.tsx';
import { effect } from '../effects/effects.ts';
import type { ResolvedRound } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import type { LobbyGame } from '../use-lobby.ts';
import { Icon } from './icon.tsx';
import { OptionBars } from './option-bars.tsx';
import { Page } from './page.tsx';
import { Standings } from './standings.tsx';
import { TimerRing } from './timer-ring.tsx';

interface RoundResultProps {
  game: LobbyGame;
  lobby: Lobby;
  result: ResolvedRound;
  onPass(): void;
}

export function RoundResult({ game, lobby, result, onPass }: RoundResultProps) {
  const { t } = useI18n();
  const user = useUser();
  const { round, scores } = game.state;
  const { question, correctOptionId, answers } = result;
  const own = answers.find(({ userId }) => userId === user.id);
  const answer = question?.options.find(({ optionId }) => optionId === correctOptionId)?.text ?? '';
  const verdict = own?.isCorrect ? t.right : t.wrong(answer);
  useEffect(() => announce(verdict), [verdict]);
  useEffect(() => effect(own?.isCorrect ? 'right' : 'wrong'), []);
  return (
    <Page title={t.roundResult(result.number)} width="wide">
      <div class="columns columns-game">
        <section class="question" aria-labelledby="solved">
          <div class={own?.isCorrect ? 'prompt is-right' : 'prompt is-wrong'}>
            <h2 id="solved">
              <span lang={lobby.settings.sourceLanguage}>{question?.prompt}</span>
              <span class="visually-hidden">: </span>
              <strong lang={lobby.settings.targetLanguage}>{answer}</strong>
            </h2>
            <p class="verdict-text">
              <Icon name={own?.isCorrect ? 'check' : 'cross'} />{' '}
              {own?.isCorrect ? t.right : t.notRight}
              {own && own.points > 0 && <> {t.points(own.points)}</>}
            </p>
            <p class="hint">{t.reasons[result.reason]}</p>
          </div>
          <div class="go-on">
            {round?.countdown && <TimerRing countdown={round.countdown} />}
            <button type="button" class="primary" onClick={onPass}>
              {round ? t.nextRound : t.toPodium}
            </button>
          </div>
        </section>
        <aside class="card">
          <OptionBars result={result} lobby={lobby} ownId={user.id} />
          <Standings scores={scores} ownId={user.id} />
        </aside>
      </div>
    </Page>
  );
}
