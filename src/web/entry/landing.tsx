// The landing page: what the page is, for whom, a question to try, and the ways in.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Options } from '../game/options.tsx';
import { JoinForm } from '../home/join-form.tsx';
import { LOCALES, useI18n } from '../i18n/index.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';

const ICONS = { alone: 'person', friends: 'people', class: 'board' } satisfies Record<string, IconName>;

/** @param props.children the card to play as a guest, or to sign in */
export function Landing({ children }: { children: ComponentChildren }) {
  const { t } = useI18n();
  const ways = ['alone', 'friends', 'class'] as const;
  return (
    <Page title={t.tagline} width="wide">
      <div class="landing stack">
        <ul class="ways">
          {ways.map((way) => (
            <li key={way}>
              <Icon name={ICONS[way]} />
              <span>
                <strong>{t.landing.ways[way][0]}</strong>: {t.landing.ways[way][1]}
              </span>
            </li>
          ))}
        </ul>
        <div class="stack ways-in">
          <div class="card card-join">
            <JoinForm />
          </div>
          {children}
        </div>
        <div class="stack">
          <SampleQuestion />
          <p class="hint">
            {LOCALES.map(([, ownName]) => ownName).join(' · ')} · {t.landing.ownLists}
          </p>
        </div>
      </div>
    </Page>
  );
}

/**
 * A question that visitors can answer before anything else. Its words are a part of the page's texts, so that it
 * needs no request.
 */
function SampleQuestion() {
  const { t } = useI18n();
  const { question: asked, prompt, lang, options, right } = t.landing.sample;
  const [selected, setSelected] = useState<number | null>(null);
  const question = { options: options.map((text, optionId) => ({ optionId, text })) };
  return (
    <section class="sample stack" aria-labelledby="sample">
      <div class="prompt">
        <p class="hint">{asked}</p>
        <h2 id="sample" translate={false}>
          {prompt}
        </h2>
      </div>
      <Options
        question={question}
        lang={lang}
        isOpen={selected === null}
        selected={selected}
        correct={selected === null ? null : right}
        onChoose={setSelected}
      />
      <p class="sample-verdict" role="status" translate={false}>
        {selected !== null && (selected === right ? t.right : t.wrong(options[right] ?? ''))}
      </p>
    </section>
  );
}
