// Opens a room for a class by one press: its host presents on a projector, and the pupils join by its code.
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import { ActionButton } from '../ui/submit-button.tsx';
import type { ChosenWords } from '../words/deck-choice.ts';
import { openRoom } from './room-choices.ts';

export function HostClass({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  return (
    <section class="card" aria-labelledby="class">
      <h2 id="class">
        <Icon name="board" /> {t.playInClass}
      </h2>
      <p class="hint">{t.playInClassMore}</p>
      <ActionButton class="primary" action={() => openRoom('class', words)}>
        {t.hostClass}
      </ActionButton>
    </section>
  );
}
