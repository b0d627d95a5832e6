// The link to a shared list.
import { usePageConfig } from '../frame/page-config.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ShareButtons } from '../ui/share-buttons.tsx';

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
