// Shows players that the service has committed itself to the right answer. The client library checks the
// commitment before a result is shown. [contract 12]
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';

/** Browsers compute hashes only over https and on localhost. Elsewhere there is no seal. */
const CAN_CHECK = crypto.subtle !== undefined;

/** Belongs beside right answers, which are shown only if they fit their commitments. */
export function Seal() {
  const { t } = useI18n();
  if (!CAN_CHECK) return null;
  return (
    <details class="seal">
      <summary>
        <Icon name="seal" /> {t.seal.intact}
      </summary>
      <p class="hint">{t.seal.more}</p>
    </details>
  );
}
