// The mark of an option: a colour and a shape, the same on a projector, on a phone and in a result, so that a class
// can name it. The shape tells it from the others without the colour. [WCAG 1.4.1]

/** A triangle, a diamond, a circle and a square, as paths in a field of 24 by 24. */
const SHAPES = [
  'M12 3 22 20H2z',
  'M12 1.500 22.500 12 12 22.500 1.500 12z',
  'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z',
  'M3.500 3.500h17v17h-17z',
];

/** @returns the class whose style sets the colour of everything inside */
export function optionClass(optionId: number): string {
  return `in-option-${optionId % SHAPES.length}`;
}

export function OptionKey({ optionId }: { optionId: number }) {
  return (
    <span class="key">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={SHAPES[optionId % SHAPES.length]} />
      </svg>
    </span>
  );
}
