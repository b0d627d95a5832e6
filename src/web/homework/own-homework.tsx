// The screen of the owner of homework: the link, who has begun and who is done, the hardest words, and what can be changed.
import type { Assignment } from '../../client/types.ts';
import { client } from '../api.ts';
import { download } from '../download.ts';
import { usePageConfig } from '../frame/page-config.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Notice } from '../ui/notice.tsx';
import QrCode from '../ui/qr-code.tsx';
import { ShareButtons } from '../ui/share-buttons.tsx';
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
  const { results, error, more } = useResults(code);
  const deletion = useSubmit(async () => {
    await client.deleteAssignment(code);
    navigate('/homework', { replace: true });
  });
  return (
    <>
      <div class="columns">
        <HomeworkLink assignment={assignment} />
        <section class="card" aria-labelledby="change">
          <h2 id="change">{t.homework.change}</h2>
          <ChangeHomework assignment={assignment} onChanged={onChanged} />
        </section>
      </div>
      {error && <Notice kind="error">{error}</Notice>}
      {!results && !error && <Spinner text={t.loading} />}
      {results && (
        <>
          <PeopleTable results={results} onMore={more} />
          <HardestWords results={results} />
        </>
      )}
      <div class="stack">
        <TakeHomework assignment={results?.assignment ?? assignment} kind="secondary" />
        <ActionButton
          class="secondary"
          action={() =>
            download(`/api/v1/assignments/${code}/results`, 'text/csv', `homework-${code}.csv`)
          }
        >
          {t.lists.downloadTable}
        </ActionButton>
        {deletion.error && <Notice kind="error">{deletion.error}</Notice>}
        <div>
          <ConfirmButton
            label={t.homework.delete}
            class="danger"
            question={t.homework.deleteAsk(title)}
            consequence={t.homework.deleteMore}
            onConfirmed={deletion.submit}
          />
        </div>
      </div>
    </>
  );
}

function HomeworkLink({ assignment: { code, title } }: { assignment: Assignment }) {
  const { t } = useI18n();
  const { shareOrigin } = usePageConfig();
  const url = `${shareOrigin ?? location.origin}/homework/${code}`;
  return (
    <section class="card homework-link" aria-labelledby="link">
      <div>
        <h2 id="link">{t.homework.link}</h2>
        <p>
          <a href={url}>{url}</a>
        </p>
        <p class="hint">{t.homework.linkMore}</p>
        <div class="actions">
          <ShareButtons url={url} text={t.homework.shareText(title)} />
        </div>
      </div>
      <QrCode text={url} label={t.qrCode} />
    </section>
  );
}
