// Downloads a finished game as the service's CSV file. [contract 13]
import { ApiError } from '../../client/api-error.ts';

/** How long the object URL stays valid, ms. Some browsers read it only after the click. */
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
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}
