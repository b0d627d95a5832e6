// Lets somebody play by a name alone, with or without an invitation, or host a class. A dead invitation is told before
// a name is asked for.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Invitation, ListRequest } from '../../client/types.ts';
import { asNetworkLimit, client } from '../api.ts';
import { routeOf } from '../frame/routes.ts';
import { CannotEnter } from '../home/join-form.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, Button, SubmitButton, useSubmit } from '../ui/button.tsx';
import { NameField } from '../ui/field.tsx';
import { wordsOfList } from '../words/deck-choice.ts';
import { OwnWords } from '../words/own-words.tsx';
import { getUser, type User } from './auth.ts';
import { useSession } from './session.tsx';

export interface GuestFormProps {
  /** The invitation, with which the guest doesn't host. A code's guests aren't counted for the network. [contract 22] */
  link: InvitationLink | null;
  /** Whether the lobby gives its players names, so that none is asked for. [contract 22] */
  isNamed: boolean;
  /** Called when the code admits nobody any more. */
  onRefused(): void;
  /** Called when the user prefers to sign in. */
  onAccount(): void;
}

export function GuestForm({ link, isNamed, onRefused, onAccount }: GuestFormProps) {
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
    <form onSubmit={sending.submit}>
      {!isNamed && <NameField value={name} onValue={setName} isFocused={link !== null} />}
      <SubmitButton sending={sending} label={t.guest.play} />
      {link && !isNamed && <ActionButton label={t.guest.pickName} action={() => play()} />}
      {!link && <ActionButton icon="board" label={t.hostClass} action={host} />}
      {!link && <OwnWords text={t.hostClass} use={hostOwn} />}
      <Button class="quiet" label={t.guest.haveAccount} onClick={onAccount} />
    </form>
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

/** What is known of an invitation before a name is asked for. */
interface Invited {
  /** Undefined until the service has replied. If the service can't say, only the link's kind is known. */
  told: Invitation | undefined;
  /** The error code for which nobody can enter by the link now; null if somebody can. */
  refusal: string | null;
  /** Asks the service again. */
  ask(): void;
}

/** @param link null if there is no link to ask about */
export function useInvitation(link: InvitationLink | null): Invited {
  const [reply, setReply] = useState<Omit<Invited, 'ask'>>({ told: undefined, refusal: null });
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
  invited: Invited;
  notice: ComponentChildren;
  /** Called when the user prefers to sign in. */
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
