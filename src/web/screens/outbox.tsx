// The mails of a development server, which sends none: each a click away from its link.
import { useEffect, useState } from 'preact/hooks';
import { page } from '../api.ts';
import { Page } from '../components/page.tsx';
import { useI18n } from '../i18n/index.tsx';
import type { OutboxMail } from '../page-schema.ts';

const REFRESH_MS = 1500;

export function OutboxScreen() {
  const { t } = useI18n();
  const [mails, setMails] = useState<OutboxMail[]>([]);
  useEffect(() => {
    // A mail is written a moment after it was asked for.
    const look = () => {
      page.outbox().then(
        (outbox) => setMails(outbox.mails),
        () => {},
      );
    };
    look();
    const timer = setInterval(look, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Page title={t.outbox}>
      <p class="lead">{mails.length > 0 ? t.outboxMore : t.outboxEmpty}</p>
      <ul class="mails">
        {mails.map(({ to, subject, url }) => (
          <li key={url} class="card">
            <div>
              <strong lang="en">{subject}</strong>
              <p class="hint">{t.outboxTo(to)}</p>
            </div>
            <a class="button primary" href={here(url)}>
              {t.outboxOpen}
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** @returns the link at the address under which this page was opened, whatever the mail says */
function here(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
