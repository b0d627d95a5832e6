// Moments as the browser's field for date and time writes them: in local time, without a zone. Pure.

const DAY_MS = 24 * 60 * 60 * 1000;

/** @returns the value of a field for a moment */
export function localTimeOf(iso: string): string {
  const moment = new Date(iso);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/** @returns the moment of a field's value as ISO 8601, or null for an incomplete one */
export function momentOf(localTime: string): string | null {
  const moment = new Date(localTime);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** @returns the end of the day in so many days, as a field's value */
export function endOfDayIn(days: number, nowMs: number): string {
  const day = new Date(nowMs + days * DAY_MS);
  day.setHours(23, 59, 0, 0);
  return localTimeOf(day.toISOString());
}
