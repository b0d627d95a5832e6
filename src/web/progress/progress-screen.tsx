// The user's progress by day and by deck or list. It is loaded when it is opened.
import { useI18n } from '../i18n/index.tsx';
import { DueToday, PractiseButton } from '../quiz/due-words.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Pending } from '../ui/query.tsx';
import { deckOf } from '../words/deck-choice.ts';
import { type Day, hasLearned, localDate, monthStarts, stagesOf, type WordsProgress, weeksOf } from './due.ts';
import { ownTimeZone, useProgress } from './use-progress.ts';
import './progress.css';
import { useEffect, useState } from 'preact/hooks';
import type { Calendar as LearnedDays, Progress } from '../../client/types.ts';
import { client } from '../api.ts';
import { lazyScreen } from '../ui/lazy.tsx';
import { useLearnedName } from '../words/names.ts';

export function ProgressScreen() {
  const { t } = useI18n();
  const progress = useProgress();
  return (
    <Page title={t.learning.title} width="wide">
      {!progress && <Pending error={progress === null ? (t.errors.OFFLINE ?? null) : null} />}
      {progress && !hasLearned(progress) && <p class="lead">{t.learning.empty}</p>}
      {progress && <DueToday progress={progress} />}
      {progress && hasLearned(progress) && <Forecast days={progress.forecast} />}
      <Calendar />
      {progress && progress.decks.length > 0 && (
        <Card title={t.learning.byWords}>
          <ul class="stages ruled">
            {progress.decks.map((words) => (
              <Stages
                key={'listId' in words ? `${words.listId} ${words.reverse}` : Object.values(deckOf(words)).join()}
                words={words}
              />
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}

const DeckWords = lazyScreen(async () => (await import('./deck-words.tsx')).DeckWords);

const COUNT = 10;
const STAGES = ['known', 'learning', 'fresh'] as const;

/** The progress with a deck or a list: how many words are known, being learned and new. */
function Stages({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const wordsName = useLearnedName();
  const [isOpen, setOpen] = useState(false);
  const stages = stagesOf(words);
  const all = stages.known + stages.learning + stages.fresh;
  return (
    <li class="row">
      <div>
        <p>
          <bdi>{wordsName(words)}</bdi>
        </p>
        {/* The bar is hidden from screen readers; the numbers below say the same. */}
        <svg viewBox={`0 0 ${Math.max(1, all)} 1`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="stage-fresh" width={all} height="1" />
          <rect class="stage-learning" width={stages.known + stages.learning} height="1" />
          <rect class="stage-known" width={stages.known} height="1" />
        </svg>
        <ul class="stage-counts row hint">
          {STAGES.map((stage) => (
            <li key={stage} class={`stage-${stage}`}>
              {t.learning[stage](stages[stage])}
            </li>
          ))}
        </ul>
      </div>
      {words.questions > 0 && (
        <PractiseButton
          words={words}
          count={Math.min(COUNT, words.questions)}
          class="secondary"
          text={t.learning.practise}
        />
      )}
      <Button
        label={isOpen ? t.learning.hideWords : t.learning.showWords}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <DeckWords words={words} />}
    </li>
  );
}

/** The default for browsers that do not know the locale's first day of the week. */
const MONDAY = 1;

/** A calendar of the last twelve weeks, coloured by the number of answers on each day. */
function Calendar() {
  const { t, locale } = useI18n();
  const [days, setDays] = useState<LearnedDays | null>(null);
  useEffect(() => {
    // If the request fails, the calendar is left out.
    client.getCalendar({ timeZone: ownTimeZone() }).then(setDays, () => {});
  }, []);
  if (!days) return null;
  const weeks = weeksOf(days, localDate(new Date()), firstWeekday());
  const months = monthStarts(weeks);
  const learned = weeks.flat().filter(({ answers }) => answers > 0);
  const answers = learned.reduce((sum, day) => sum + day.answers, 0);
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const nameOf = (day: Day | null | undefined, part: 'month' | 'weekday') =>
    day && new Date(day.date).toLocaleDateString(locale, { [part]: 'short', timeZone: 'UTC' });
  const title = (day: Day) => `${format.format(Date.parse(day.date))}: ${t.learning.answers(day.answers)}`;
  return (
    <Card title={t.learning.calendar}>
      {/* The calendar is hidden from screen readers; the sentence below has its totals. */}
      <div class="calendar" aria-hidden="true">
        <div>
          <span class="calendar-month" />
          {weeks[0]?.map((day, at) => (
            // Every second day has its name, since all of them would be too small to read.
            <small key={day.date}>{at % 2 === 0 && nameOf(day, 'weekday')}</small>
          ))}
        </div>
        {weeks.map((week, at) => (
          <div key={week[0]?.date}>
            <span class="calendar-month">{nameOf(months[at], 'month')}</span>
            {week.map((day) => (
              <span key={day.date} class={`day day-${day.level}`} title={title(day)} />
            ))}
          </div>
        ))}
      </div>
      <p class="hint">{t.learning.calendarMore(t.learning.answers(answers), learned.length)}</p>
    </Card>
  );
}

function firstWeekday(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & { getWeekInfo?(): { firstDay: number } };
  return locale.getWeekInfo?.().firstDay ?? MONDAY;
}

/** How many words become due on each of the next seven days. */
function Forecast({ days }: { days: Progress['forecast'] }) {
  const { t, locale } = useI18n();
  const most = Math.max(1, ...days.map(({ due }) => due));
  const weekday = (date: string) => new Date(date).toLocaleDateString(locale, { weekday: 'short', timeZone: 'UTC' });
  return (
    <Card title={t.learning.forecast}>
      <ol class="forecast">
        {days.map(({ date, due }, at) => (
          <li key={date}>
            <small>{at === 0 ? t.learning.today : weekday(date)}</small>
            {/* The bar is hidden from screen readers; the number below says the same. */}
            <svg viewBox={`0 0 1 ${most}`} preserveAspectRatio="none" aria-hidden="true">
              <rect class="stage-learning" y={most - due} width="1" height={due} />
            </svg>
            <span>{due}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
