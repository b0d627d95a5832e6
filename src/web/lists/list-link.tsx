// The link by which a shared list is read, played and copied.
import { CopyButton } from '../components/copy-button.tsx';
import { useI18n } from '../i18n/index.tsx';
import { usePageConfig } from '../page-config.tsx';

export function ListLink({ listId, name }: { listId: string; name: string }) {
  const { t } = useI18n();
  const { shareOrigin } = usePageConfig();
  const url = `${shareOrigin ?? location.origin}/lists/${listId}`;
  // Somebody who thinks better of it is no error.
  const share = () => navigator.share({ text: t.lists.shareText(name), url }).catch(() => {});
  return (
    <section class="card" aria-labelledby="share">
      <h2 id="share">{t.lists.share}</h2>
      <p>
        <a href={url}>{url}</a>
      </p>
      <div class="actions">
        <CopyButton text={url} />
        {'share' in navigator && (
          <button type="button" class="secondary" onClick={share}>
            {t.share}
          </button>
        )}
      </div>
    </section>
  );
}
