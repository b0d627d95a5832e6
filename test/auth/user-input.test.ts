// The rules for names, pictures and passwords of users. [contract 17]
import { describe, expect, it, test } from 'vitest';
import { isTooCommon } from '../../src/auth/input/input-rules.ts';
import { cleanUserName, isUserImage, parseUserName } from '../../src/auth/input/user-profile.ts';
import { nameOfProfile } from '../../src/auth/providers.ts';

const FAMILY = '👨‍👩‍👧';

describe('a name', () => {
  test.for([
    'Ada',
    'Zoë van O’Neil-Smith 3rd',
    '日本語',
    'می‌خواهم',
    'क्‍ष',
    'ไทย',
    '❤️ 1️⃣ 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'x'.repeat(50),
    FAMILY.repeat(40),
    'wwwhy: a/b',
  ])('may be %j', (name) => expect(parseUserName(name)).toBe(name.normalize('NFC')));

  test('is stored after NFC and trimming', () => {
    expect(parseUserName('  Zoe\u0308\n')).toBe('Zoë');
  });

  test.for([
    ['nothing', ''],
    ['51 grapheme clusters', 'e\u0323\u0302'.repeat(51)],
    ['201 code points', `${FAMILY.repeat(40)}x`],
    ['nothing visible', '\u200b\u2060\ufe0f'],
    ['a mark without a letter', '\u0301'],
    ['a Braille blank', '\u2800'],
    ['a zero-width space', 'a\u200bb'],
    ['a selector that belongs to no emoji', 'a\ufe0fb'],
    ['tag characters', 'a\u{e0041}b'],
    ['a control character', 'a\u0007b'],
    ['a line break', 'a\nb'],
    ['a lone surrogate', 'a\ud800b'],
    ['a joiner before a letter', '\u200da'],
    ['a joiner after a letter', 'a\u200c'],
    ['31 combining marks in a row', `a${'\u0301'.repeat(31)}`],
    ['a link', 'HTTP://a'],
    ['the beginning of a host', 'see WwW.a'],
  ] as const)('is not %s', ([, name]) => expect(parseUserName(name)).toBeNull());

  it('has no characters that change the direction of a line', () => {
    for (const mark of '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
      expect(parseUserName(`a${mark}b`), mark.codePointAt(0)?.toString(16)).toBeNull();
  });
});

describe('a provider’s name', () => {
  test.for([
    ['Ada\u202e\u200b Lovelace\n', 'Ada Lovelace'],
    ['http://www.x', 'httpx'],
    ['wwwww..', 'ww.'],
    [`${'x'.repeat(60)}`, 'x'.repeat(50)],
    [FAMILY.repeat(60), FAMILY.repeat(40)],
    ['\u200dmی‌خ❤️\u200d', 'mی‌خ❤️'],
  ] as const)('is cleaned if it is %j', ([given, expected]) => expect(cleanUserName(given)).toBe(expected));

  it('is replaced by the login, the email address or a default if it is invalid', () => {
    expect(nameOfProfile({ name: '\u200b', login: 'ada' }).name).toBe('ada');
    expect(nameOfProfile({ name: null, email: 'ada@example.com' }).name).toBe('ada');
    expect(nameOfProfile({}).name).toBe('Player');
  });
});

describe('a picture', () => {
  test.for([null, 'https://a.example/b?c#d', `https://a.example/${'x'.repeat(482)}`, 'https://a.example/@b'])(
    'may be %j',
    (image) => expect(isUserImage(image)).toBe(true),
  );

  test.for([
    '',
    7,
    'http://a.example',
    'https://',
    'https://u:p@a.example/',
    'https://@a.example/',
    'https://a.example/ b',
    'https://a.example\\b',
    'data:image/png;base64,AA',
    `https://a.example/${'x'.repeat(483)}`,
  ])('is not %j', (image) => expect(isUserImage(image)).toBe(false));
});

describe('a password', () => {
  const owner = ['Grace.Hopper@example.com', 'Rear Admiral'];

  test.for([
    'password',
    'PassWord1',
    ' password ',
    'grace.hopper@EXAMPLE.com',
    'grace.hopper',
    'rear admiral',
    ' Ｒear Admiral',
    'Vocabulary Quiz',
    'vocabulary1!',
    'quiz-quiz-2026',
  ])('is too common if it is %j', (password) => {
    expect(isTooCommon(password, owner)).toBe(true);
  });

  test.for(['gvk3w8zq', 'correct horse', 'quiz show 1', 'vocabulary50403', 'grace.hopper1', 'password\npassword1x'])(
    'is not too common if it is %j',
    (password) => expect(isTooCommon(password, owner)).toBe(false),
  );

  test.for([
    `${'quiz---'.repeat(18)}x`,
    `${'service123 '.repeat(11)}ß`,
    `${'9'.repeat(127)}x`,
    `${'vocabulary'.repeat(12)}_`,
  ])('is checked in linear time if it is %j', (password) => {
    const startMicros = process.threadCpuUsage().user;
    isTooCommon(password, owner);
    expect((process.threadCpuUsage().user - startMicros) / 1000).toBeLessThan(500);
  });
});
