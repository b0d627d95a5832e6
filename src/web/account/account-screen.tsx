import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Account } from '../../client/types.ts';
import { client } from '../api.ts';
import { download } from '../download.ts';
import { callAuth, HAS_PASSKEYS, redirectToProvider } from '../entry/auth.ts';
import { SocialButton } from '../entry/entry.tsx';
import { useSession, useUser } from '../entry/session.tsx';
import { usePageConfig } from '../frame/page-config.tsx';
import { PROVIDERS } from '../frame/page-schema.ts';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, Button, ConfirmButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { NameField, NewPasswordField, PasswordField } from '../ui/field.tsx';
import { Card, Notice, Page } from '../ui/page.tsx';
import { Pending } from '../ui/query.tsx';
import { describeDevice } from './device-name.ts';
import { Passkeys } from './passkeys.tsx';
import { PasswordStep, SecondFactor } from './second-factor.tsx';
import './account.css';

export function AccountScreen() {
  const { t, explain } = useI18n();
  const user = useUser();
  const [account, setAccount] = useState<Account | null>(null);
  const [error, setError] = useState<string | null>(null);
  const load = useCallback(async () => {
    setError(null);
    setAccount(await client.getAccount());
  }, []);
  const reload = () => void load().catch((thrown: unknown) => setError(explain(thrown)));
  useEffect(reload, []);
  return (
    <Page title={t.account.title} width="wide">
      <p class="lead">{user.email}</p>
      {(!account || error) && <Pending error={error} />}
      {error && <Button label={t.tryAgain} onClick={reload} />}
      {account && <AccountSections account={account} load={load} reload={reload} />}
    </Page>
  );
}

interface AccountSectionsProps {
  account: Account;
  /** Loads the account again, after a change. */
  load(): Promise<void>;
  /** Does so too, and shows a failure itself. */
  reload(): void;
}

function AccountSections({ account, load, reload }: AccountSectionsProps) {
  const { t } = useI18n();
  const { oidcName } = usePageConfig();
  const hasPassword = account.providers.includes('credential');
  return (
    <div class="columns">
      <div class="stack">
        <Card title={t.account.profile}>
          <NameForm />
        </Card>
        <Card title={t.account.devices}>
          <Devices sessions={account.sessions} onChanged={load} />
        </Card>
        <Card title={t.account.data}>
          <p class="hint">{t.account.dataMore}</p>
          <ActionButton
            label={t.account.downloadData}
            action={() => download('/api/v1/account/export', 'application/json', t.account.fileName)}
          />
        </Card>
      </div>
      <div class="stack">
        {hasPassword && (
          <>
            <Card title={t.password}>
              <PasswordForm onChanged={reload} />
            </Card>
            <Card title={t.account.secondFactor}>
              <SecondFactor onChanged={reload} />
            </Card>
          </>
        )}
        {oidcName && (
          <Card title={t.account.linkTitle}>
            <LinkProvider account={account} name={oidcName} />
          </Card>
        )}
        {HAS_PASSKEYS && (
          <Card title={t.account.passkeys}>
            <Passkeys passkeys={account.passkeys} onChanged={load} />
          </Card>
        )}
        <Card title={t.account.delete}>
          <DeleteAccount account={account} />
        </Card>
      </div>
    </div>
  );
}

/** Changes the name that other players see. */
function NameForm() {
  const { t } = useI18n();
  const user = useUser();
  const { signedIn } = useSession();
  const [name, setName] = useState(user.name);
  const sending = useSubmit(async () => {
    await callAuth('/update-user', { name: name.trim() });
    signedIn({ ...user, name: name.trim() });
  });
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} />
      <SubmitButton class="secondary" sending={sending} label={t.account.saveName} done={t.account.saved} />
    </form>
  );
}

/** Changes the password, which signs out all other devices. */
function PasswordForm({ onChanged }: { onChanged(): void }) {
  const { t } = useI18n();
  const { email } = useUser();
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const sending = useSubmit(async () => {
    await callAuth('/change-password', { currentPassword: current, newPassword: chosen });
    setCurrent('');
    setChosen('');
    onChanged();
  });
  return (
    <form onSubmit={sending.submit}>
      {/* Password managers need the address to find the account. */}
      <input hidden name="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={t.account.currentPassword}
        autoComplete="current-password"
        value={current}
        onValue={setCurrent}
      />
      <NewPasswordField label={t.newPassword} value={chosen} onValue={setChosen} />
      <SubmitButton
        class="secondary"
        sending={sending}
        label={t.account.changePassword}
        done={t.account.passwordChanged}
      />
    </form>
  );
}

