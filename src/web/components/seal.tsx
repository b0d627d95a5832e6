// The proof that nobody changes a right answer afterwards, as players see it: a small seal, and one
// sentence for who wants to know. What it stands for is checked before a result is shown. [contract 12]
import { useI18n } from '../i18n/index.tsx';
import { Icon } from './icon.tsx';

/** Browsers compute fingerprints over https and on this machine alone: elsewhere there is no seal. */
const CAN_CHECK = crypto.subtle !== undefined;

/** @param props.isOpened whether the right answer is known, and is the one that was sealed */
export function Seal({ isOpened }: { isOpened: boolean }) {
  const { t } = useI18n();
  if (!CAN_CHECK) return null;
  return (
    <details class="seal">
      <summary>
        <Icon name="seal" /> {isOpened ? t.seal.intact : t.seal.closed}
      </summary>
      <p class="hint">{t.seal.more}</p>
    </details>
  );
}
