// A question that visitors can answer before anything else. Its words are a part of the page's texts, so that it needs
// no request.
import { useState } from 'preact/hooks';
import { Options } from '../game/options.tsx';
import { useI18n } from '../i18n/index.tsx';

export function SampleQuestion() {
  const { t } = useI18n();
  const { question: asked, prompt, lang, options, right } = t.landing.sample;
  const [selected, setSelected] = useState<number | null>(null);
  const question = { options: options.map((text, optionId) => ({ optionId, text })) };
  return (
    <section class="sample" aria-labelledby="sample">
      <div class="prompt">
        <p class="hint">{asked}</p>
        <h2 id="sample">{prompt}</h2>
      </div>
      <Options
        question={question}
        lang={lang}
        isOpen={selected === null}
        selected={selected}
        correct={selected === null ? null : right}
        onChoose={setSelected}
      />
      <p class="sample-verdict" role="status">
        {selected !== null && (selected === right ? t.right : t.wrong(options[right] ?? ''))}
      </p>
    </section>
  );
}
