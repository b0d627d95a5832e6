// The text of a cell that is HTML, as Anki exports cards. The browser parses it without running or loading anything.

/** The longest cell that is parsed, UTF-16 units. A text of this length is too long for a word anyway. */
const MAX_LENGTH = 5000;

/** What ends a line. */
const BREAKS = /<br\s*\/?>|<\/(?:div|p|li)>/gi;
/** The names of Anki's media files. */
const MEDIA = /\[sound:[^\]]*\]/g;

export function textOfHtml(html: string): string {
  const lines = html.slice(0, MAX_LENGTH).replace(BREAKS, ' ').replace(MEDIA, '');
  const { body } = new DOMParser().parseFromString(lines, 'text/html');
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove();
  // Cards have unbreakable spaces where somebody has typed two.
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim();
}
