// The first screen of users who are not signed in: play as a guest, sign up or sign in.
import { useState } from 'preact/hooks';
import { parseCode } from '../../lobby/rules.ts';
import { usePageConfig } from '../frame/page-config.tsx';
import { routeOf } from '../frame/routes.ts';
import { JoinForm } from '../home/join-form.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { load, save } from '../ui/storage.ts';
import { GuestForm } from './guest-form.tsx';
import { useSession } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { SocialSignIn } from './social-sign-in.tsx';

/** Whether somebody has signed in with this browser before. */
const KNOWN = 'has-account';

const BUBBLES = ['play', 'giocare', 'jugar', 'jouer', 'spielen'];

/** @param next the path to go to afterwards, such as the lobby of an invitation */
export function EntryScreen({ next }: { next: string }) {
  const { t } = useI18n();
  const { guests } = usePageConfig();
  const { user } = useSession();
  const [wantsAccount, setWantsAccount] = useState(isKnown() || hasSocialFailed());
  const isInvited = next.startsWith('/lobby/') || next.startsWith('/lists/');
  const code = invitedCode(next);
  const title = code ? t.invited : t.tagline;
  const isGuest = guests && !user && !wantsAccount;
  const entry = isGuest ? (
    <GuestCard onAccount={() => setWantsAccount(true)} />
  ) : (
    <AccountCard next={next} />
  );
  const invitation = code && <p class="lead">{t.invitedTo(code)}</p>;
  if (isGuest && isInvited)
    return (
      <Page title={title}>
        {invitation}
        {entry}
      </Page>
    );
  return (
    <Page title={title} width="wide">
      <div class="entry">
        <div>
          {invitation}
          <p class="lead">{user ? t.guest.keepMore : code ? t.signInFirst : t.taglineMore}</p>
          <ul class="bubbles" aria-hidden="true">
            {BUBBLES.map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        </div>
        <div class="stack">
          {!user && !isInvited && (
            <div class="card card-join">
              <JoinForm />
            </div>
          )}
          {entry}
        </div>
      </div>
    </Page>
  );
}

/** @returns the lobby's code if `next` is an invitation, otherwise null */
function invitedCode(next: string): string | null {
  const route = routeOf(next);
  return route.name === 'lobby' ? parseCode(route.code) : null;
}

function isKnown(): boolean {
  return load('device', KNOWN) !== null;
}

function hasSocialFailed(): boolean {
  return new URLSearchParams(location.search).has('error');
}

function GuestCard({ onAccount }: { onAccount(): void }) {
  const { t } = useI18n();
  return (
    <section class="card" aria-label={t.guest.play}>
      <p class="lead">{t.guest.enough}</p>
      <GuestForm onAccount={onAccount} />
    </section>
  );
}

function AccountCard({ next }: { next: string }) {
  const { t } = useI18n();
  const [isNew, setNew] = useState(!isKnown());
  return (
    <section class="card" aria-label={isNew ? t.signUp : t.signIn}>
      <div class="tabs">
        <button type="button" aria-pressed={isNew} onClick={() => setNew(true)}>
          {t.signUp}
        </button>
        <button type="button" aria-pressed={!isNew} onClick={() => setNew(false)}>
          {t.signIn}
        </button>
      </div>
      {hasSocialFailed() && <Notice kind="error">{t.errors.SOCIAL_FAILED}</Notice>}
      <SocialSignIn next={next} />
      {isNew ? (
        <SignUpForm next={next} />
      ) : (
        <SignInForm next={next} onSignedIn={() => save('device', KNOWN, true)} />
      )}
    </section>
  );
}
