// The social sign-ins that the service has set up; nothing when it has none.
import { type Provider, signInWith } from '../auth.ts';
import { useI18n } from '../i18n/index.tsx';
import { usePageConfig } from '../page-config.tsx';
import { useSubmit } from '../use-submit.ts';
import { Notice } from './notice.tsx';

const NAMES = { google: 'Google', github: 'GitHub' };

export function SocialSignIn({ next }: { next: string }) {
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
  const { isBusy, error, submit } = useSubmit(() => signInWith(provider, next));
  return (
    <>
      <button type="button" class="secondary" aria-busy={isBusy} onClick={submit}>
        {t.signInWith(NAMES[provider])}
      </button>
      {error && <Notice kind="error">{error}</Notice>}
    </>
  );
}
