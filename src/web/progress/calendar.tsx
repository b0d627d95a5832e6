// The last twelve weeks at a glance: on which days one has learned, and how much.
import { useEffect, useState } from 'preact/hooks';
import type { Calendar as LearnedDays } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { ownTimeZone } from '../use-progress.ts';
import { type Day, localDate, weeksOf } from './calendar-weeks.ts';

/** Where weeks begin on another day, a browser that knows it says so. */
const MONDAY = 1;

export function Calendar() {
  const { t, locale } = useI18n();
  const [days, setDays] = useState<LearnedDays | null>(null);
  useEffect(() => {
    // Without it the rest of the screen is as good.
    client.getCalendar({ timeZone: ownTimeZone() }).then(setDays, () => {});
  }, []);
  if (!days) return null;
  const weeks = weeksOf(days, localDate(new Date()), firstWeekday());
  const learned = weeks.flat().filter(({ answers }) => answers > 0);
  const answers = learned.reduce((sum, day) => sum + day.answers, 0);
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const title = (day: Day) =>
    `${format.format(Date.parse(day.date))}: ${t.learning.answers(day.answers)}`;
  return (
    <section class="card" aria-labelledby="calendar">
      <h2 id="calendar">{t.learning.calendar}</h2>
      {/* Seen only: the sentence below says as much. */}
      <div class="calendar" aria-hidden="true">
        {weeks.map((week) => (
          <div key={week[0]?.date}>
            {week.map((day) => (
              <span key={day.date} class={`day day-${day.level}`} title={title(day)} />
            ))}
          </div>
        ))}
      </div>
      <p class="hint">{t.learning.calendarMore(t.learning.answers(answers), learned.length)}</p>
    </section>
  );
}

function firstWeekday(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
  };
  return locale.getWeekInfo?.().firstDay ?? MONDAY;
}
