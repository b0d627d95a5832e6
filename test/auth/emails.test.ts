// The account emails as the user receives them. [contract 6]
import { expect, test } from 'vitest';
import { passwordResetEmail, signUpAttemptEmail, verificationEmail } from '../../src/auth/mail/emails.ts';
import { mailRetryDelayMs } from '../../src/auth/mail/mail-queue.ts';

const url = 'https://quiz.example/api/auth/verify-email?token=a.b.c&callbackURL=%2F';
const emails = [
  ['verification', verificationEmail],
  ['password reset', passwordResetEmail],
  ['sign-up attempt', signUpAttemptEmail],
] as const;

test.for(emails)('the %s email has the link in HTML and in plain text', ([, compose]) => {
  const { subject, html, text } = compose({ name: 'Ada' }, url);
  expect(subject).toMatch(/^[A-Z].{10,60}$/);
  expect(text).toContain(`\n\n${url}\n\n`);
  expect(html.match(/href="([^"]+)"/g)).toEqual([
    'href="https://quiz.example/api/auth/verify-email?token=a.b.c&amp;callbackURL=%2F"',
    'href="https://quiz.example/api/auth/verify-email?token=a.b.c&amp;callbackURL=%2F"',
  ]);
});

test.for(emails)('the %s email escapes the user’s name', ([, compose]) => {
  const name = `<script>alert("x")</script> & 'co'`;
  const { subject, html, text } = compose({ name }, url);
  expect(html).not.toContain('<script>');
  expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;');
  expect(text).toContain(name);
  expect(subject).not.toContain(name);
});

test.for(emails)('the %s email to an address without a name speaks to nobody by name', ([, compose]) => {
  const { html, text } = compose({}, url);
  expect(text).toMatch(/^Hello,\n/);
  expect(html).toContain('>Hello,<');
});

test.for(emails)('the %s email loads nothing when it is opened', ([, compose]) => {
  const { html } = compose({ name: 'Ada' }, url);
  expect(html).not.toMatch(/<img|<link|<script|url\(|@import|src=/i);
});

test.for(emails)('the %s email supports dark mode', ([, compose]) => {
  expect(compose({ name: 'Ada' }, url).html).toContain('prefers-color-scheme: dark');
});

test('a failing email provider is retried soon at first, then every 10 minutes', () => {
  expect([1, 2, 3, 9, 10, 11, 50].map(mailRetryDelayMs)).toEqual([
    2000, 4000, 8000, 512_000, 600_000, 600_000, 600_000,
  ]);
});
