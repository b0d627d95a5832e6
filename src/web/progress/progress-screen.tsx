// What one has learned: when, and how far one has got with each deck and list. Loaded when it is opened.

import { DueToday } from '../components/due-today.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Waiting } from '../components/waiting.tsx';
import { hasLearned } from '../due.ts';
import { useI18n } from '../i18n/index.tsx';
import { useProgress } from '../use-progress.ts';
import { Calendar } from './calendar.tsx';
import { Stages } from './stages.tsx';
import './progress.css';

export default function ProgressScreen() {
  const { t } = useI18n();
  const progress = useProgress();
  return (
    <Page title={t.learning.title} width="wide">
      {progress === undefined && <Waiting text={t.loading} />}
      {progress === null && <Notice kind="error">{t.errors.OFFLINE}</Notice>}
      {progress && !hasLearned(progress) && <p class="lead">{t.learning.empty}</p>}
      {progress && <DueToday progress={progress} />}
      <Calendar />
      {progress && progress.decks.length > 0 && (
        <section class="card" aria-labelledby="stages">
          <h2 id="stages">{t.learning.byWords}</h2>
          <ul class="stages ruled">
            {progress.decks.map((words) => (
              <Stages
                key={'listId' in words ? words.listId : Object.values(words).join()}
                words={words}
              />
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}
