// A finished game as a file for a spreadsheet, which the service writes. [contract 13]
import { ApiError } from '../../client/api-error.ts';

const READ_WITHIN_MS = 60_000;

/** @throws ApiError */
export async function downloadCsv(gameId: string, name: string): Promise<void> {
  const request = fetch(`/api/v1/games/${gameId}`, { headers: { accept: 'text/csv' } });
  const response = await request.catch(() => {
    throw new ApiError(0, 'OFFLINE', 'No connection.');
  });
  if (!response.ok) throw new ApiError(response.status, 'UNKNOWN', response.statusText);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read it only now.
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}
