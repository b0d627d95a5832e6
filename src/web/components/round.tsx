// An open round: the question, the time, and one's own answer. Who else has answered is nobody's
// business; how the last round went stands beside it.
import type { Lobby } from '../../lobby/schema.ts';
import { effect } from '../effects/effects.ts';
import { playsIn } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import type { LobbyGame } from '../use-lobby.ts';
import { HostBar } from './host-bar.tsx';
import { Icon } from './icon.tsx';
import { LeaveButton } from './leave-button.tsx';
import { Notice } from './notice.tsx';
import { OptionBars } from './option-bars.tsx';
import { Page } from './page.tsx';
import { QuestionCard } from './question-card.tsx';
import { Solution } from './solution.tsx';
import { Standings } from './standings.tsx';
import { TimerRing } from './timer-ring.tsx';

interface RoundProps {
  game: LobbyGame;
  lobby: Lobby;
  onManage(): void;
}

export function Round({ game, lobby, onManage }: RoundProps) {
  const { t } = useI18n();
  const user = useUser();
  const { state, ownAnswer, refusal } = game;
  const { round } = state;
  const last = state.resolved.at(-1);
  if (!round) return null;
  return (
    <Page
      title={t.roundOf(round.number, round.total)}
      width="wide"
      isGame
      aside={
        <>
          {round.countdown && <TimerRing countdown={round.countdown} />}
          <LeaveButton game={game} consequence={t.leaveRunning} />
        </>
      }
    >
      <div class="columns columns-game">
        <QuestionCard
          key={round.question.questionId}
          question={round.question}
          deck={lobby.settings}
          isOpen={ownAnswer === null && playsIn(lobby, user.id)}
          selected={ownAnswer}
          correct={null}
          isSealed
          onChoose={(optionId) => {
            effect('chosen');
            game.answer(optionId);
          }}
        >
          <div class="locked" role="status">
            {ownAnswer !== null && !refusal && (
              <p>
                <Icon name="lock" /> {t.lockedIn} <small>{t.waitForOthers}</small>
              </p>
            )}
          </div>
          {refusal === 'ROUND_CLOSED' && <Notice kind="info">{t.tooLate}</Notice>}
          {refusal === 'ALREADY_ANSWERED' && <Notice kind="info">{t.otherTab}</Notice>}
          <HostBar
            lobby={lobby}
            text={t.hosting.skip}
            onNext={() => game.host.next(round.number, 'round')}
            onManage={onManage}
          />
        </QuestionCard>
        {last && (
          <aside class="card">
            <Standings scores={state.scores} ownId={user.id} />
            <h2>{t.lastRoundResult}</h2>
            {last.question && (
              <p>
                <Solution
                  question={last.question}
                  correctOptionId={last.correctOptionId}
                  direction={lobby.settings}
                />
              </p>
            )}
            <OptionBars result={last} lobby={lobby} ownId={user.id} />
          </aside>
        )}
      </div>
    </Page>
  );
}
