// The user's account: name, password, own data and deletion, and the sections of the other files. It is loaded when it
// is opened.

import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useState } from 'preact/hooks';
import { callAuth, HAS_PASSKEYS, redirectToProvider } from '../entry/auth.ts';
import { useSession, useUser } from '../entry/session.tsx';
import { usePageConfig } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton, Button, ConfirmButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Pending } from '../ui/query.tsx';
import { Devices } from './devices.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordStep, SecondFactor } from './second-factor.tsx';
import './account.css';
import { ApiError } from '../../client/api-error.ts';
import type { Account } from '../../client/types.ts';
import { client } from '../api.ts';
import { download } from '../download.ts';
import { SocialButton } from '../entry/entry.tsx';
import { PROVIDERS } from '../frame/page-schema.ts';
import { navigate } from '../frame/router.ts';
import { NameField, NewPasswordField, PasswordField } from '../ui/field.tsx';

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
      {!(account && !error) && <Pending error={error} />}
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
        <Section title={t.account.profile}>
          <NameForm />
        </Section>
        <Section title={t.account.devices}>
          <Devices sessions={account.sessions} onChanged={load} />
        </Section>
        <Section title={t.account.data}>
          <OwnData />
        </Section>
      </div>
      <div class="stack">
        {hasPassword && (
          <>
            <Section title={t.password}>
              <PasswordForm onChanged={reload} />
            </Section>
            <Section title={t.account.secondFactor}>
              <SecondFactor onChanged={reload} />
            </Section>
          </>
        )}
        {oidcName && (
          <Section title={t.account.linkTitle}>
            <LinkProvider account={account} name={oidcName} />
          </Section>
        )}
        {HAS_PASSKEYS && (
          <Section title={t.account.passkeys}>
            <Passkeys passkeys={account.passkeys} onChanged={load} />
          </Section>
        )}
        <Section title={t.account.delete}>
          <DeleteAccount account={account} />
        </Section>
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Changes the name that other players see. */
function NameForm() {
  const { t } = useI18n();
  const user = useUser();
  const { signedIn } = useSession();
  const [name, setName] = useState(user.name);
  const [isSaved, setSaved] = useState(false);
  const sending = useSubmit(async () => {
    setSaved(false);
    await callAuth('/update-user', { name: name.trim() });
    signedIn({ ...user, name: name.trim() });
    setSaved(true);
  });
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} />
      {isSaved && <Notice kind="good">{t.account.saved}</Notice>}
      <SubmitButton class="secondary" sending={sending} label={t.account.saveName} />
    </form>
  );
}

/** Changes the password, which signs out all other devices. */
function PasswordForm({ onChanged }: { onChanged(): void }) {
  const { t } = useI18n();
  const { email } = useUser();
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [isChanged, setChanged] = useState(false);
  const sending = useSubmit(async () => {
    setChanged(false);
    await callAuth('/change-password', { currentPassword: current, newPassword: chosen });
    setCurrent('');
    setChosen('');
    setChanged(true);
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
      {isChanged && <Notice kind="good">{t.account.passwordChanged}</Notice>}
      <SubmitButton class="secondary" sending={sending} label={t.account.changePassword} />
    </form>
  );
}

/** Offers the user all that is stored of them, as a file. [contract 22] */
function OwnData() {
  const { t } = useI18n();
  return (
    <>
      <p class="hint">{t.account.dataMore}</p>
      <ActionButton
        label={t.account.downloadData}
        action={() => download('/api/v1/account/export', 'application/json', t.account.fileName)}
      />
    </>
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
