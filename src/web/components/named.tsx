// Names are other people's words: each keeps its direction of writing to itself, so that none turns
// around what stands beside it. [contract 17]

/** Where the names go; no text of ours has it. */
const PLACE = '\uFFFC';

/** A sentence with names in it; `text` makes it from them. */
export function Named({ text, names }: { text(names: string): string; names: string[] }) {
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
