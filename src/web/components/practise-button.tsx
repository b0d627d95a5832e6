// Starts a quiz of what is due first.
import type { WordsProgress } from '../due.ts';
import { keepQuiz } from '../kept.ts';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';
import { askForSmartQuiz } from '../smart-quiz.ts';
import { ActionButton } from './submit-button.tsx';

interface PractiseButtonProps {
  words: WordsProgress;
  /** Questions. */
  count: number;
  class: 'primary' | 'secondary';
  text: string;
}

export function PractiseButton({ words, count, class: kind, text }: PractiseButtonProps) {
  const user = useUser();
  const practise = async () => {
    keepQuiz(user.id, await askForSmartQuiz(words, count));
    navigate('/quiz');
  };
  return (
    <ActionButton class={kind} action={practise}>
      {text}
    </ActionButton>
  );
}
