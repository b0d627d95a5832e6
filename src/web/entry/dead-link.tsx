// Says that nobody can enter by a link now, before it asks for a name. Whoever may enter all the same can sign in.
import type { ComponentChildren } from 'preact';
import { CannotEnter } from '../home/cannot-enter.tsx';
import { useI18n } from '../i18n/index.tsx';
import { DEAD, type InvitationLink } from './invitation.ts';

interface DeadLinkProps {
  link: InvitationLink;
  notice: ComponentChildren;
  /** Called when the user prefers to sign in. */
  onAccount(): void;
}

export function DeadLink({ link: { kind, code }, notice, onAccount }: DeadLinkProps) {
  const { t } = useI18n();
  const titles = { lobby: t.cannotJoin, assignment: t.homework.title, list: t.notFound };
  return (
    <CannotEnter
      title={titles[kind]}
      reason={t.errors[DEAD[kind]] ?? ''}
      code={kind === 'list' ? null : code}
      notice={notice}
    >
      <button type="button" class="secondary" onClick={onAccount}>
        {t.guest.haveAccount}
      </button>
    </CannotEnter>
  );
}
