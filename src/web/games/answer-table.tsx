// The teacher's table of a game: who, which word, what was answered. By word or by player, each group
// opened when it is wanted, so that two hundred players fit a phone; and whole, as a file.
import { useState } from 'preact/hooks';
import type { GameResult } from '../../client/types.ts';
import { Choice } from '../components/choice.tsx';
import { Icon } from '../components/icon.tsx';
import { ActionButton } from '../components/submit-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { downloadCsv } from './download-csv.ts';
import { byPlayer, byWord, type Group, type Told } from './game-answers.ts';

const VIEWS = { byWord, byPlayer };
type View = keyof typeof VIEWS;

export function AnswerTable({ game }: { game: GameResult }) {
  const { t } = useI18n();
  const [view, setView] = useState<View>('byWord');
  const { gameId, code, settings } = game;
  const { sourceLanguage, targetLanguage } = settings;
  return (
    <section class="card" aria-labelledby="answers">
      <h2 id="answers">{t.allAnswers}</h2>
      <Choice
        label={t.games.grouped}
        options={(Object.keys(VIEWS) as View[]).map((value) => ({ value, text: t.games[value] }))}
        value={view}
        onValue={setView}
      />
      <ul class="groups ruled">
        {VIEWS[view](game).map((group) => (
          <AnswerGroup
            key={`${view} ${group.key}`}
            group={group}
            titleLang={view === 'byWord' ? sourceLanguage : undefined}
            ofLang={view === 'byPlayer' ? sourceLanguage : undefined}
            targetLang={targetLanguage}
          />
        ))}
      </ul>
      <div>
        <ActionButton class="secondary" action={() => downloadCsv(gameId, `game-${code}.csv`)}>
          {t.games.download}
        </ActionButton>
      </div>
    </section>
  );
}

interface AnswerGroupProps {
  group: Group;
  titleLang: string | undefined;
  ofLang: string | undefined;
  targetLang: string | undefined;
}

function AnswerGroup({ group, titleLang, ofLang, targetLang }: AnswerGroupProps) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  const { title, note, correct, answers } = group;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span>
            <bdi lang={titleLang}>{title}</bdi> {note && <bdi lang={targetLang}>{note}</bdi>}
          </span>
          <small class="hint">{t.quizScore(correct, answers.length)}</small>
        </summary>
        {isOpen && (
          <ul class="told">
            {answers.map((answer) => (
              <Answer key={answer.key} answer={answer} ofLang={ofLang} targetLang={targetLang} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

interface AnswerProps {
  answer: Told;
  ofLang: string | undefined;
  targetLang: string | undefined;
}

function Answer({ answer, ofLang, targetLang }: AnswerProps) {
  const { t, locale } = useI18n();
  const { of, text, right, isCorrect, elapsedMs } = answer;
  const seconds = new Intl.NumberFormat(locale, {
    ...{ style: 'unit', unit: 'second', maximumFractionDigits: 1 },
  } as const);
  return (
    <li>
      <bdi lang={ofLang}>{of}</bdi>
      <span class={isCorrect ? 'told-right' : 'told-wrong'}>
        <Icon name={isCorrect ? 'check' : 'cross'} />{' '}
        <span class="visually-hidden">{isCorrect ? t.games.right : t.games.wrong}: </span>
        {text === null ? t.noAnswer : <bdi lang={targetLang}>{text}</bdi>}
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
