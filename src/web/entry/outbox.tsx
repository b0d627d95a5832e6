// The mails of a development server, which sends none, each with its link.
import { useEffect, useState } from 'preact/hooks';
import { page } from '../api.ts';
import type { OutboxMail } from '../frame/page-schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Page } from '../ui/page.tsx';

const REFRESH_MS = 1500;

export function OutboxScreen() {
  const { t } = useI18n();
  const [mails, setMails] = useState<OutboxMail[]>([]);
  useEffect(() => {
    // The worker writes a mail a moment after it was requested.
    const loadMails = () => {
      page.outbox().then(
        (outbox) => setMails(outbox.mails),
        () => {},
      );
    };
    loadMails();
    const timer = setInterval(loadMails, REFRESH_MS);
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

/** @returns the link's path, so that it opens on the page's own origin, whichever origin the mail names */
function here(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
