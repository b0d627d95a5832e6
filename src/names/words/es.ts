// The words of friendly names in Spanish. All nouns are masculine, so that the adjectives have one form.
import { type NameWords, wordsOf } from './words.ts';

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
