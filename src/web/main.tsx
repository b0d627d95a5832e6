import { render } from 'preact';
import { App } from './app.tsx';
import { SessionProvider } from './entry/session.tsx';
import { PageConfigProvider } from './frame/page-config.tsx';
import { firstLanguage, I18nProvider } from './i18n/index.tsx';
import { keepShell } from './ui/offline.ts';
import './style/index.css';

// A top-level await would deadlock, since a chunk that is loaded for it may import this file.
void firstLanguage().then((first) =>
  render(
    <I18nProvider first={first}>
      <PageConfigProvider>
        <SessionProvider>
          <App />
        </SessionProvider>
      </PageConfigProvider>
    </I18nProvider>,
    document.getElementById('app') as HTMLElement,
  ),
);

// The page works without it, so that a failure has no effect.
addEventListener('load', () => void keepShell().catch(() => {}));
