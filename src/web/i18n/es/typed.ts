// The texts about typed answers and words that are read aloud in Spanish.
import type { Texts } from '../en/index.ts';

export const esTyped: Texts['typed'] = {
  label: 'Respuestas',
  modes: { choice: 'Elegir', typed: 'Escribir' },
  practise: 'Escribir las respuestas',
  send: 'Responder',
  letters: 'Letras especiales',
  close: '¡Correcto! Fíjate en la ortografía.',
  alsoRight: 'También vale:',
  onDevice: 'Escribe la respuesta en tu dispositivo.',
  wereRight: 'Bien',
  wereWrong: 'Mal',
  listen: 'Escuchar',
  readAloud: 'Leer siempre en voz alta',
};
