// Confetti. The usual library starts a worker from a blob, which the page's content security policy forbids.

interface Piece {
  x: number;
  y: number;
  speedX: number;
  speedY: number;
  /** In radians; `spin` in radians per second. */
  turn: number;
  spin: number;
  colour: string;
}

const COLOURS = ['#3451c7', '#93a9ff', '#17a35a', '#f2b632', '#e5484d'];
const PIECES = 140;
const SIZE_PX = 9;
const DURATION_MS = 3500;
const GRAVITY_PX = 620;
/** The longest step of the animation, s. A hidden page draws no frames, and pieces must not jump. */
const MAX_FRAME_S = 0.05;

/**
 * Draws confetti over the whole page for some seconds. It does not intercept clicks.
 * @param signal ends it before, when its screen is left
 */
export function throwConfetti(signal: AbortSignal): void {
  const canvas = document.createElement('canvas');
  canvas.className = 'confetti';
  canvas.setAttribute('aria-hidden', 'true');
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  const paper = canvas.getContext('2d');
  if (!paper) return;
  document.body.append(canvas);
  const pieces = Array.from({ length: PIECES }, (_, at) => newPiece(at, canvas));
  const endsAtMs = performance.now() + DURATION_MS;
  let lastMs = performance.now();
  const draw = (nowMs: number) => {
    if (nowMs > endsAtMs || signal.aborted) {
      canvas.remove();
      return;
    }
    paper.clearRect(0, 0, canvas.width, canvas.height);
    const passedS = Math.min(MAX_FRAME_S, Math.max(0, nowMs - lastMs) / 1000);
    for (const piece of pieces) drawPiece(paper, fall(piece, passedS));
    lastMs = nowMs;
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}

/** @returns a piece that flies from one of the lower corners towards the middle */
function newPiece(at: number, { width, height }: HTMLCanvasElement): Piece {
  const side = at % 2 === 0 ? 1 : -1;
  return {
    x: side === 1 ? 0 : width,
    y: height * 0.8,
    speedX: side * width * between(0.1, 0.75),
    speedY: -height * between(0.5, 1.25),
    turn: between(0, Math.PI),
    spin: between(-6, 6),
    colour: COLOURS[at % COLOURS.length] as string,
  };
}

function fall(piece: Piece, passedS: number): Piece {
  piece.speedX *= 1 - 0.9 * passedS;
  piece.speedY += GRAVITY_PX * passedS;
  piece.x += piece.speedX * passedS;
  piece.y += piece.speedY * passedS;
  piece.turn += piece.spin * passedS;
  return piece;
}

function drawPiece(paper: CanvasRenderingContext2D, { x, y, turn, colour }: Piece): void {
  paper.save();
  paper.translate(x, y);
  paper.rotate(turn);
  paper.fillStyle = colour;
  paper.fillRect(-SIZE_PX / 2, -SIZE_PX / 4, SIZE_PX, SIZE_PX / 2);
  paper.restore();
}

function between(from: number, to: number): number {
  return from + Math.random() * (to - from);
}
