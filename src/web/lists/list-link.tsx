// The link by which a shared list is read, played and copied.
import { ShareButtons } from '../components/share-buttons.tsx';
import { useI18n } from '../i18n/index.tsx';
import { usePageConfig } from '../page-config.tsx';

export function ListLink({ listId, name }: { listId: string; name: string }) {
  const { t } = useI18n();
  const { shareOrigin } = usePageConfig();
  const url = `${shareOrigin ?? location.origin}/lists/${listId}`;
  return (
    <section class="card" aria-labelledby="share">
      <h2 id="share">{t.lists.share}</h2>
      <p>
        <a href={url}>{url}</a>
      </p>
      <div class="actions">
        <ShareButtons url={url} text={t.lists.shareText(name)} />
      </div>
    </section>
  );
}
