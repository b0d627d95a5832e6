// A calendar of the last twelve weeks, coloured by the number of answers on each day.
import { useEffect, useState } from 'preact/hooks';
import type { Calendar as LearnedDays } from '../../client/types.ts';
import { client } from '../api.ts';
import { useI18n } from '../i18n/index.tsx';
import { type Day, localDate, monthStarts, weeksOf } from './calendar-weeks.ts';
import { ownTimeZone } from './use-progress.ts';

/** The default for browsers that do not know the locale's first day of the week. */
const MONDAY = 1;

export function Calendar() {
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
    <section class="card" aria-labelledby="calendar">
      <h2 id="calendar">{t.learning.calendar}</h2>
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
    </section>
  );
}

function firstWeekday(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & { getWeekInfo?(): { firstDay: number } };
  return locale.getWeekInfo?.().firstDay ?? MONDAY;
}
