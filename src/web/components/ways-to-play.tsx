// What can be done with words: a quiz for one, or a game with friends.
import type { ChosenWords } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import { CreateLobbyForm } from './create-lobby-form.tsx';
import { Icon } from './icon.tsx';
import { StartQuizForm } from './start-quiz-form.tsx';

export function WaysToPlay({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  return (
    <>
      <section class="card" aria-labelledby="alone">
        <h2 id="alone">
          <Icon name="person" /> {t.playAlone}
        </h2>
        <StartQuizForm words={words} />
      </section>
      <section class="card" aria-labelledby="together">
        <h2 id="together">
          <Icon name="people" /> {t.playTogether}
        </h2>
        <CreateLobbyForm words={words} />
      </section>
    </>
  );
}
