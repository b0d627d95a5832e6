// The words by which the headings of tables with words are recognised, in many languages.

/** The languages in whose words a heading is recognised, besides the two of the list. */
export const HEADING_LANGUAGES = 'en de es fr it pt nl pl cs sv ru uk tr el ja zh ko'.split(' ');

/** The headings of columns, in lower case. */
export const HEADINGS = {
  sourceText:
    'word words term terms vocabulary vocab expression phrase front question prompt source original kanji hanzi headword ' +
    'wort wörter begriff vokabel vokabeln ausdruck vorderseite frage fremdsprache fremdwort ' +
    'palabra palabras término vocabulario expresión frase anverso pregunta ' +
    'mot mots terme vocabulaire recto parola parole vocabolo termine vocabolario espressione fronte domanda ' +
    'palavra palavras termo vocabulário frente pergunta woord woorden begrip voorkant vraag słowo słówko wyraz awers ' +
    'pytanie slovo slovíčko výraz ord glosa glosor framsida слово слова термин вопрос термін питання kelime sözcük soru ' +
    'λέξη όρος szó sana cuvânt 単語 言葉 漢字 表 生词 单词 词语 汉字 字 單字 단어 한자',
  targetText:
    'translation translations meaning meanings definition definitions back answer target gloss ' +
    'übersetzung übersetzungen bedeutung definition rückseite antwort muttersprache ' +
    'traducción traducciones significado definición reverso respuesta traduction traductions signification sens définition ' +
    'verso réponse traduzione traduzioni significato definizione retro risposta tradução significado definição verso ' +
    'resposta vertaling betekenis definitie achterkant antwoord tłumaczenie znaczenie definicja rewers odpowiedź překlad ' +
    'význam preklad översättning betydelse baksida svar oversættelse oversettelse перевод значение определение ответ ' +
    'переклад значення відповідь çeviri anlam anlamı cevap μετάφραση σημασία fordítás jelentés käännös traducere 訳 意味 ' +
    '翻訳 裏 意思 翻译 释义 翻譯 뜻 의미 번역',
  sourceGloss:
    'note notes comment comments hint remark reading pronunciation pinyin romaji furigana kana hiragana zhuyin ' +
    'transcription ipa notiz notizen anmerkung anmerkungen bemerkung hinweis kommentar lesung aussprache lautschrift nota ' +
    'notas comentario pista lectura pronunciación remarque remarques commentaire indice lecture prononciation appunto ' +
    'commento suggerimento lettura pronuncia observação leitura pronúncia opmerking uitspraak uwaga uwagi wymowa poznámka ' +
    'výslovnost anteckning uttal примечание чтение произношение примітка вимова not açıklama okunuş σημείωση προφορά ' +
    '読み 読み方 よみ メモ ふりがな 拼音 备注 注释 발음 메모',
  none:
    'nr no num number # id index tag tags level cefr pos lesson unit chapter example examples sentence image audio deck ' +
    'nummer lektion einheit kapitel niveau stufe wortart beispiel beispiele beispielsatz bild número nivel unidad lección ' +
    'ejemplo categoría n° numéro niveau leçon unité exemple catégorie numero livello lezione unità esempio категория урок ' +
    'пример номер 番号 例文 レベル 品詞 课 例句 번호 예문',
};

/** Words between those of a heading: `word in English`. */
export const SMALL_WORDS = new Set('in en auf of the a le la der die das de di do na po per på'.split(' '));
