// Offers an account to a guest after a game.
import { useUser } from '../entry/session.tsx';
import { usePageConfig } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';

export function GuestOffer() {
  const { t } = useI18n();
  const { emailSignUp } = usePageConfig();
  if (!useUser().isAnonymous) return null;
  return (
    <Card title={t.guest.keep}>
      <p>{t.guest.keepMore}</p>
      <p>
        <ButtonLink to="/account" label={emailSignUp ? t.signUp : t.signIn} />
      </p>
    </Card>
  );
}
