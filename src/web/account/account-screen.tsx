// The user's account: name, password, own data and deletion, and the sections of the other files. It is loaded when it
// is opened.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useState } from 'preact/hooks';
import { HAS_PASSKEYS, linkWith } from '../entry/auth.ts';
import { useSession, useUser } from '../entry/session.tsx';
import { usePageConfig } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Notice, Spinner } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Devices } from './devices.tsx';
import {
  changeName,
  changePassword,
  type Device,
  deleteAccount,
  getSignInMethods,
  listDevices,
  type SignInMethods,
} from './operations.ts';
import { Passkeys } from './passkeys.tsx';
import { PasswordStep, SecondFactor } from './second-factor.tsx';
import './account.css';
import { ApiError } from '../../client/api-error.ts';
import { download } from '../download.ts';
import { SocialButton } from '../entry/entry.tsx';
import { navigate } from '../frame/router.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { NameField, NewPasswordField, PasswordField } from '../ui/field.tsx';
import { ActionButton, SubmitButton, useSubmit } from '../ui/submit-button.tsx';

export function AccountScreen() {
  const { t, explain } = useI18n();
  const user = useUser();
  const { oidcName } = usePageConfig();
  const [devices, setDevices] = useState<Device[] | null>(null);
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  const [error, setError] = useState<string | null>(null);
  const loadDevices = useCallback(async () => setDevices(await listDevices()), []);
  const failed = (thrown: unknown) => setError(explain(thrown));
  useEffect(() => {
    loadDevices().catch(failed);
    getSignInMethods().then(setMethods, failed);
  }, []);
  const reloadDevices = () => void loadDevices().catch(failed);
  return (
    <Page title={t.account.title} width="wide">
      <p class="lead">{user.email}</p>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="columns">
        <div class="stack">
          <Section title={t.account.profile}>
            <NameForm />
          </Section>
          <Section title={t.account.devices}>
            {devices ? <Devices devices={devices} onChanged={loadDevices} /> : <SectionSpinner error={error} />}
          </Section>
          <Section title={t.account.data}>
            <OwnData />
          </Section>
        </div>
        <div class="stack">
          {methods?.hasPassword && (
            <>
              <Section title={t.password}>
                <PasswordForm onChanged={reloadDevices} />
              </Section>
              <Section title={t.account.secondFactor}>
                <SecondFactor onChanged={reloadDevices} />
              </Section>
            </>
          )}
          {oidcName && methods && (
            <Section title={t.account.linkTitle}>
              <LinkProvider methods={methods} name={oidcName} />
            </Section>
          )}
          {HAS_PASSKEYS && (
            <Section title={t.account.passkeys}>
              <Passkeys />
            </Section>
          )}
          <Section title={t.account.delete}>
            {methods ? <DeleteAccount methods={methods} /> : <SectionSpinner error={error} />}
          </Section>
        </div>
      </div>
    </Page>
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

/** Renders nothing after a failure, since the error is shown above. */
function SectionSpinner({ error }: { error: string | null }) {
  const { t } = useI18n();
  return error ? null : <Spinner text={t.loading} />;
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
    await changeName(name.trim());
    signedIn({ ...user, name: name.trim() });
    setSaved(true);
  });
  return (
    <form onSubmit={sending.submit}>
      <NameField value={name} onValue={setName} />
      {isSaved && <Notice kind="good">{t.account.saved}</Notice>}
      <SubmitButton class="secondary" sending={sending}>
        {t.account.saveName}
      </SubmitButton>
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
    await changePassword(current, chosen);
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
      <SubmitButton class="secondary" sending={sending}>
        {t.account.changePassword}
      </SubmitButton>
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
        class="secondary"
        action={() => download('/api/v1/account/export', 'application/json', 'vocabulary-quiz-account.json')}
      >
        {t.account.downloadData}
      </ActionButton>
    </>
  );
}

/**
 * Links the house's own identity provider to the account. A sign-in by it does not do that, although Google's and
 * GitHub's do, so that a user who had an account before needs this button. [contract 22]
 * @param name the provider's name
 */
function LinkProvider({ methods, name }: { methods: SignInMethods; name: string }) {
  const { t } = useI18n();
  if (methods.providers.includes('oidc')) return <p class="hint">{t.account.linked(name)}</p>;
  const hasFailed = new URLSearchParams(location.search).has('error');
  return (
    <>
      <p class="hint">{t.account.linkMore(name)}</p>
      {hasFailed && <Notice kind="error">{t.errors.LINK_FAILED}</Notice>}
      <ActionButton class="secondary" action={() => linkWith('oidc', '/account')}>
        {t.account.link(name)}
      </ActionButton>
    </>
  );
}

/** Deletes the account, which needs its password, or a fresh sign-in if it has none. */
function DeleteAccount({ methods }: { methods: SignInMethods }) {
  const { t } = useI18n();
  const { signOut } = useSession();
  const remove = async (password?: string) => {
    await signOut(() => deleteAccount(password));
    navigate('/', { replace: true });
  };
  return (
    <>
      <p class="hint">{t.account.deleteMore}</p>
      {methods.hasPassword ? (
        <PasswordStep label={t.account.delete} kind="danger" onConfirmed={remove} />
      ) : (
        <DeleteWhenFresh methods={methods} onConfirmed={remove} />
      )}
    </>
  );
}

function DeleteWhenFresh({ methods, onConfirmed }: { methods: SignInMethods; onConfirmed(): Promise<void> }) {
  const { t } = useI18n();
  const [isStale, setStale] = useState(false);
  const { error, submit } = useSubmit(async () => {
    setStale(false);
    await onConfirmed().catch((thrown: unknown) => {
      setStale(thrown instanceof ApiError && thrown.code === 'SESSION_EXPIRED');
      throw thrown;
    });
  });
  return (
    <>
      <ConfirmButton
        class="danger"
        label={t.account.delete}
        question={t.account.deleteAsk}
        consequence={t.account.deleteForGood}
        onConfirmed={submit}
      />
      {error && <Notice kind="error">{error}</Notice>}
      {isStale &&
        methods.providers.map((provider) => <SocialButton key={provider} provider={provider} next="/account" />)}
    </>
  );
}
