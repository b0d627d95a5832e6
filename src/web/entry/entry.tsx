// The first screen of users who are not signed in: play by a name alone, host a class, sign up by email or a provider, or
// sign in. A dead invitation is told before a name is asked for.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Invitation, ListRequest } from '../../client/types.ts';
import { parseCode } from '../../lobby/rules.ts';
import { asNetworkLimit, client } from '../api.ts';
import { usePageConfig } from '../frame/page-config.tsx';
import type { Provider } from '../frame/page-schema.ts';
import { navigate } from '../frame/router.ts';
import { routeOf } from '../frame/routes.ts';
import { CannotEnter } from '../home/join-form.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, Button, SubmitButton, useSubmit } from '../ui/button.tsx';
import { EmailField, NameField, NewPasswordField } from '../ui/field.tsx';
import { Notice, Page, Spinner, TextWithNames } from '../ui/page.tsx';
import { load, save } from '../ui/storage.ts';
import { wordsOfList } from '../words/deck-choice.ts';
import { OwnWords } from '../words/own-words.tsx';
import { getUser, redirectToProvider, savePending, signUp, type User } from './auth.ts';
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
  const [hasAccount, setHasAccount] = useState(isMember || load('device', KNOWN) !== null);
  const [wantsAccount, setWantsAccount] = useState(hasAccount || socialError() !== null);
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

/** @returns why a provider's sign-in has failed, as its redirect says; null if none has */
function socialError(): string | null {
  return new URLSearchParams(location.search).get('error');
}

/** The texts for the reasons about which the user can do something. */
const SOCIAL_ERRORS: Record<string, string> = {
  account_not_linked: 'ACCOUNT_NOT_LINKED',
  email_not_verified: 'EMAIL_NOT_VERIFIED',
};

