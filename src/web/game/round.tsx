// An open round: the question, the time and the user's answer, with the last round's result beside them. It
// does not show who else has answered.
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { HostBar } from '../lobby/host-bar.tsx';
import { LeaveButton } from '../lobby/leave-button.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { AnswerBars } from './answer-bars.tsx';
import { type OpenRound, playsIn } from './game-state.ts';
import { GetReady } from './get-ready.tsx';
import { useOpening } from './opening.ts';
import { QuestionCard } from './question-card.tsx';
import { Solution } from './solution.tsx';
import { Standings } from './standings.tsx';
import { TimerRing } from './timer-ring.tsx';

interface RoundProps {
  round: OpenRound;
  game: LobbyGame;
  lobby: Lobby;
  onManage(): void;
}

export function Round({ round, game, lobby, onManage }: RoundProps) {
  const { t } = useI18n();
  const user = useUser();
  const { state, ownAnswer, refusal } = game;
  const opening = useOpening(round, lobby);
  const last = state.resolved.at(-1);
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
        {opening === 'counting' ? (
          <GetReady round={round} lobby={lobby} />
        ) : (
          <QuestionCard
            key={round.question.questionId}
            question={round.question}
            deck={lobby.settings}
            isReading={opening === 'reading'}
            isOpen={ownAnswer === null && playsIn(lobby, user.id)}
            given={ownAnswer}
            judged={null}
            onAnswer={(given) => {
              playEffect('chosen');
              game.answer(given);
            }}
          >
            <div class="locked" role="status">
              {ownAnswer !== null && !refusal && <AnswerStatus game={game} />}
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
        )}
        {last && (
          <aside class="card on-roomy">
            <Standings scores={state.scores} ownId={user.id} />
            <h2>{t.lastRoundResult}</h2>
            {last.question && (
              <p>
                <Solution question={last.question} solution={last} direction={lobby.settings} />
              </p>
            )}
            <AnswerBars result={last} lobby={lobby} ownId={user.id} />
          </aside>
        )}
      </div>
    </Page>
  );
}

/** Says that the answer is on its way, and, once the service is known to have it, that it counts. */
function AnswerStatus({ game: { isAnswered, status } }: { game: LobbyGame }) {
  const { t } = useI18n();
  if (!isAnswered) return <p>{status === 'live' ? t.sendingAnswer : t.offline}</p>;
  return (
    <p>
      <Icon name="lock" /> {t.lockedIn} <small>{t.waitForOthers}</small>
    </p>
  );
}
