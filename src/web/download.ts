// Downloads a reply of the service, or what the page has made, as a file. [contract 13, 22]
import { ApiError } from '../client/api-error.ts';
import { SIGNED_OUT } from './api.ts';
import type { Cell } from './csv.ts';

/** How long the object URL stays valid, ms. Some browsers read it only after the click. */
const READ_WITHIN_MS = 60_000;

/**
 * @param path the address of the reply
 * @param accept the media type that is asked for
 * @param name the file's name
 * @throws ApiError if the service refuses the request, or can't send the whole reply
 */
export async function download(path: string, accept: string, name: string): Promise<void> {
  saveAs(await readAs(path, accept), name);
}

/** @returns a reply of the service. @throws as `download` */
export async function readAs(path: string, accept: string): Promise<Blob> {
  const offline = () => {
    throw new ApiError(0, 'OFFLINE', 'No connection.');
  };
  const response = await fetch(path, { headers: { accept } }).catch(offline);
  if (response.ok) return response.blob().catch(offline);
  if (response.status === 401) dispatchEvent(new Event(SIGNED_OUT));
  const { code = 'UNKNOWN' } = (await response.json().catch(() => ({}))) as { code?: string };
  throw new ApiError(response.status, code, response.statusText);
}

/** Saves a table for the spreadsheet of the reader, whose country the browser knows. @param name the file's, without its ending */
export async function saveTable(table: readonly Cell[][], name: string): Promise<void> {
  const { toCsv } = await import('./csv.ts');
  saveAs(toCsv(table, navigator.language), `${name}.csv`);
}

/** Saves a file that the page has made, or a reply. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}
