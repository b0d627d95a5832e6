// The account emails as the user receives them. [contract 6]
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composeEmail, NOTICES } from '../../src/auth/mail/emails.ts';
import { mailRetryDelayMs, WrittenMail } from '../../src/auth/mail/mail-queue.ts';
import { PAGE_LANGUAGES } from '../../src/names/languages.ts';

const url = 'https://quiz.example/api/auth/verify-email?token=a.b.c&callbackURL=%2F';
const LINKS = ['verification', 'password-reset', 'sign-up-attempt'] as const;
const emails = PAGE_LANGUAGES.flatMap((language) =>
  LINKS.map((kind) => [kind, language, (name?: string) => composeEmail({ kind, language, name, url })] as const),
);

test.for(emails)(
  'the %s email in %s has the link and the escaped name in HTML and in plain text, and loads nothing',
  ([, language, compose]) => {
    const name = `<script>alert("x")</script> & 'co'`;
    const { subject, html, text } = compose(name);
    expect(subject).toMatch(/^[A-Z].{10,60}$/);
    expect(text).toContain(`\n\n${url}\n\n`);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html.match(/href="([^"]+)"/g)).toEqual([
      'href="https://quiz.example/api/auth/verify-email?token=a.b.c&amp;callbackURL=%2F"',
      'href="https://quiz.example/api/auth/verify-email?token=a.b.c&amp;callbackURL=%2F"',
    ]);
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;');
    expect(text).toContain(name);
    expect(subject).not.toContain(name);
    expect(html).not.toMatch(/<img|<link|<script|url\(|@import|src=/i);
    expect(html).toContain('prefers-color-scheme: dark');
  },
);

test.for(emails)('the %s email in %s without a name speaks to nobody by name', ([, , compose]) => {
  const { html, text } = compose();
  const [, greeting = ''] = /^(\p{L}+,)\n/u.exec(text) ?? [];
  expect(html).toContain(`>${greeting}<`);
});

test('the languages of mails are those of the page', () => {
  const folders = readdirSync(new URL('../../src/web/i18n', import.meta.url), { withFileTypes: true });
  const languages = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(languages.sort()).toEqual([...PAGE_LANGUAGES].sort());
});

test('all emails say something else in each language', () => {
  const written = WrittenMail.shape.kind.options.flatMap((kind) =>
    PAGE_LANGUAGES.map((language) => composeEmail({ kind, language, url })),
  );
  expect(written).toHaveLength(PAGE_LANGUAGES.length * (LINKS.length + NOTICES.length));
  for (const field of ['subject', 'text', 'html'] as const)
    expect(new Set(written.map((email) => email[field])).size).toBe(written.length);
});

test('a failing email provider is retried soon at first, then every 10 minutes', () => {
  expect([1, 2, 3, 9, 10, 11, 50].map(mailRetryDelayMs)).toEqual([
    2000, 4000, 8000, 512_000, 600_000, 600_000, 600_000,
  ]);
});
