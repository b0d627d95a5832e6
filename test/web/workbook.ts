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
  const rowOf = (cells: string[], row: number) =>
    `<row r="${row + 1}">${cells.map((text, column) => cellOf(text, column, row)).join('')}</row>`;
  const files: Record<string, string> = {};
  let tags = '';
  let relations = '';
  for (const [at, [name, rows]] of Object.entries(sheets).entries()) {
    const [id, path] = [at + 1, `worksheets/sheet${at + 1}.xml`];
    const content = `<sheetData>${rows.map(rowOf).join('')}</sheetData>`;
    files[`xl/${path}`] = `<worksheet xmlns="${MAIN}">${content}</worksheet>`;
    tags += `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`;
    relations += `<Relationship Id="rId${id}" Type="${RELATIONS}/worksheet" Target="${path}"/>`;
  }
  relations += `<Relationship Id="rIdS" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>`;
  const readingOf = (text: string) => (/\p{Script=Han}/u.test(text) ? '<rPh sb="0" eb="1"><t>ヨミ</t></rPh>' : '');
  const shared = strings.map((text) => `<si><t xml:space="preserve">${text}</t>${readingOf(text)}</si>`);
  const all = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${tags}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${relations}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${shared.join('')}</sst>`,
    ...files,
  };
  const declared = Object.entries(all).map(([path, text]) => {
    return [path, strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`)];
  });
  return zipSync(Object.fromEntries(declared));
}
