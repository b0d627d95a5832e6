// A button that starts a quiz in which due words come first.
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { saveQuiz } from '../lobby/saved-games.ts';
import type { WordsProgress } from '../progress/due.ts';
import { ActionButton } from '../ui/submit-button.tsx';
import { savedAnswerMode } from '../words/answer-mode.tsx';
import { requestSmartQuiz } from './request-quiz.ts';

interface PractiseButtonProps {
  words: WordsProgress;
  /** The number of questions. */
  count: number;
  class: 'primary' | 'secondary';
  text: string;
}

export function PractiseButton({ words, count, class: kind, text }: PractiseButtonProps) {
  const user = useUser();
  const practise = async () => {
    saveQuiz(user.id, await requestSmartQuiz(words, count, savedAnswerMode()));
    navigate('/quiz');
  };
  return (
    <ActionButton class={kind} action={practise}>
      {text}
    </ActionButton>
  );
}
