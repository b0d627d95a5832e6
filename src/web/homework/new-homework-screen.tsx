// Sets homework: words, a title and a time until which it can be done. The address may name a list, `?list=`,
// or a game, `?game=`.
import { useState } from 'preact/hooks';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { GuestOffer } from '../game/guest-offer.tsx';
import { useI18n } from '../i18n/index.tsx';
import { hardestName } from '../lists/hardest-words.tsx';
import { useProgress } from '../progress/use-progress.ts';
import { SubmitButton, useSubmit } from '../ui/button.tsx';
import { Notice, Page } from '../ui/page.tsx';
import { Pending, useQuery } from '../ui/query.tsx';
import { type ChosenWords, wordsOfList } from '../words/deck-choice.ts';
import { useWordsName } from '../words/names.ts';
import { DirectionSwap, useChosenWords } from '../words/words-picker.tsx';
import './homework.css';
import { navigate } from '../frame/router.ts';
import { Field } from '../ui/field.tsx';
import { AnswerModeChoice, savedAnswerMode, useQuestionCount } from '../words/quiz-fields.tsx';
import { AttemptsChoice, TimeField } from './fields.tsx';
import { endOfDayIn, momentOf } from './local-time.ts';

export function NewHomeworkScreen() {
  const { t } = useI18n();
  const user = useUser();
  const [asked] = useState(() => new URLSearchParams(location.search));
  const [listId, gameId] = [asked.get('list'), asked.get('game')];
  return (
    <Page title={t.homework.create}>
      {user.isAnonymous ? (
        <>
          <Notice kind="info">{t.errors.ACCOUNT_NEEDED}</Notice>
          <GuestOffer />
        </>
      ) : gameId ? (
        <WithGame gameId={gameId} />
      ) : listId ? (
        <WithList listId={listId} />
      ) : (
        <WithPicker />
      )}
    </Page>
  );
}

/** The words are those of a list, the user's own or another's who shares it. */
function WithList({ listId }: { listId: string }) {
  const [isReverse, setReverse] = useState(false);
  const { data: list, error } = useQuery(() => client.getList(listId), listId);
  if (!list) return <Pending error={error} />;
  const words = wordsOfList(list, isReverse);
  return (
    <>
      <DirectionSwap direction={words.direction} isReverse={isReverse} onReverse={setReverse} />
      <NewHomeworkForm words={words} title={list.name} />
    </>
  );
}

/** The words are those of a finished game, the hardest first. */
function WithGame({ gameId }: { gameId: string }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const { data: game, error } = useQuery(() => client.getGame(gameId), gameId);
  if (!game) return <Pending error={error} />;
  const { settings, rounds } = game;
  const title = hardestName(t, settings.listName ?? wordsName(settings));
  return <NewHomeworkForm words={{ selection: { gameId }, questions: rounds.length }} title={title} />;
}

function WithPicker() {
  const { t } = useI18n();
  const { isThere, words, name, picker, swap, error } = useChosenWords(useProgress());
  if (error || !isThere) return <Pending error={error} />;
  if (!words) return <Notice kind="info">{t.noWords}</Notice>;
  return (
    <>
      <section class="card">
        {picker}
        {swap}
      </section>
      <NewHomeworkForm words={words} title={name} />
    </>
  );
}

const DEFAULT_DAYS = 7;

interface NewHomeworkFormProps {
  words: Pick<ChosenWords, 'questions'> & { selection: ChosenWords['selection'] | { gameId: string } };
  title: string;
}

function NewHomeworkForm({ words, title: proposed }: NewHomeworkFormProps) {
  const { t } = useI18n();
  const [written, setTitle] = useState<string | null>(null);
  const [answerMode, setAnswerMode] = useState(savedAnswerMode);
  const [attempts, setAttempts] = useState(1);
  const [opensAt, setOpensAt] = useState('');
  const [closesAt, setClosesAt] = useState(() => endOfDayIn(DEFAULT_DAYS, Date.now()));
  const { questionCount, questionCountChoice } = useQuestionCount(words);
  const title = written ?? proposed;
  const sending = useSubmit(async () => {
    const opens = opensAt && momentOf(opensAt);
    const { code } = await client.createAssignment({
      ...words.selection,
      title,
      questionCount,
      answerMode,
      attempts,
      ...(opens && { opensAt: opens }),
      closesAt: momentOf(closesAt) ?? '',
    });
    navigate(`/homework/${code}`, { replace: true });
  });
  return (
    <form class="card" onSubmit={sending.submit}>
      <Field label={t.homework.name} name="title" autoComplete="off" value={title} onValue={setTitle} />
      {questionCountChoice}
      <AnswerModeChoice value={answerMode} onValue={setAnswerMode} />
      <AttemptsChoice value={attempts} onValue={setAttempts} />
      <div class="times">
        <TimeField label={t.homework.from} value={opensAt} onValue={setOpensAt} isOptional />
        <TimeField label={t.homework.until} value={closesAt} onValue={setClosesAt} />
      </div>
      <SubmitButton sending={sending} label={t.homework.set} />
    </form>
  );
}
