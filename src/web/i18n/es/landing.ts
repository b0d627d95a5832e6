// The texts of the landing page in Spanish.
import type { Texts } from '../en/index.ts';

export const esLanding: Texts['landing'] = {
  ways: {
    alone: ['Por tu cuenta', 'las palabras que fallas vuelven hasta que se quedan'],
    friends: ['Con amigos', 'envía un enlace y a jugar'],
    class: ['Con la clase', 'hasta 200 móviles y un proyector'],
  },
  ownLists: 'tus propias listas, en cualquier idioma',
  sample: {
    question: '¿Cómo se dice en inglés?',
    prompt: 'mariposa',
    lang: 'en',
    options: ['dragonfly', 'butterfly', 'firefly', 'ladybird'],
    right: 1,
  },
};
