// Joins a lobby by its code, or by a pasted link, and explains why somebody cannot enter. A longer code is that of
// homework.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CODE_LENGTH } from '../../assignments/rules.ts';
import { parseCode } from '../../lobby/rules.ts';
import { navigate } from '../frame/router.ts';
import { extractCode } from '../frame/routes.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice, Page } from '../ui/page.tsx';

/** The service's length. Its type is literal, so that a difference fails to compile. */
const HOMEWORK_CODE_LENGTH: typeof CODE_LENGTH = 8;

/** @param typed the initial value, such as a code that was not found */
export function JoinForm({ typed = '' }: { typed?: string }) {
  const { t } = useI18n();
  const [text, setText] = useState(typed);
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const lobby = parseCode(extractCode(text));
        const homework = parseCode(extractCode(text), HOMEWORK_CODE_LENGTH);
        setWrong(!lobby && !homework);
        if (lobby) navigate(`/lobby/${lobby}`);
        else if (homework) navigate(`/homework/${homework}`);
      }}
    >
      <div class="field-row">
        <Field label={t.haveCode} name="code" autoComplete="off" placeholder={t.code} value={text} onValue={setText} />
        <button type="submit" class="secondary">
          {t.join}
        </button>
      </div>
      {isWrong && <Notice kind="error">{t.errors.LOBBY_NOT_FOUND}</Notice>}
    </form>
  );
}

interface CannotEnterProps {
  title: string;
  reason: string;
  /** The code as it was typed; null if no other code would help. */
  code: string | null;
  notice?: ComponentChildren;
  /** Tries again; absent if that would not help. */
  onRetry?: (() => void) | undefined;
  /** Shown beside the link to the first screen. */
  children?: ComponentChildren;
}

/** Says why a link or a code leads nowhere now, and takes a better code. */
export function CannotEnter({ title, reason, code, notice, onRetry, children }: CannotEnterProps) {
  const { t } = useI18n();
  return (
    <Page title={title}>
      {notice}
      <p class="lead">{reason}</p>
      {code !== null && (
        <div class="card">
          <JoinForm typed={code} />
        </div>
      )}
      <div class="actions">
        {onRetry && <Button class="primary" label={t.tryAgain} onClick={onRetry} />}
        <ButtonLink to="/" class={onRetry ? 'secondary' : 'primary'} label={t.home} />
        {children}
      </div>
    </Page>
  );
}