/**
 * Links the house's own identity provider to the account. A sign-in by it does not do that, although Google's and
 * GitHub's do, so that a user who had an account before needs this button. [contract 22]
 * @param name the provider's name
 */
function LinkProvider({ account, name }: { account: Account; name: string }) {
  const { t } = useI18n();
  if (account.providers.includes('oidc')) return <p class="hint">{t.account.linked(name)}</p>;
  const hasFailed = new URLSearchParams(location.search).has('error');
  return (
    <>
      <p class="hint">{t.account.linkMore(name)}</p>
      {hasFailed && <Notice kind="error">{t.errors.LINK_FAILED}</Notice>}
      <ActionButton
        label={t.account.link(name)}
        action={() => redirectToProvider('/link-social', 'oidc', '/account')}
      />
    </>
  );
}

/** Deletes the account, which needs its password, or a fresh sign-in if it has none. */
function DeleteAccount({ account }: { account: Account }) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const remove = async (password?: string) => {
    await signOut(() => callAuth('/delete-user', password === undefined ? {} : { password }));
    navigate('/', { replace: true });
  };
  return (
    <>
      <p class="hint">{t.account.deleteMore}</p>
      {account.providers.includes('credential') ? (
        <PasswordStep label={t.account.delete} kind="danger" onConfirmed={remove} />
      ) : (
        <DeleteWhenFresh account={account} onConfirmed={remove} />
      )}
    </>
  );
}

function DeleteWhenFresh({ account, onConfirmed }: { account: Account; onConfirmed(): Promise<void> }) {
  const { t } = useI18n();
  const [isStale, setStale] = useState(false);
  const remove = () => {
    setStale(false);
    return onConfirmed().catch((thrown: unknown) => {
      setStale(thrown instanceof ApiError && thrown.code === 'SESSION_EXPIRED');
      throw thrown;
    });
  };
  return (
    <>
      <ConfirmButton
        class="danger"
        label={t.account.delete}
        question={t.account.deleteAsk}
        consequence={t.account.deleteForGood}
        action={remove}
      />
      {isStale &&
        PROVIDERS.filter((provider) => account.providers.includes(provider)).map((provider) => (
          <SocialButton key={provider} provider={provider} next="/account" />
        ))}
    </>
  );
}

type Session = Account['sessions'][number];

export function Devices({ sessions, onChanged }: { sessions: readonly Session[]; onChanged(): Promise<void> }) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const endOthers = async () => {
    await callAuth('/revoke-other-sessions', {});
    await onChanged();
  };
  const endAll = async () => {
    await signOut(() => callAuth('/revoke-sessions', {}));
    navigate('/');
  };
  return (
    <>
      <p class="hint">{t.account.devicesMore}</p>
      <ul class="devices ruled">
        {sessions.map((session) => (
          <DeviceRow key={session.sessionId} session={session} onChanged={onChanged} />
        ))}
      </ul>
      <div class="actions">
        {sessions.length > 1 && <ActionButton label={t.account.signOutOthers} action={endOthers} />}
        <ConfirmButton
          class="secondary"
          label={t.account.signOutAll}
          question={t.account.signOutAllAsk}
          consequence={t.account.signOutAllMore}
          action={endAll}
        />
      </div>
    </>
  );
}

function DeviceRow({ session, onChanged }: { session: Session; onChanged(): Promise<void> }) {
  const { t, dateTime } = useI18n();
  const end = async () => {
    await client.deleteSession(session.sessionId);
    await onChanged();
  };
  const name = describeDevice(t, session.userAgent) ?? t.account.unknownDevice;
  return (
    <li class="row apart">
      <div>
        <strong>{name}</strong>
        {session.current && <small class="tag">{t.account.thisDevice}</small>}
        <p class="hint">{t.account.signedInAt(dateTime(session.createdAt))}</p>
      </div>
      {!session.current && <ActionButton label={t.signOut} of={name} action={end} />}
    </li>
  );
}
