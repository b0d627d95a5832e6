// The user's progress by day and by deck or list. It is loaded when it is opened.
import { DueToday } from '../home/due-today.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { deckOf } from '../words/deck-choice.ts';
import { Calendar } from './calendar.tsx';
import { hasLearned } from './due.ts';
import { Forecast } from './forecast.tsx';
import { Stages } from './stages.tsx';
import { useProgress } from './use-progress.ts';
import './progress.css';

export function ProgressScreen() {
  const { t } = useI18n();
  const progress = useProgress();
  return (
    <Page title={t.learning.title} width="wide">
      {progress === undefined && <Spinner text={t.loading} />}
      {progress === null && <Notice kind="error">{t.errors.OFFLINE}</Notice>}
      {progress && !hasLearned(progress) && <p class="lead">{t.learning.empty}</p>}
      {progress && <DueToday progress={progress} />}
      {progress && hasLearned(progress) && <Forecast days={progress.forecast} />}
      <Calendar />
      {progress && progress.decks.length > 0 && (
        <section class="card" aria-labelledby="stages">
          <h2 id="stages">{t.learning.byWords}</h2>
          <ul class="stages ruled">
            {progress.decks.map((words) => (
              <Stages key={'listId' in words ? words.listId : Object.values(deckOf(words)).join()} words={words} />
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}
