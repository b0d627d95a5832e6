// The words of friendly names in Italian. All nouns are masculine, so that the adjectives have one form.
import { type NameWords, wordsOf } from './words.ts';

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
