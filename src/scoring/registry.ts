// The scoring rules by name. A new rule is one file and one line here.
import { accuracy } from './accuracy.ts';
import type { Scoring } from './scoring.ts';
import { speed } from './speed.ts';
import { streak } from './streak.ts';

export const SCORINGS = { accuracy, speed, streak } as const satisfies Record<string, Scoring>;

export type ScoringName = keyof typeof SCORINGS;
export const SCORING_NAMES = Object.keys(SCORINGS) as [ScoringName, ...ScoringName[]];
