// The first screen of users who are not signed in: play as a guest, sign up by email or a provider, or sign in.
import { useState } from 'preact/hooks';
import type { Invitation } from '../../client/types.ts';
import { parseCode } from '../../lobby/rules.ts';
import { usePageConfig } from '../frame/page-config.tsx';
import type { Provider } from '../frame/page-schema.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { EmailField, NameField, NewPasswordField } from '../ui/field.tsx';
import { Notice, Spinner } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { load, save } from '../ui/storage.ts';
import { TextWithNames } from '../ui/text-with-names.tsx';
import { redirectToProvider, savePending, signUp } from './auth.ts';
import {
  DeadLink,
  GuestForm,
  type GuestFormProps,
  type InvitationLink,
  invitationOf,
  useInvitation,
} from './guest-form.tsx';
import { Landing } from './landing.tsx';
import { useSession } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Whether somebody has signed in with this browser before. */
const KNOWN = 'has-account';

/** @param next the path to go to afterwards, such as the lobby of an invitation */
export function EntryScreen({ next }: { next: string }) {
  const { t } = useI18n();
  const { guests } = usePageConfig();
  const { user, isOver } = useSession();
  const [link] = useState(() => invitationOf(next));
  const isMember = link?.isForMembers === true;
  const [wantsAccount, setWantsAccount] = useState(isKnown() || isMember || socialError() !== null);
  const [hasAccount, setHasAccount] = useState(isKnown() || isMember);
  const invited = useInvitation(link);
  const { told, refusal } = invited;
  const isGuest = guests && !user && !wantsAccount;
  const signIn = () => {
    setHasAccount(true);
    setWantsAccount(true);
  };
  const entry = isGuest ? (
    <GuestCard link={link} isNamed={told?.names === 'given'} onRefused={invited.ask} onAccount={signIn} />
  ) : (
    <AccountCard next={next} hasAccount={hasAccount} />
  );
  const over = isOver && <Notice kind="info">{t.sessionOver}</Notice>;
  if (!user && !link)
    return (
      <Landing>
        {over}
        {entry}
      </Landing>
    );
  if (link && !told) return <Spinner text={t.loading} />;
  if (link && refusal && !wantsAccount)
    return <DeadLink link={link} invited={invited} notice={over} onAccount={signIn} />;
  const titles = { lobby: t.invited, assignment: told?.title ?? t.homework.title, list: t.tagline };
  return (
    <Page title={link && !isMember ? titles[link.kind] : t.tagline}>
      {over}
      {refusal && <Notice kind="info">{t.errors[refusal]}</Notice>}
      {link && told && !isMember && !refusal && <Lead link={link} told={told} />}
      {!isGuest && <p class="lead">{user ? t.guest.keepMore : t.signInFirst}</p>}
      {entry}
    </Page>
  );
}

/** What a stranger is invited to. */
function Lead({ link: { kind, code }, told }: { link: InvitationLink; told: Invitation }) {
  const { t, dateTime } = useI18n();
  const { ownerName, closesAt } = told;
  if (ownerName && closesAt)
    return (
      <div>
        <p class="lead">
          <TextWithNames text={t.homework.setBy} names={[ownerName]} /> · {t.homework.closesAt(dateTime(closesAt))}
        </p>
        <p class="hint">
          <TextWithNames text={t.homework.sees} names={[ownerName]} />
        </p>
      </div>
    );
  if (kind === 'lobby') return <p class="lead">{t.invitedTo(parseCode(code) ?? code)}</p>;
  return kind === 'list' ? <p class="lead">{t.lists.fromSomebody}</p> : null;
}

function isKnown(): boolean {
  return load('device', KNOWN) !== null;
}

/** @returns why a provider's sign-in has failed, as its redirect says; null if none has */
function socialError(): string | null {
  return new URLSearchParams(location.search).get('error');
}

/** The texts for the reasons about which the user can do something. */
const SOCIAL_ERRORS: Record<string, string> = {
  account_not_linked: 'ACCOUNT_NOT_LINKED',
  email_not_verified: 'EMAIL_NOT_VERIFIED',
};

function GuestCard(props: GuestFormProps) {
  const { t } = useI18n();
  return (
    <section class="card" aria-label={t.guest.play}>
      {!props.isNamed && <p class="lead">{t.guest.enough}</p>}
      <GuestForm {...props} />
    </section>
  );
}

/** @param props.hasAccount whether a sign-in is offered first */
function AccountCard({ next, hasAccount }: { next: string; hasAccount: boolean }) {
  const { t } = useI18n();
  const { emailSignUp } = usePageConfig();
  const [wantsNew, setNew] = useState(!hasAccount);
  const isNew = emailSignUp && wantsNew;
  const error = socialError();
  return (
    <section class="card" aria-label={isNew ? t.signUp : t.signIn}>
      {emailSignUp && (
        <div class="tabs">
          <button type="button" aria-pressed={isNew} onClick={() => setNew(true)}>
            {t.signUp}
          </button>
          <button type="button" aria-pressed={!isNew} onClick={() => setNew(false)}>
            {t.signIn}
          </button>
        </div>
      )}
      {error !== null && <Notice kind="error">{t.errors[SOCIAL_ERRORS[error] ?? 'SOCIAL_FAILED']}</Notice>}
      <SocialSignIn next={next} />
      {isNew ? <SignUpForm next={next} /> : <SignInForm next={next} onSignedIn={() => save('device', KNOWN, true)} />}
    </section>
  );
}

/**
 * Creates an account. Its address is confirmed by mail before the first sign-in.
 * @param next the path to go to after the confirmation
 */
function SignUpForm({ next }: { next: string }) {
  const { t } = useI18n();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    await signUp({ name: name.trim(), email, password }, next);
    savePending({ email, next }, password);
    navigate('/check-mail');
  });
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} />
      <EmailField value={email} onValue={setEmail} />
      <NewPasswordField label={t.password} value={password} onValue={setPassword} />
      <SubmitButton sending={sending} label={t.signUp} />
    </form>
  );
}

/** The buttons of the providers that the service has configured. */
function SocialSignIn({ next }: { next: string }) {
  const { t } = useI18n();
  const { providers } = usePageConfig();
  if (providers.length === 0) return null;
  return (
    <div class="social">
      {providers.map((provider) => (
        <SocialButton key={provider} provider={provider} next={next} />
      ))}
      <p class="divider">{t.or}</p>
    </div>
  );
}

export function SocialButton({ provider, next }: { provider: Provider; next: string }) {
  const { t } = useI18n();
  const { oidcName } = usePageConfig();
  const names = { google: 'Google', github: 'GitHub', oidc: oidcName ?? '' };
  return (
    <ActionButton
      label={t.signInWith(names[provider])}
      action={() => redirectToProvider('/sign-in/social', provider, next)}
    />
  );
}
