// Joins a lobby by its code, or by a pasted link.
import { useState } from 'preact/hooks';
import { parseCode } from '../../lobby/rules.ts';
import { navigate } from '../frame/router.ts';
import { extractCode } from '../frame/routes.ts';
import { useI18n } from '../i18n/index.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

/** @param typed the initial value, such as a code that was not found */
export function JoinForm({ typed = '' }: { typed?: string }) {
  const { t } = useI18n();
  const [text, setText] = useState(typed);
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const code = parseCode(extractCode(text));
        setWrong(!code);
        if (code) navigate(`/lobby/${code}`);
      }}
    >
      <div class="field-row">
        <Field
          label={t.haveCode}
          name="code"
          autoComplete="off"
          placeholder={t.code}
          value={text}
          onValue={setText}
        />
        <button type="submit" class="secondary">
          {t.join}
        </button>
      </div>
      {isWrong && <Notice kind="error">{t.errors.LOBBY_NOT_FOUND}</Notice>}
    </form>
  );
}
