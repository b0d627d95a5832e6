// Isolates the writing direction of users' names from the sentence around them. [contract 17]

/** Stands for the names while the sentence is split; none of the page's texts has it. */
const PLACE = '\uFFFC';

/** @param props.text makes the sentence from the names */
export function TextWithNames({ text, names }: { text(names: string): string; names: string[] }) {
  const [before, after] = text(PLACE).split(PLACE);
  return (
    <>
      {before}
      {names.map((name, at) => (
        <>
          {at > 0 && ', '}
          <bdi>{name}</bdi>
        </>
      ))}
      {after}
    </>
  );
}
