// The buttons of the social sign-ins that the service has configured.
import { usePageConfig } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import { type Provider, signInWith } from './auth.ts';

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
  return (
    <ActionButton class="secondary" action={() => signInWith(provider, next)}>
      {t.signInWith(NAMES[provider])}
    </ActionButton>
  );
}
