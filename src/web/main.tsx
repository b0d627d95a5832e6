// Where the page begins.
import { render } from 'preact';
import { App } from './app.tsx';
import { firstLanguage, I18nProvider } from './i18n/index.tsx';
import { PageConfigProvider } from './page-config.tsx';
import { SessionProvider } from './session.tsx';
import './style/index.css';

// Nothing waits here for it: what is loaded later may need this very file.
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
