// The languages of the page: which folder a language tag stands for, and what is missing in it.
import { describe, expect, it } from 'vitest';
import { fallBack, foldersFor } from '../../src/web/i18n/fallback.ts';

describe('a language tag', () => {
  const FOLDERS = ['de', 'en', 'pt', 'pt-BR'];

  it.each([
    ['de', ['de']],
    ['de-CH', ['de']],
    ['pt-BR', ['pt', 'pt-BR']],
    ['pt-PT', ['pt']],
    ['den', []],
    ['zh-Hans-CN', []],
    ['', []],
  ])('%s has the folders %o', (tag, folders) => {
    expect(foldersFor(tag, FOLDERS)).toEqual(folders);
  });
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
