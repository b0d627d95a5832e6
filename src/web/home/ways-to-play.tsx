// Starts a quiz or a game with the chosen words.
import { useI18n } from '../i18n/index.tsx';
import { CreateLobbyForm } from '../lobby/create-lobby-form.tsx';
import { HostClass } from '../lobby/host-class.tsx';
import { StartQuizForm } from '../quiz/start-quiz-form.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ChosenWords } from '../words/deck-choice.ts';

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
      <HostClass words={words} />
    </>
  );
}
