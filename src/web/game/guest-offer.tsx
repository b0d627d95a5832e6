// Offers an account to a guest after a game.
import { useUser } from '../entry/session.tsx';
import { usePageConfig } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ButtonLink } from '../ui/link.tsx';

export function GuestOffer() {
  const { t } = useI18n();
  const { emailSignUp } = usePageConfig();
  if (!useUser().isAnonymous) return null;
  return (
    <section class="card" aria-labelledby="keep">
      <h2 id="keep">{t.guest.keep}</h2>
      <p>{t.guest.keepMore}</p>
      <p>
        <ButtonLink to="/account" label={emailSignUp ? t.signUp : t.signIn} />
      </p>
    </section>
  );
}
