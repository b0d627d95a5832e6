// The letters of languages that many keyboards lack, for the keys below a typed answer. Upper case is not needed, since
// answers are compared without it. Pure. [contract 20]

/** By ISO 639-1 code; the letters are those of CLDR's exemplar sets beyond a to z. */
const LETTERS: Readonly<Record<string, string>> = {
  af: 'áäéèêëíîïóôöúûü',
  ca: 'àçéèíïóòúü·',
  cs: 'áčďéěíňóřšťúůýž',
  cy: 'âêîôûŵŷ',
  da: 'æøå',
  de: 'äöüß',
  eo: 'ĉĝĥĵŝŭ',
  es: 'áéíóúüñ¿¡',
  et: 'äõöüšž',
  eu: 'ñç',
  fi: 'äöå',
  fo: 'áæðíóøúý',
  fr: 'àâæçéèêëîïôœùûüÿ',
  ga: 'áéíóú',
  gl: 'áéíóúüñ',
  hr: 'čćđšž',
  hu: 'áéíóöőúüű',
  is: 'áæðéíóöúýþ',
  it: 'àèéìòù',
  lb: 'äéë',
  lt: 'ąčęėįšųūž',
  lv: 'āčēģīķļņšūž',
  mt: 'ċġħż',
  nb: 'æøå',
  nl: 'áéëïóöúü',
  nn: 'æøå',
  no: 'æøå',
  pl: 'ąćęłńóśźż',
  pt: 'áàâãçéêíóôõú',
  ro: 'ăâîșț',
  sk: 'áäčďéíľĺňóôŕšťúýž',
  sl: 'čšž',
  sq: 'çë',
  sv: 'äöå',
  tr: 'âçğıîöşüû',
};

/** @returns the letters of a language; none where it has no others than English, or another script */
export function lettersOf(language: string | undefined): string[] {
  return [...(LETTERS[language ?? ''] ?? '')];
}
