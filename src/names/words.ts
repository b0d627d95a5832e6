// The words of friendly names, by language. Both kinds of words are chosen so that no pair of them can hurt anybody: no
// parts of the body, no colours of skin, and no animals that are called names. In German, French, Italian and Spanish
// all nouns are masculine, so that the adjectives have one form.

export interface NameWords {
  adjectives: readonly string[];
  nouns: readonly string[];
  order: 'adjective first' | 'noun first';
}

export function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

export const en: NameWords = {
  adjectives: wordsOf(`
    Agile Alert Amber Artful Azure Brave Breezy Bright Calm Careful Cheerful Clever Coral Cosmic Crimson Curious
    Dapper Daring Dashing Eloquent Emerald Faithful Fearless Friendly Gallant Generous Gentle Gifted Glad Graceful
    Happy Helpful Honest Hopeful Indigo Inventive Jolly Joyful Jubilant Keen Kind Lively Loyal Lucky Lunar Merry
    Mighty Musical Neat Nimble Noble Patient Peaceful Playful Plucky Polite Proud Quick Quiet Radiant Reliable Scarlet
    Serene Sincere Skilful Smart Smiling Solar Speedy Spirited Steady Stellar Sunny Swift Tactful Thankful Tidy
    Tireless Trusty Upbeat Valiant Vigilant Violet Vivid Watchful Wise Witty`),
  nouns: wordsOf(`
    Albatross Alpaca Antelope Badger Bear Bison Buffalo Butterfly Chipmunk Cricket Deer Dolphin Dragonfly Eagle Falcon
    Ferret Finch Firefly Flamingo Fox Gazelle Gecko Giraffe Hamster Hare Hawk Hedgehog Heron Iguana Jaguar Kangaroo
    Kingfisher Kiwi Koala Ladybird Lark Lemur Leopard Lion Llama Lobster Lynx Marmot Meerkat Moose Narwhal Nightingale
    Octopus Osprey Otter Owl Panda Pelican Penguin Pony Raven Reindeer Robin Salmon Squirrel Stork Swan Tiger Tortoise
    Toucan Turtle Wallaby Wolf Wombat Wren Yak Zebra`),
  order: 'adjective first',
};

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

export const es: NameWords = {
  adjectives: wordsOf(`
    Ágil Amable Amistoso Animado Aplicado Astuto Atento Atrevido Audaz Bondadoso Brillante Capaz Cauto Certero
    Constante Contento Cordial Cortés Creativo Curioso Decidido Despierto Dichoso Digno Diligente Discreto Dorado
    Elegante Elocuente Encantador Entusiasta Espléndido Estelar Fabuloso Feliz Fiable Fiel Formidable Genial Generoso
    Gentil Hábil Honesto Honrado Ideal Ilustre Imparable Incansable Ingenioso Intrépido Inventivo Jovial Justo Leal
    Libre Listo Lúcido Luminoso Mágico Magnífico Musical Notable Optimista Paciente Plateado Prudente Puntual Radiante
    Rápido Resuelto Risueño Sabio Sagaz Sensato Sereno Simpático Sincero Sonriente Tenaz Tranquilo Valeroso Valiente
    Veloz Vivaz`),
  nouns: wordsOf(`
    Albatros Alce Armiño Bisonte Búho Camaleón Canguro Caribú Castor Colibrí Cóndor Coral Cisne Delfín Erizo Faisán
    Flamenco Gavilán Gecko Gorrión Grillo Guepardo Halcón Hámster Hurón Jilguero Kiwi Koala Lemur Leopardo Lince Lirón
    Lobo León Mapache Mirlo Mochuelo Narval Ñandú Ocelote Oso Panda Pelícano Petirrojo Pingüino Poni Puma Quetzal Reno
    Ruiseñor Salmón Saltamontes Suricato Tejón Tigre Tucán Vencejo Visón Yak Zafiro`),
  order: 'noun first',
};

export const fr: NameWords = {
  adjectives: wordsOf(`
    Adroit Aimable Amical Amusant Appliqué Argenté Astucieux Attentif Audacieux Avisé Bienveillant Bondissant Brave
    Brillant Calme Charmant Courageux Créatif Curieux Dévoué Digne Discret Doré Doué Dynamique Éclatant Élégant
    Émérite Énergique Enjoué Épatant Espiègle Étincelant Fiable Fidèle Fier Franc Futé Généreux Génial Habile Heureux
    Honnête Inventif Jovial Joyeux Juste Loyal Lucide Lumineux Magique Minutieux Musical Noble Optimiste Paisible
    Patient Pétillant Poli Ponctuel Posé Prudent Radieux Rapide Rêveur Rieur Rusé Sage Serein Sincère Solaire Souriant
    Subtil Superbe Tranquille Vaillant Vif Vigilant Zélé`),
  nouns: wordsOf(`
    Aigle Albatros Alpaga Bison Bourdon Bouvreuil Caméléon Canard Caribou Castor Cerf Chamois Chardonneret Chevreuil
    Colibri Condor Cormoran Criquet Cygne Daim Dauphin Écureuil Élan Espadon Faisan Faucon Flamant Furet Gecko Goéland
    Grillon Guépard Hamster Hérisson Héron Hibou Homard Iguane Kangourou Kiwi Koala Lama Lémurien Léopard Lézard
    Lièvre Lion Loup Lynx Mouflon Narval Ocelot Opossum Orignal Ours Panda Papillon Pélican Perroquet Pinson Poney
    Puma Renard Renne Rossignol Saumon Suricate Tigre Toucan Wapiti Zèbre`),
  order: 'noun first',
};

export const it: NameWords = {
  adjectives: wordsOf(`
    Abile Accorto Affabile Agile Allegro Amabile Amichevole Ammirevole Argenteo Arguto Astuto Attento Audace Avveduto
    Bravo Brillante Brioso Calmo Capace Coraggioso Cordiale Cortese Costante Creativo Curioso Deciso Dinamico
    Disinvolto Diligente Dorato Elegante Eloquente Energico Entusiasta Fantasioso Fedele Felice Festoso Fiducioso
    Fiero Forte Garbato Geniale Generoso Gentile Giocoso Gioioso Giudizioso Giusto Illustre Impavido Indomito
    Ingegnoso Intrepido Leale Lieto Limpido Luminoso Magico Magnifico Musicale Nobile Ottimista Paziente Pacifico
    Prode Pronto Prudente Puntuale Radioso Rapido Raggiante Risoluto Saggio Sagace Sereno Sincero Solare Solerte
    Sorridente Stellare Svelto Tenace Tranquillo Valente Valoroso Veloce Vispo Vivace`),
  nouns: wordsOf(`
    Airone Albatro Alce Armadillo Bisonte Bombo Calabrone Camaleonte Canarino Canguro Caribù Castoro Cigno Coccodrillo
    Colibrì Condor Corallo Corvo Criceto Daino Delfino Ermellino Falco Fenicottero Furetto Gabbiano Geco Ghepardo
    Ghiro Giaguaro Grillo Gufo Istrice Kiwi Koala Lama Lemure Leone Leopardo Lupo Narvalo Opossum Orso Panda
    Pappagallo Pellicano Pettirosso Picchio Pinguino Pony Procione Puma Ramarro Riccio Rondone Salmone Scoiattolo
    Stambecco Storno Suricato Tasso Tucano Usignolo Visone Zaffiro`),
  order: 'noun first',
};
