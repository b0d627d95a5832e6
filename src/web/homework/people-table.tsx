// Who has begun and who is done, with their best results.
import type { AssignmentResults } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';

type Person = AssignmentResults['people'][number];

interface PeopleTableProps {
  results: AssignmentResults;
  /** Shows a page more. */
  onMore(): void;
}

export function PeopleTable({ results, onMore }: PeopleTableProps) {
  const { t } = useI18n();
  const { assignment, people, next } = results;
  const { startedCount = 0, finishedCount = 0 } = assignment;
  return (
    <section class="card" aria-labelledby="people">
      <h2 id="people">
        {t.homework.started(startedCount)}, {t.homework.finished(finishedCount)}
      </h2>
      {people.length === 0 && <p class="hint">{t.homework.nobody}</p>}
      {people.length > 0 && (
        <table class="people">
          <thead>
            <tr>
              <th>{t.name}</th>
              <th>{t.homework.bestShort}</th>
              <th>{t.homework.state}</th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <PersonRow key={person.userId} person={person} />
            ))}
          </tbody>
        </table>
      )}
      {next && (
        <button type="button" class="secondary" onClick={onMore}>
          {t.homework.morePeople}
        </button>
      )}
    </section>
  );
}

function PersonRow({ person: { name, attempts, best } }: { person: Person }) {
  const { t, dateTime } = useI18n();
  const open = attempts.find(({ finishedAt }) => finishedAt === null);
  const finishedAt = attempts.findLast((attempt) => attempt.finishedAt !== null)?.finishedAt;
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
        {attempts.length > 1 && <small class="hint"> {t.homework.attempts(attempts.length)}</small>}
      </td>
      <td>{best ? `${best.correct}/${best.total}` : '–'}</td>
      <td class="hint">
        {open
          ? t.homework.answering(open.answered, open.total)
          : finishedAt && t.homework.doneAt(dateTime(finishedAt))}
      </td>
    </tr>
  );
}
