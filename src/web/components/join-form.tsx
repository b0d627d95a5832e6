// Into a lobby without opening its link: for who was told a code, or copied one.
import { useState } from 'preact/hooks';
import { parseCode } from '../../lobby/rules.ts';
import { useI18n } from '../i18n/index.tsx';
import { navigate } from '../router.ts';
import { codeOrLink } from '../routes.ts';
import { Field } from './field.tsx';
import { Notice } from './notice.tsx';

/** @param typed what was tried before */
export function JoinForm({ typed = '' }: { typed?: string }) {
  const { t } = useI18n();
  const [text, setText] = useState(typed);
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const code = parseCode(codeOrLink(text));
        setWrong(!code);
        if (code) navigate(`/lobby/${code}`);
      }}
    >
      <div class="field-row join">
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
