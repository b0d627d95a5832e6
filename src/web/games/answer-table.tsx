// All answers of a game, grouped by word or by player, and as a CSV file. A group renders its answers only
// while it is open, since a game can have two hundred players.
import { useState } from 'preact/hooks';
import type { GameResult } from '../../client/types.ts';
import { saveTable } from '../download.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/button.tsx';
import { RadioGroup } from '../ui/choice.tsx';
import { Icon } from '../ui/icon.tsx';
import { type AnswerEntry, type AnswerGroup, byPlayer, byWord } from './game-answers.ts';

const VIEWS = { byWord, byPlayer };
type View = keyof typeof VIEWS;

interface AnswerTableProps {
  game: GameResult;
  /** The view that is shown first. */
  first: View;
}

export function AnswerTable({ game, first }: AnswerTableProps) {
  const { t } = useI18n();
  const [view, setView] = useState<View>(first);
  const { sourceLanguage, targetLanguage } = game.settings;
  return (
    <section class="card" aria-labelledby="answers">
      <h2 id="answers">{t.allAnswers}</h2>
      <RadioGroup
        label={t.games.grouped}
        options={(Object.keys(VIEWS) as View[]).map((value) => ({ value, text: t.games[value] }))}
        value={view}
        onValue={setView}
      />
      <ul class="groups ruled">
        {VIEWS[view](game).map((group) => (
          <GroupDetails
            key={`${view} ${group.key}`}
            group={group}
            titleLang={view === 'byWord' ? sourceLanguage : undefined}
            ofLang={view === 'byPlayer' ? sourceLanguage : undefined}
            targetLang={targetLanguage}
          />
        ))}
      </ul>
      <Downloads game={game} />
    </section>
  );
}

function Downloads({ game }: { game: GameResult }) {
  const { t } = useI18n();
  const save = async (kind: 'gradebook' | 'answers') => {
    const { answersOf, gradebookOf } = await import('./tables.ts');
    const tableOf = kind === 'gradebook' ? gradebookOf : answersOf;
    await saveTable(tableOf(game, t, navigator.language), `${game.code}-${kind}`);
  };
  return (
    <div class="actions">
      <ActionButton label={t.games.gradebook} action={() => save('gradebook')} />
      <ActionButton label={t.games.eachAnswer} action={() => save('answers')} />
    </div>
  );
}

interface GroupDetailsProps {
  group: AnswerGroup;
  titleLang: string | undefined;
  ofLang: string | undefined;
  targetLang: string | undefined;
}

function GroupDetails({ group, titleLang, ofLang, targetLang }: GroupDetailsProps) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  const { title, note, correct, answers } = group;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="row apart">
          <span>
            <bdi lang={titleLang}>{title}</bdi> {note && <bdi lang={targetLang}>{note}</bdi>}
          </span>
          <small class="hint">{t.quizScore(correct, answers.length)}</small>
        </summary>
        {isOpen && (
          <ul class="answer-list">
            {answers.map((answer) => (
              <AnswerItem key={answer.key} answer={answer} ofLang={ofLang} targetLang={targetLang} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

interface AnswerItemProps {
  answer: AnswerEntry;
  ofLang: string | undefined;
  targetLang: string | undefined;
}

function AnswerItem({ answer, ofLang, targetLang }: AnswerItemProps) {
  const { t, locale } = useI18n();
  const { of, text, right, verdict, elapsedMs } = answer;
  const isCorrect = verdict !== 'wrong';
  const seconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', maximumFractionDigits: 1 } as const);
  return (
    <li>
      <bdi lang={ofLang}>{of}</bdi>
      <span class={isCorrect ? 'answer-right' : 'answer-wrong'}>
        <Icon name={isCorrect ? 'check' : 'cross'} />{' '}
        <span class={text === '' ? undefined : 'visually-hidden'}>{t.games[verdict]}</span>{' '}
        {text === null ? t.noAnswer : <bdi lang={targetLang}>{text}</bdi>}
        {verdict === 'close' && text !== '' && <small> ({t.games.close})</small>}
        {!isCorrect && ofLang !== undefined && (
          <small>
            {' '}
            {t.rightAnswer}: <bdi lang={targetLang}>{right}</bdi>
          </small>
        )}
      </span>
      <small class="hint">{elapsedMs !== null && seconds.format(elapsedMs / 1000)}</small>
    </li>
  );
}
