// The words of friendly names in German. All nouns are masculine, so that the adjectives have one form.
import { type NameWords, wordsOf } from './words.ts';

export const de: NameWords = {
  adjectives: wordsOf(`
    Aktiver Begabter Beherzter Besonnener Charmanter Dankbarer Edler Ehrlicher Eifriger Eleganter Emsiger Fairer
    Findiger Fleißiger Flinker Freundlicher Friedlicher Fröhlicher Furchtloser Gelassener Genialer Gerechter
    Geschickter Glücklicher Goldener Großzügiger Gutmütiger Heiterer Heller Herzlicher Hilfreicher Höflicher
    Ideenreicher Kluger Kreativer Kühner Lebhafter Liebenswerter Lustiger Mächtiger Mitfühlender Munterer
    Musikalischer Mutiger Neugieriger Optimistischer Pfiffiger Prächtiger Pünktlicher Rascher Ruhiger Sanfter Schlauer
    Schneller Silberner Sonniger Sportlicher Stiller Stolzer Strahlender Tapferer Treuer Tüchtiger Unermüdlicher
    Vergnügter Verlässlicher Vielseitiger Weiser Witziger Zufriedener Zuverlässiger`),
  nouns: wordsOf(`
    Adler Albatros Biber Bussard Dachs Delfin Distelfink Eisbär Elch Falke Fischotter Flamingo Fuchs Gecko Gepard
    Grashüpfer Habicht Hamster Hase Igel Jaguar Kiebitz Kiwi Koala Kolibri Kormoran Kranich Lachs Leguan Lemur Leopard
    Löwe Luchs Marder Marienkäfer Milan Narwal Otter Panda Panther Papagei Pelikan Pinguin Polarfuchs Puma Reiher
    Salamander Schmetterling Schneehase Schwan Seeadler Seestern Specht Steinbock Storch Tiger Tukan Uhu Waschbär Wolf
    Wombat Zander Zaunkönig`),
  order: 'adjective first',
};
