// The assignments that the user has begun and set, and the screen behind the link to one: for its owner what people have
// answered, for everybody the way to do it.
import { useState } from 'preact/hooks';
import type { Assignment, Assignments } from '../../client/types.ts';
import { client } from '../api.ts';
import { GuestOffer } from '../game/guest-offer.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ButtonLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { BegunState, HomeworkEntry, HomeworkFacts, HomeworkTimes, TakeHomework } from './homework-facts.tsx';
import './homework.css';
import { QueryFallback, useQuery } from '../ui/query.tsx';
import { TextWithNames } from '../ui/text-with-names.tsx';
import { OwnHomework } from './own-homework.tsx';

export function HomeworkScreen() {
  const { t } = useI18n();
  const create = <ButtonLink to="/homework/new" class="primary" label={t.homework.create} />;
  return (
    <Page title={t.homework.title} aside={create}>
      <PagedList
        title={t.homework.begun}
        read={async (before) => toItems(await client.getBegunAssignments({ before }))}
        older={t.homework.older}
        entry={(assignment) => (
          <HomeworkEntry key={assignment.code} assignment={assignment}>
            <BegunState assignment={assignment} />
          </HomeworkEntry>
        )}
      />
      <PagedList
        title={t.homework.ownTitle}
        read={async (before) => toItems(await client.getAssignments({ before }))}
        none={t.homework.none}
        older={t.homework.older}
        entry={(assignment) => (
          <HomeworkEntry key={assignment.code} assignment={assignment}>
            <p class="hint">{t.homework.finished(assignment.finishedCount ?? 0)}</p>
          </HomeworkEntry>
        )}
      />
    </Page>
  );
}

function toItems({ assignments, next }: Assignments) {
  return { items: assignments, next };
}

/** The screen behind the link to homework: for its owner what people have answered, for everybody the way to do it. */
export function AssignmentScreen({ code }: { code: string }) {
  const { t } = useI18n();
  const { data, error } = useQuery(() => client.getAssignment(code), code);
  if (data) return <FoundAssignment found={data} />;
  return <QueryFallback error={error} parent={{ path: '/', title: t.home }} />;
}

function FoundAssignment({ found }: { found: Assignment }) {
  const { t } = useI18n();
  const [assignment, setAssignment] = useState(found);
  const { title, ownerName } = assignment;
  const isOwn = assignment.startedCount !== undefined;
  return (
    <Page title={title} heading={<bdi>{title}</bdi>} width={isOwn ? 'wide' : 'narrow'}>
      <div>
        {!isOwn && (
          <p class="lead">
            <TextWithNames text={t.homework.setBy} names={[ownerName]} />
          </p>
        )}
        <HomeworkFacts assignment={assignment} />
        <HomeworkTimes assignment={assignment} />
      </div>
      {isOwn ? (
        <OwnHomework assignment={assignment} onChanged={setAssignment} />
      ) : (
        <section class="card" aria-label={title}>
          <TakeHomework assignment={assignment} kind="primary" />
        </section>
      )}
      <GuestOffer />
    </Page>
  );
}
