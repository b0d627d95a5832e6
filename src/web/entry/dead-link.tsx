// Says that nobody can enter by a link now, before it asks for a name. Whoever is a member already can sign in.
import type { ComponentChildren } from 'preact';
import { JoinForm } from '../home/join-form.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { DEAD, type InvitationLink } from './invitation.ts';

interface DeadLinkProps {
  link: InvitationLink;
  /** Called when the user prefers to sign in. */
  onAccount(): void;
  children: ComponentChildren;
}

export function DeadLink({ link: { kind, code }, onAccount, children }: DeadLinkProps) {
  const { t } = useI18n();
  return (
    <Page title={kind === 'lobby' ? t.cannotJoin : t.homework.title}>
      {children}
      <p class="lead">{t.errors[DEAD[kind]]}</p>
      <div class="card">
        <JoinForm typed={code} />
      </div>
      <div class="actions">
        <Link to="/" class="button primary">
          {t.home}
        </Link>
        <button type="button" class="secondary" onClick={onAccount}>
          {t.guest.haveAccount}
        </button>
      </div>
    </Page>
  );
}
