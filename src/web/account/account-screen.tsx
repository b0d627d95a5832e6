// One's own account: what others see, where one is signed in and how, and the way out. Loaded when it
// is opened.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useState } from 'preact/hooks';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Waiting } from '../components/waiting.tsx';
import { HAS_PASSKEYS } from '../has-passkeys.ts';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Devices } from './devices.tsx';
import { NameForm } from './name-form.tsx';
import { type Device, findWaysIn, listDevices, type WaysIn } from './operations.ts';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import './account.css';

export default function AccountScreen() {
  const { t, explain } = useI18n();
  const user = useUser();
  const [devices, setDevices] = useState<Device[] | null>(null);
  const [ways, setWays] = useState<WaysIn | null>(null);
  const [error, setError] = useState<string | null>(null);
  const look = useCallback(async () => setDevices(await listDevices()), []);
  const failed = (thrown: unknown) => setError(explain(thrown));
  useEffect(() => {
    look().catch(failed);
    findWaysIn().then(setWays, failed);
  }, []);
  const lookAgain = () => void look().catch(failed);
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
            {devices ? <Devices devices={devices} onChanged={look} /> : <Asking error={error} />}
          </Section>
        </div>
        <div class="stack">
          {ways?.hasPassword && (
            <>
              <Section title={t.password}>
                <PasswordForm onChanged={lookAgain} />
              </Section>
              <Section title={t.account.secondFactor}>
                <SecondFactor onChanged={lookAgain} />
              </Section>
            </>
          )}
          {HAS_PASSKEYS && (
            <Section title={t.account.passkeys}>
              <Passkeys />
            </Section>
          )}
          <Section title={t.account.delete}>
            {ways ? <DeleteAccount ways={ways} /> : <Asking error={error} />}
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

/** Nothing once it has failed: what went wrong stands above. */
function Asking({ error }: { error: string | null }) {
  const { t } = useI18n();
  return error ? null : <Waiting text={t.loading} />;
}
