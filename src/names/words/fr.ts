// The words of friendly names in French. All nouns are masculine, so that the adjectives have one form.
import { type NameWords, wordsOf } from './words.ts';

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
