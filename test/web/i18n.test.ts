// The languages of the page: which folder a language tag stands for, what is missing in it, and the texts themselves.
import { describe, expect, it } from 'vitest';
import { de as german } from '../../src/web/i18n/de/index.ts';
import { en } from '../../src/web/i18n/en/index.ts';
import { es as spanish } from '../../src/web/i18n/es/index.ts';
import { fallBack, foldersFor } from '../../src/web/i18n/fallback.ts';
import { fr as french } from '../../src/web/i18n/fr/index.ts';
import { it as italian } from '../../src/web/i18n/it/index.ts';

it.each([
  ['de', ['de']],
  ['de-CH', ['de']],
  ['pt-BR', ['pt', 'pt-BR']],
  ['pt-PT', ['pt']],
  ['den', []],
  ['zh-Hans-CN', []],
  ['', []],
])('the language tag %s has the folders %o', (tag, folders) => {
  expect(foldersFor(tag, ['de', 'en', 'pt', 'pt-BR'])).toEqual(folders);
});

it('a text that a folder lacks is that of the folder before', () => {
  const english = { home: 'Home', guest: { play: 'Play', keep: 'Keep' }, all: (n: number) => `${n}` };
  const german = fallBack(english, { guest: { play: 'Spielen' } });
  expect(german).toEqual({ ...english, guest: { play: 'Spielen', keep: 'Keep' } });
  expect(fallBack(german, { home: 'Startseite' }).guest.play).toBe('Spielen');
  expect(english.guest.play).toBe('Play');
});

it('a list of texts is taken whole', () => {
  const english = { sample: { options: ['dragonfly', 'butterfly', 'firefly'] } };
  const italian = fallBack(english, { sample: { options: ['farfalla', 'libellula'] } });
  expect(italian).toEqual({ sample: { options: ['farfalla', 'libellula'] } });
});

describe('the texts', () => {
  type Texts = Record<string, unknown>;

  /** @returns every text of a language by its path, with functions called */
  function texts(tree: Texts, path = ''): [string, string][] {
    return Object.entries(tree).flatMap(([key, value]): [string, string][] => {
      if (typeof value === 'function') return [[path + key, String(value('Ada', 'Ben'))]];
      return typeof value === 'string' ? [[path + key, value]] : texts(value as Texts, `${path}${key}.`);
    });
  }

  const translations = [
    ['Italian', italian, ['email', 'password']],
    ['German', german, ['lobbyCode', 'account.profile']],
    ['Spanish', spanish, []],
    ['French', french, ['lobbyCode', 'pointsInWords', 'questions', 'scoring']],
  ] as const;

  it.each(translations)('are complete in %s, and translated', (_language, tree, alike) => {
    const [english, translated] = [new Map(texts(en)), new Map(texts(tree))];
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
    const same = [...english].filter(([key, text]) => translated.get(key) === text);
    const international: string[] = ['appName', 'hosting.seconds', ...alike];
    expect(same.map(([key]) => key).filter((key) => !international.includes(key))).toEqual([]);
  });

  it('name places by English ordinals', () => {
    const named = [1, 2, 3, 4, 11, 12, 13, 21, 22, 113, 200].map(en.place).join();
    expect(named).toBe('1st,2nd,3rd,4th,11th,12th,13th,21st,22nd,113th,200th');
  });

  it('include the codes with which a game can be refused', () => {
    const lobby = ['LOBBY_NOT_FOUND', 'LOBBY_FULL', 'LOBBY_NOT_WAITING', 'LOBBY_LOCKED', 'KICKED'];
    const codes = lobby.concat('RATE_LIMITED', 'COMMITMENT_BROKEN', 'LIST_NOT_FOUND');
    // The other languages have all texts that English has.
    expect(codes.filter((code) => !en.errors[code])).toEqual([]);
  });
});
