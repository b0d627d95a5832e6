// What no friendly name may contain, in any of the languages: pupils of one class read each other's names whatever
// language they are in. The lists are for a test, and are not complete.

/** @returns the words of a text */
const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Parts of words, in lower case without accents. No name may contain one, not even across its two words. */
export const RUDE_PARTS = wordsOf(`
  anal anus arsch arse bastard bitch boob bosom bugger cazz chatte chienne cock coglion cojon connard coon couill
  crap culo cunt damn dick dyke fag fart fick figa folla fotz fuck gook hitler homo hure idiot jerk jizz kack kike
  knob marica maricon merd mierda minchia mongo moron muschi nazi neger negr nigg nutte paki pecker pedo penis
  phoque pimmel pipi piss polla poof poop popo porn puff puta putain puto puttan queer rape retard salope scheiss
  schwanz schwuchtel sex shag shit slut spast sperm spic stronz tits titte troia turd twat vagin vogel vulva wank
  whore wichs zoccol zorra`);

/** Whole words that are rude or hurtful by themselves: insults, parts of the body, colours of skin, slang. */
export const RUDE_WORDS = wordsOf(`
  affe ane ape asino ass beaver bicho black blaireau blanc blanco boche bock bouc brown brun bull burro cabra cerdo
  cervo chameau chat chaud chien con conejo coq cougar cow crab cul dick donkey dumm easy esel fat fett fixer foca
  gai gallina gay geai geil ghey gimpel goat goose gordo gorilla gros grosso hahn hairy heiss hengst hog horny hot
  hund kuh lapin loose maiale mole monkey mono mula nackt naked negro nero noir nu nudo oca ochse pajaro passero
  pavo pesce pet pig pigeon pollo porc porco pussy puta rat ratte sau scharfer schwarz schwein simio singe skunk
  sloth slow snake stallion stiff straight swallow tit toad topo toro trans truie uccello vaca vacca vache weasel
  weiss wet whale white worm wurm yellow ziege zorro`);

/** Pairs of harmless words that mean something else together. */
export const AMBIGUOUS_PAIRS: readonly string[] = `
  alter hase, armer hund, big bear, blue tit, brown bear, canard boiteux, chaud lapin, cold fish, corvo nero,
  dark horse, drôle oiseau, eager beaver, early bird, fauler hund, flotter käfer, frecher dachs, gatto morto,
  great tit, heißer hase, hot dog, komischer kauz, lame duck, lapin chaud, lobo feroz, lone wolf, loup blanc,
  lupo cattivo, merlo maschio, mirlo blanco, odd duck, orso bruno, oso gordo, ours mal, pato feo, pesce lesso,
  rara avis, red robin, scharfer hase, schräger vogel, silver fox, sly fox, stool pigeon, toller hecht,
  vieux renard, wilder hengst`
  .trim()
  .split(/,\s+/);
