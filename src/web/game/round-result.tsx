// The result of a round. It is shown during the intermission. In a game without intermissions the next round
// runs already, so that a button leads to it at once.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { HostBar } from '../lobby/host-bar.tsx';
import { LeaveButton } from '../lobby/leave-button.tsx';
import { UNTIL_HOST_MS } from '../lobby/lobby-choices.ts';
import { useHostName } from '../lobby/use-host-role.ts';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { announce } from '../ui/announce.tsx';
import { Page } from '../ui/page.tsx';
import { TextWithNames } from '../ui/text-with-names.tsx';
import { AnswerBars } from './answer-bars.tsx';
import { meantText } from './answers.ts';
import type { ResolvedRound } from './game-state.ts';
import { OwnResult } from './own-result.tsx';
import { Seal } from './seal.tsx';
import { Standings } from './standings.tsx';
import { TimeBar } from './time-bar.tsx';
import { TimerRing } from './timer-ring.tsx';
import { verdictText } from './verdict-text.ts';

interface RoundResultProps {
  game: LobbyGame;
  lobby: Lobby;
  result: ResolvedRound;
  /** Shows the next round, which is open already. */
  onPass(): void;
  onManage(): void;
}

export function RoundResult(props: RoundResultProps) {
  const { game, lobby, result } = props;
  const { t } = useI18n();
  const user = useUser();
  useVerdict(game, result, user.id);
  return (
    <Page
      title={t.roundResult(result.number)}
      width="wide"
      isGame
      aside={<LeaveButton game={game} consequence={t.leaveRunning} />}
    >
      <div class="columns columns-game">
        <section class="question" aria-label={t.lastRoundResult}>
          <OwnResult game={game} lobby={lobby} result={result} />
          <NextControls {...props} />
        </section>
        <aside class="card third">
          <AnswerBars result={result} lobby={lobby} ownId={user.id} />
          <Standings scores={game.state.scores} before={game.state.scoresBefore} ownId={user.id} isExpandable />
          <Seal />
        </aside>
      </div>
    </Page>
  );
}

/** Announces the verdict to screen readers and plays its sound. */
function useVerdict(game: LobbyGame, result: ResolvedRound, ownId: string): void {
  const { t } = useI18n();
  const own = result.answers.find(({ userId }) => userId === ownId);
  const { question, correctOptionId, correctText, accepted } = result;
  const judged = { correctOptionId, correctText, accepted, verdict: own?.verdict };
  const right = meantText(question ?? {}, judged, question && game.answerTo(question.questionId));
  const verdict = own ? verdictText(t, own, right) : right;
  useEffect(() => announce(verdict), [verdict]);
  useEffect(() => {
    if (own) playEffect(own.isCorrect ? 'right' : 'wrong');
  }, []);
}

/** The time until the next round, and the buttons that shorten it. */
function NextControls({ game, lobby, result, onPass, onManage }: RoundResultProps) {
  const { t } = useI18n();
  const user = useUser();
  const hostName = useHostName(lobby);
  const { round, intermission } = game.state;
  const next = result.isLast ? t.toPodium : t.nextRound;
  if (!intermission) {
    return (
      <div class="go-on">
        {round?.countdown && <TimerRing countdown={round.countdown} />}
        <button type="button" class="primary" onClick={onPass}>
          {next}
        </button>
      </div>
    );
  }
  return (
    <div class="go-on">
      {lobby.settings.intermissionMs !== UNTIL_HOST_MS ? (
        <TimeBar countdown={intermission} text={result.isLast ? t.podiumIn : t.nextIn} />
      ) : (
        lobby.hostId !== user.id && (
          <p class="hint">
            <TextWithNames text={t.hostGoesOn} names={[hostName]} />
          </p>
        )
      )}
      <HostBar
        lobby={lobby}
        text={next}
        isMain
        onNext={() => game.host.next(result.number, 'intermission')}
        onManage={onManage}
      />
    </div>
  );
}
