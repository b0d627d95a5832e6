// The sounds of a game, synthesised from a few notes each, so that no files are downloaded or licensed.
interface Note {
  pitchHz: number;
  /** The delay from the beginning of the effect. */
  atMs: number;
  durationMs: number;
}

const VOLUME = 0.12;
const ATTACK_MS = 8;
/** How late a sound may be, ms. A browser that allows sound only later than this plays nothing. */
const MAX_LATE_MS = 400;

const [C4, G4, C5, E5, G5, C6] = [261.6, 392, 523.3, 659.3, 784, 1046.5];

const NOTES = {
  chosen: [note(C5, 0, 70)],
  right: [note(E5, 0, 120), note(G5, 90, 220)],
  wrong: [note(G4, 0, 150), note(C4, 120, 260)],
  hurry: [note(C6, 0, 60), note(C6, 180, 60)],
  tick: [note(C5, 0, 90)],
  joined: [note(G5, 0, 90)],
  over: [note(G5, 0, 140), note(E5, 130, 140), note(C5, 260, 320)],
  won: [note(C5, 0, 140), note(E5, 130, 140), note(G5, 260, 140), note(C6, 390, 500)],
} satisfies Record<string, Note[]>;

export type SoundEffect = keyof typeof NOTES;

let context: AudioContext | undefined;

/** Plays an effect, unless the browser's autoplay policy forbids sound before the first click or key. */
export async function play(effect: SoundEffect): Promise<void> {
  context ??= new AudioContext();
  const requestedAtMs = performance.now();
  await context.resume();
  if (performance.now() - requestedAtMs > MAX_LATE_MS) return;
  for (const one of NOTES[effect]) playNote(context, one);
}

function playNote(context: AudioContext, { pitchHz, atMs, durationMs }: Note): void {
  const start = context.currentTime + atMs / 1000;
  const end = start + durationMs / 1000;
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(VOLUME, start + ATTACK_MS / 1000);
  loudness.gain.linearRampToValueAtTime(0, end);
  const tone = new OscillatorNode(context, { type: 'triangle', frequency: pitchHz });
  tone.connect(loudness).connect(context.destination);
  tone.start(start);
  tone.stop(end);
}

function note(pitchHz: number, atMs: number, durationMs: number): Note {
  return { pitchHz, atMs, durationMs };
}
