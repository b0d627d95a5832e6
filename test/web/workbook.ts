// Makes small workbooks (.xlsx), as Excel saves them: with shared strings, and with the readings of kanji.
import { strToU8, zipSync } from 'fflate';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** @param sheets the rows of each sheet by its name; cells of digits are numbers */
export function workbookOf(sheets: Record<string, string[][]>): Uint8Array<ArrayBuffer> {
  const strings: string[] = [];
  const cellOf = (text: string, column: number, row: number) => {
    const at = `${String.fromCharCode(65 + column)}${row + 1}`;
    return /^\d+$/.test(text)
      ? `<c r="${at}"><v>${text}</v></c>`
      : `<c r="${at}" t="s"><v>${strings.push(text) - 1}</v></c>`;
  };
  const names = Object.keys(sheets);
  const files = Object.values(sheets).map((rows, at): [string, string] => {
    const lines = rows.map(
      (cells, row) => `<row r="${row + 1}">${cells.map((text, column) => cellOf(text, column, row)).join('')}</row>`,
    );
    return [
      `xl/worksheets/sheet${at + 1}.xml`,
      `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
    ];
  });
  const shared = strings.map(
    (text) =>
      `<si><t xml:space="preserve">${text}</t>${/\p{Script=Han}/u.test(text) ? '<rPh sb="0" eb="1"><t>ヨミ</t></rPh>' : ''}</si>`,
  );
  const sheetTags = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const relations = names.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const all: [string, string][] = [
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheetTags.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}">${relations.join('')}<Relationship Id="rIdS" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ],
    ['xl/sharedStrings.xml', `<sst xmlns="${MAIN}">${shared.join('')}</sst>`],
    ...files,
  ];
  return zipSync(
    Object.fromEntries(all.map(([name, text]) => [name, strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`)])),
  );
}
