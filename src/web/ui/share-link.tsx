// A link to share: as text, as a QR code, and with buttons that copy and share it.
import { useShareUrl } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ShareButtons } from './copy-button.tsx';
import { QrCode } from './qr-code.tsx';
import './share-link.css';

export function ShareLink({ title, path, hint, text }: { title: string; path: string; hint: string; text: string }) {
  const { t } = useI18n();
  const url = useShareUrl(path);
  const id = url.lastIndexOf('/') + 1;
  return (
    <section class="card share-card" aria-labelledby="link">
      <div>
        <h2 id="link">{title}</h2>
        <p>
          <a href={url} translate={false}>
            {url.slice(0, id)}
            <wbr />
            {url.slice(id)}
          </a>
        </p>
        <p class="hint">{hint}</p>
        <div class="actions">
          <ShareButtons url={url} text={text} />
        </div>
      </div>
      <QrCode text={url} label={t.qrCode} />
    </section>
  );
}
