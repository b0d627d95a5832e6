// Renders the page, and registers the service worker, which keeps the page's shell.
import { render } from 'preact';
import { App } from './app.tsx';
import { SessionProvider } from './entry/session.tsx';
import { PageConfigProvider } from './frame/page-config.tsx';
import { firstLanguage, I18nProvider } from './i18n/index.tsx';
import './ui/untranslated.ts';
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

/**
 * Registers the service worker, which keeps the page's shell, so that the page opens without a network. Does nothing
 * where there are no service workers, such as without https.
 */
async function keepShell(): Promise<void> {
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : null;
  if (!workers) return;
  const isFirst = workers.controller === null;
  await workers.register('/sw.js');
  const { active } = await workers.ready;
  // The worker has not seen the files that were loaded before it was there.
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const assets = loaded.filter((name) => name.startsWith(`${location.origin}/assets/`));
  if (isFirst) active?.postMessage([...new Set(assets)]);
}
