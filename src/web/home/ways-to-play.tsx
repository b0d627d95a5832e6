// Starts a quiz or a game with the chosen words: alone, with friends, or with a class.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { CAPACITIES, CAPACITY, FIRST_SCORINGS, roundsFor } from '../lobby/lobby-choices.ts';
import { firstChoices, openRoom, rememberChoices } from '../lobby/room-choices.ts';
import { saveQuiz } from '../lobby/saved-games.ts';
import { requestQuiz } from '../quiz/due-words.tsx';
import { ActionButton, SubmitButton, useSubmit } from '../ui/button.tsx';
import { numberOptions } from '../ui/choice.tsx';
import { Card } from '../ui/page.tsx';
import type { ChosenWords } from '../words/deck-choice.ts';
import {
  AnswerModeChoice,
  NumberChoice,
  RoundsChoice,
  ScoringChoice,
  useAnswerMode,
  useQuestionCount,
} from '../words/quiz-fields.tsx';

export function WaysToPlay({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  return (
    <>
      <Card title={t.playAlone} icon="person">
        <StartQuizForm words={words} />
      </Card>
      <Card title={t.playTogether} icon="people">
        <CreateLobbyForm words={words} />
      </Card>
      <HostClass words={words} />
    </>
  );
}

function StartQuizForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const user = useUser();
  const { questionCount, questionCountChoice } = useQuestionCount(words);
  const [answerMode, setAnswerMode] = useAnswerMode();
  const sending = useSubmit(async () => {
    const settings = { ...words.direction, ...words.selection, questionCount, answerMode };
    saveQuiz(user.id, await requestQuiz(settings));
    navigate('/quiz');
  });
  return (
    <form onSubmit={sending.submit}>
      <Collapsible summary={`${t.questions}: ${questionCount} · ${t.typed.label}: ${t.typed.modes[answerMode]}`}>
        {questionCountChoice}
        <AnswerModeChoice value={answerMode} onValue={setAnswerMode} />
      </Collapsible>
      <SubmitButton sending={sending} label={t.start} />
    </form>
  );
}

/** The form that creates a lobby. It offers only as many rounds as the words have questions. */
function CreateLobbyForm({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  const [choices, setChoices] = useState(() => firstChoices('friends'));
  const { capacity, scoring, answerMode = 'choice' } = choices;
  const rounds = roundsFor(choices.rounds, words);
  const choose = (change: Partial<typeof choices>) => setChoices({ ...choices, ...change });
  const sending = useSubmit(() => {
    rememberChoices('friends', choices);
    return openRoom('friends', words);
  });
  const summary = `${t.rounds}: ${rounds} · ${t.scorings[scoring]} · ${t.players}: ${capacity}`;
  return (
    <form onSubmit={sending.submit}>
      <Collapsible summary={summary}>
        <RoundsChoice
          most={words.questions}
          isList={'listId' in words.selection}
          value={rounds}
          isShort
          onValue={(chosen) => choose({ rounds: chosen })}
        />
        <AnswerModeChoice value={answerMode} onValue={(chosen) => choose({ answerMode: chosen })} />
        <ScoringChoice offered={FIRST_SCORINGS} value={scoring} onValue={(chosen) => choose({ scoring: chosen })} />
        <NumberChoice
          label={t.players}
          options={numberOptions(CAPACITIES)}
          {...CAPACITY}
          value={capacity}
          isShort
          onValue={(chosen) => choose({ capacity: chosen })}
        />
      </Collapsible>
      <SubmitButton sending={sending} label={t.createLobby} />
    </form>
  );
}

/** Opens a room for a class by one press: its host presents on a projector, and the pupils join by its code. */
function HostClass({ words }: { words: ChosenWords }) {
  const { t } = useI18n();
  return (
    <Card title={t.playInClass} icon="board">
      <p class="hint">{t.playInClassMore}</p>
      <ActionButton class="primary" label={t.hostClass} action={() => openRoom('class', words)} />
    </Card>
  );
}

const ROOMY = '(min-width: 64rem)';

export function Collapsible({ summary, children }: { summary: string; children: ComponentChildren }) {
  const { t } = useI18n();
  const [room] = useState(() => matchMedia(ROOMY));
  const [isRoomy, setRoomy] = useState(room.matches);
  useEffect(() => {
    const changed = () => setRoomy(room.matches);
    room.addEventListener('change', changed);
    return () => room.removeEventListener('change', changed);
  }, [room]);
  if (isRoomy) return <div class="collapsible">{children}</div>;
  return (
    <details class="collapsible">
      <summary>
        <span>{summary}</span> <span class="collapsible-change">{t.change}</span>
      </summary>
      {children}
    </details>
  );
}
