// How many words become due on each of the next seven days.
import type { Progress } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';

export function Forecast({ days }: { days: Progress['forecast'] }) {
  const { t, locale } = useI18n();
  const most = Math.max(1, ...days.map(({ due }) => due));
  const weekday = (date: string) => new Date(date).toLocaleDateString(locale, { weekday: 'short', timeZone: 'UTC' });
  return (
    <section class="card" aria-labelledby="forecast">
      <h2 id="forecast">{t.learning.forecast}</h2>
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
    </section>
  );
}
