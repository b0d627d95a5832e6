// The buttons of the providers that the service has configured.
import { usePageConfig } from '../frame/page-config.tsx';
import type { Provider } from '../frame/page-schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import { signInWith } from './auth.ts';

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
  const { oidcName } = usePageConfig();
  const names = { google: 'Google', github: 'GitHub', oidc: oidcName ?? '' };
  return (
    <ActionButton class="secondary" action={() => signInWith(provider, next)}>
      {t.signInWith(names[provider])}
    </ActionButton>
  );
}
