// The user's account: name, devices, sign-in methods and deletion. It is loaded when it is opened.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useState } from 'preact/hooks';
import { useUser } from '../entry/session.tsx';
import { usePageConfig } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Devices } from './devices.tsx';
import { HAS_PASSKEYS } from './has-passkeys.ts';
import { LinkProvider } from './link-provider.tsx';
import { NameForm } from './name-form.tsx';
import { type Device, getSignInMethods, listDevices, type SignInMethods } from './operations.ts';
import { OwnData } from './own-data.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import './account.css';

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
