import { SoundSwitch } from '../effects/sound-switch.tsx';
import { LOCALES, useI18n } from '../i18n/index.tsx';

export function Footer() {
  const { t, locale, setLocale } = useI18n();
  return (
    <footer>
      <select aria-label={t.language} value={locale} onChange={(event) => setLocale(event.currentTarget.value)}>
        {LOCALES.map(([code, ownName]) => (
          <option key={code} value={code} lang={code}>
            {ownName}
          </option>
        ))}
      </select>
      <SoundSwitch />
      <a href="/docs">{t.api}</a>
    </footer>
  );
}
