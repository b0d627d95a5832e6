// Reads the lines with which Anki's exported text begins, such as `#separator:tab`:
// https://docs.ankiweb.net/importing/text-files.html#file-headers. Pure.

export interface AnkiHeader {
  /** What stands between cells; '' without such a line. */
  separator: string;
  /** Whether the cells are HTML; undefined without such a line. */
  isHtml: boolean | undefined;
  /** The columns that are no texts of the card, such as tags, from 0. */
  metadata: ReadonlySet<number>;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  space: ' ',
  pipe: '|',
  colon: ':',
};

const LINE = /^#([a-z][a-z ]*):([^\r\n]*)(?:\r?\n|$)/i;

/** @returns what the header says, and the text behind it */
export function readAnkiHeader(text: string): { header: AnkiHeader; body: string } {
  let body = text;
  let separator = '';
  let isHtml: boolean | undefined;
  const metadata = new Set<number>();
  for (let line = LINE.exec(body); line; line = LINE.exec(body)) {
    const [whole, key = '', value = ''] = line;
    if (/^separator$/i.test(key)) separator = SEPARATORS[value.trim().toLowerCase()] ?? value;
    else if (/^html$/i.test(key)) isHtml = value.trim() === 'true';
    // `#columns` names the columns, and `#tags column` says which one has the tags.
    else if (/ column$/i.test(key)) metadata.add(Number(value) - 1);
    body = body.slice(whole.length);
  }
  return { header: { separator, isHtml, metadata }, body };
}