/** @param props.hasAccount whether a sign-in is offered first */
function AccountCard({ next, hasAccount }: { next: string; hasAccount: boolean }) {
  const { t } = useI18n();
  const { emailSignUp, providers } = usePageConfig();
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
      {providers.length > 0 && (
        <div class="social">
          {providers.map((provider) => (
            <SocialButton key={provider} provider={provider} next={next} />
          ))}
          <p class="divider">{t.or}</p>
        </div>
      )}
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

interface GuestCardProps {
  /** The invitation, with which the guest doesn't host. A code's guests aren't counted for the network. [contract 22] */
  link: InvitationLink | null;
  /** Whether the lobby gives its players names, so that none is asked for. [contract 22] */
  isNamed: boolean;
  /** Called when the code admits nobody any more. */
  onRefused(): void;
  onAccount(): void;
}

function GuestCard({ link, isNamed, onRefused, onAccount }: GuestCardProps) {
  const { t, locale } = useI18n();
  const { signedIn } = useSession();
  const [name, setName] = useState('');
  /** The guest, whom the service may have accepted although the room was refused. */
  const guest = useRef<User | null>(null);
  const becomeGuest = async (chosen?: string) => {
    if (!guest.current) {
      const request = {
        ...(chosen !== undefined && { name: chosen }),
        ...(link && link.kind !== 'list' && { code: link.code }),
      };
      await client.createGuest(request).catch((thrown: unknown) => {
        if (thrown instanceof ApiError && thrown.code === 'LOBBY_NOT_FOUND') onRefused();
        throw thrown instanceof ApiError ? refusalOf(thrown) : thrown;
      });
      guest.current = await getUser();
    }
    return guest.current;
  };
  const play = async (chosen?: string) => {
    const user = await becomeGuest(chosen);
    if (user) signedIn(user);
  };
  const sending = useSubmit(() => play(isNamed ? undefined : name.trim()));
  const host = async () => {
    const { hostFirstClass } = await import('../lobby/room-choices.ts');
    const user = await becomeGuest(name.trim() || t.guest.teacher);
    await hostFirstClass(locale);
    if (user) signedIn(user);
  };
  const hostOwn = async (list: ListRequest) => {
    const { openRoom } = await import('../lobby/room-choices.ts');
    const user = await becomeGuest(name.trim() || t.guest.teacher);
    await openRoom('class', wordsOfList(await client.createList(list), false));
    if (user) signedIn(user);
  };
  return (
    <section class="card" aria-label={t.guest.play}>
      {!isNamed && <p class="lead">{t.guest.enough}</p>}
      <form onSubmit={sending.submit}>
        {!isNamed && <NameField value={name} onValue={setName} isFocused={link !== null} />}
        <SubmitButton sending={sending} label={t.guest.play} />
        {link && !isNamed && <ActionButton label={t.guest.pickName} action={() => play()} />}
        {!link && <ActionButton icon="board" label={t.hostClass} action={host} />}
        {!link && <OwnWords text={t.hostClass} use={hostOwn} />}
        <Button class="quiet" label={t.guest.haveAccount} onClick={onAccount} />
      </form>
    </section>
  );
}

/** @returns the refusal with the code whose text fits a guest */
function refusalOf(error: ApiError): ApiError {
  const { status, message, errors } = error;
  if (errors?.some(({ path }) => path === 'name')) return new ApiError(status, 'INVALID_NAME', message);
  return asNetworkLimit(error);
}

export interface InvitationLink {
  kind: Invitation['kind'];
  /** The code from the address, which may be mistyped; of a list its id. */
  code: string;
  /** Whether it is a further screen of a lobby, for which only its members need to sign in. */
  isForMembers: boolean;
}

/** The texts for a code that nothing has. */
const NOT_FOUND = { lobby: 'LOBBY_NOT_FOUND', assignment: 'ASSIGNMENT_NOT_FOUND', list: 'LIST_NOT_FOUND' } as const;

/** @returns what a path invites to; null for a path that is no invitation */
export function invitationOf(path: string): InvitationLink | null {
  const route = routeOf(path);
  switch (route.name) {
    case 'lobby':
    case 'assignment':
      return { kind: route.name, code: route.code, isForMembers: false };
    case 'screen':
    case 'remote':
      return { kind: 'lobby', code: route.code, isForMembers: true };
    case 'list':
      return { kind: 'list', code: route.listId, isForMembers: false };
    default:
      return null;
  }
}

/**
 * What is known of an invitation before a name is asked for.
 * @param link null if there is no link to ask about
 * @returns `told`, undefined until the service has replied, and with the link's kind alone if the service can't say; the
 *   error code for which nobody can enter by the link now; and a function that asks the service again
 */
export function useInvitation(link: InvitationLink | null) {
  const [reply, setReply] = useState<{ told?: Invitation; refusal: string | null }>({ refusal: null });
  const ask = useCallback(() => {
    if (!link) return;
    const dead = { told: { kind: link.kind }, refusal: NOT_FOUND[link.kind] };
    client.getInvitation(link.code).then(
      (told) => setReply(told.kind === link.kind ? { told, refusal: told.refusal ?? null } : dead),
      // The service checks the code again when somebody enters.
      (error: unknown) =>
        setReply(error instanceof ApiError && error.code === 'LOBBY_NOT_FOUND' ? dead : { ...dead, refusal: null }),
    );
  }, [link?.code]);
  useEffect(ask, [ask]);
  return { ...reply, ask };
}

interface DeadLinkProps {
  link: InvitationLink;
  invited: ReturnType<typeof useInvitation>;
  notice: ComponentChildren;
  onAccount(): void;
}

/** Says that nobody can enter by a link now, before it asks for a name. Whoever may enter all the same can sign in. */
export function DeadLink({ link: { kind, code }, invited, notice, onAccount }: DeadLinkProps) {
  const { t } = useI18n();
  const { told, refusal, ask } = invited;
  const titles = { lobby: t.cannotJoin, assignment: told?.title ?? t.homework.title, list: t.notFound };
  return (
    <CannotEnter
      title={titles[kind]}
      reason={t.errors[refusal ?? ''] ?? ''}
      code={refusal === 'LOBBY_NOT_FOUND' || refusal === 'ASSIGNMENT_NOT_FOUND' ? code : null}
      notice={notice}
      onRetry={ask}
    >
      <Button label={t.guest.haveAccount} onClick={onAccount} />
    </CannotEnter>
  );
}
