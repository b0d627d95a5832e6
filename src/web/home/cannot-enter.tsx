// Says why a link or a code leads nowhere now, and takes a better code.
import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { JoinForm } from './join-form.tsx';

interface CannotEnterProps {
  title: string;
  reason: string;
  /** The code as it was typed; null if no other code would help. */
  code: string | null;
  /** Shown above the reason. */
  notice?: ComponentChildren;
  /** Shown beside the link to the first screen. */
  children?: ComponentChildren;
}

export function CannotEnter({ title, reason, code, notice, children }: CannotEnterProps) {
  const { t } = useI18n();
  return (
    <Page title={title}>
      {notice}
      <p class="lead">{reason}</p>
      {code !== null && (
        <div class="card">
          <JoinForm typed={code} />
        </div>
      )}
      <div class="actions">
        <Link to="/" class="button primary">
          {t.home}
        </Link>
        {children}
      </div>
    </Page>
  );
}
