// The screen of the owner of homework: the link, who has begun and who is done, the hardest words, and what can be changed.
import type { Assignment } from '../../client/types.ts';
import { client } from '../api.ts';
import { download } from '../download.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ShareLink } from '../ui/share-link.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { ChangeHomework } from './change-homework.tsx';
import { HardestWords } from './hardest-words.tsx';
import { PeopleTable } from './people-table.tsx';
import { TakeHomework } from './take-homework.tsx';
import { useResults } from './use-results.ts';

interface OwnHomeworkProps {
  assignment: Assignment;
  onChanged(assignment: Assignment): void;
}

export function OwnHomework({ assignment, onChanged }: OwnHomeworkProps) {
  const { t } = useI18n();
  const { code, title } = assignment;
  const { results, error, more, refresh } = useResults(code);
  const deletion = useSubmit(async () => {
    await client.deleteAssignment(code);
    navigate('/homework', { replace: true });
  });
  return (
    <div class="columns columns-homework">
      <ShareLink
        title={t.homework.link}
        path={`/homework/${code}`}
        hint={t.homework.linkMore}
        text={t.homework.shareText(title)}
      />
      <div class="stack">
        {error && <Notice kind="error">{error}</Notice>}
        {!results && !error && <Spinner text={t.loading} />}
        {results && (
          <>
            <PeopleTable results={results} onMore={more} onRemoved={refresh} />
            <HardestWords results={results} />
          </>
        )}
        <ActionButton
          class="secondary"
          action={() => download(`/api/v1/assignments/${code}/results`, 'text/csv', `homework-${code}.csv`)}
        >
          {t.lists.downloadTable}
        </ActionButton>
      </div>
      <div class="stack">
        <section class="card" aria-labelledby="change">
          <h2 id="change">{t.homework.change}</h2>
          <ChangeHomework assignment={assignment} onChanged={onChanged} />
        </section>
        <TakeHomework assignment={results?.assignment ?? assignment} kind="secondary" />
        {deletion.error && <Notice kind="error">{deletion.error}</Notice>}
        <ConfirmButton
          label={t.homework.delete}
          class="danger"
          question={t.homework.deleteAsk(title)}
          consequence={t.homework.deleteMore}
          onConfirmed={deletion.submit}
        />
      </div>
    </div>
  );
}
