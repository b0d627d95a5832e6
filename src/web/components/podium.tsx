// The end of a game: who has won, everybody's place, and the words one missed.
import type { Lobby } from '../../lobby/schema.ts';
import { client } from '../api.ts';
import { useCelebration } from '../effects/celebrate.ts';
import type { GameState } from '../game-state.ts';
import type { Texts } from '../i18n/en.ts';
import { useI18n } from '../i18n/index.tsx';
import { keepQuiz } from '../kept.ts';
import { missedBy, practise } from '../practice.ts';
import { missedWord } from '../quiz-state.ts';
import { randomInt } from '../random.ts';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';
import { placesOf, type Standing } from '../standings.ts';
import { useSubmit } from '../use-submit.ts';
import { GuestOffer } from './guest-offer.tsx';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';
import { MissedWords } from './missed-words.tsx';
import { Named } from './named.tsx';
import { Notice } from './notice.tsx';
import { Page, type PageProps } from './page.tsx';
import { Standings } from './standings.tsx';

/** More steps than these don't fit a phone, as when five people share the first place. */
const MAX_STEPS = 4;
const LAST_PLACE_ON_IT = 3;

export function Podium({ state, lobby }: { state: GameState; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const { scores, winnerIds } = state;
  const again = useSubmit(async () => {
    const { capacity, settings } = lobby;
    const { code } = await client.createLobby({ capacity, settings });
    navigate(`/lobby/${code}`);
  });
  const steps = placesOf(scores).filter(
    ({ place, score }) => place <= LAST_PLACE_ON_IT && score > 0,
  );
  useCelebration(steps.some(({ userId }) => userId === user.id && winnerIds?.includes(userId)));
  const missed = missedBy(user.id, state);
  const practiseMissed = () => {
    const { sourceLanguage, targetLanguage } = lobby.settings;
    const words = { sourceLanguage, targetLanguage };
    keepQuiz(user.id, practise(missed, words, randomInt, lobby.code));
    navigate('/quiz');
  };
  return (
    <Page {...outcome(t, scores, winnerIds ?? [], user.id)} width="wide">
      {steps.length <= MAX_STEPS && <Steps steps={steps} winnerIds={winnerIds ?? []} />}
      <div class="actions centered">
        <button type="button" class="primary" aria-busy={again.isBusy} onClick={again.submit}>
          {t.playAgain}
        </button>
        <Link to="/" class="button secondary">
          {t.home}
        </Link>
      </div>
      <p class="hint centered">{t.playAgainMore}</p>
      <GuestOffer />
      {again.error && <Notice kind="error">{again.error}</Notice>}
      <div class="columns">
        <section class="card" aria-label={t.standings}>
          <Standings scores={scores} ownId={user.id} isExpandable />
        </section>
        {missed.length > 0 && (
          <section class="card" aria-labelledby="missed">
            <h2 id="missed">{t.missed}</h2>
            <MissedWords words={missed.map(missedWord)} {...lobby.settings} />
            <button type="button" class="secondary" onClick={practiseMissed}>
              {t.practise}
            </button>
          </section>
        )}
      </div>
    </Page>
  );
}

/** Seen only: the list below says the same. */
function Steps({ steps, winnerIds }: { steps: Standing[]; winnerIds: string[] }) {
  const { t } = useI18n();
  return (
    <div class={`podium podium-${steps.length}`} aria-hidden="true">
      {steps.map(({ userId, name, score, place }) => (
        <div key={userId} class={`step step-${place}`}>
          <span class="step-name">
            {winnerIds.includes(userId) && <Icon name="crown" />}
            <bdi>{name}</bdi>
          </span>
          <span class="step-block">
            <strong>{t.place(place)}</strong>
            <span>{t.pointsInWords(score)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

function outcome(
  t: Texts,
  scores: GameState['scores'],
  winnerIds: string[],
  ownId: string,
): Pick<PageProps, 'title' | 'heading'> {
  if (scores.every(({ score }) => score === 0)) return { title: t.nobodyScored };
  const names = scores.filter(({ userId }) => winnerIds.includes(userId)).map(({ name }) => name);
  if (winnerIds.includes(ownId)) return { title: winnerIds.length > 1 ? t.youTied : t.youWon };
  const text = names.length > 1 ? t.someTied : t.someoneWon;
  return { title: text(names.join(', ')), heading: <Named text={text} names={names} /> };
}
