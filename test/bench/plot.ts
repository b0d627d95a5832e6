// Draws a plot of lines as SVG. It is too small to need a library.

export interface Line {
  name: string;
  points: [x: number, y: number][];
}

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 60;
const RIGHT = 160;
const TOP = 40;
const BOTTOM = 50;
const COLOURS = ['#0b6', '#888', '#c50'];
const Y_TICKS = 5;

/** @returns the SVG; x is logarithmic, with a tick at each point of the first line */
export function drawPlot(labels: { title: string; x: string; y: string }, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points);
  const xs = points.map(([x]) => Math.log(x));
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const top = roundUp(Math.max(...points.map(([, y]) => y)));
  const xOf = (x: number) => LEFT + ((Math.log(x) - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT);
  const yOf = (y: number) => HEIGHT - BOTTOM - (y / top) * (HEIGHT - TOP - BOTTOM);
  const xTicks = lines[0]?.points.map(([x]) => x) ?? [];
  const yTicks = Array.from({ length: Y_TICKS + 1 }, (_, index) => (index * top) / Y_TICKS);

  const parts = [
    text(LEFT, TOP - 18, labels.title, 'font-weight="bold"'),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, labels.x, 'text-anchor="middle"'),
    text(8, TOP - 18, labels.y),
    ...xTicks.map((x) => text(xOf(x), HEIGHT - BOTTOM + 18, String(x), 'text-anchor="middle"')),
    ...yTicks.flatMap((y) => [
      `<path d="M${LEFT} ${round(yOf(y))}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
      text(LEFT - 8, yOf(y) + 4, String(round(y)), 'text-anchor="end"'),
    ]),
    ...lines.flatMap((line, index) => drawLine(line, COLOURS[index % COLOURS.length] as string)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">
<title>${labels.title}</title>
<rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`;

  function drawLine({ name, points }: Line, colour: string): string[] {
    const places = points.map(([x, y]) => [round(xOf(x)), round(yOf(y))] as const);
    const [endX = 0, endY = 0] = places.at(-1) ?? [];
    return [
      `<polyline points="${places.map((place) => place.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`),
      text(endX + 10, endY + 4, name, `fill="${colour}"`),
    ];
  }
}

function text(x: number, y: number, words: string, more = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${more}>${words}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** @returns the next greater number that is a digit, or half of one, followed by zeros */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.ceil((value / power) * 2) * (power / 2);
}
