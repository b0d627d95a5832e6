// The texts of the account screen in Spanish.
import type { Texts } from '../en/index.ts';

export const esAccount: Texts['account'] = {
  title: 'Tu cuenta',
  profile: 'Tu nombre',
  saveName: 'Guardar el nombre',
  saved: 'Guardado.',

  devices: 'Tus dispositivos',
  devicesMore: 'Aquí tienes la sesión iniciada. Ciérrala en los dispositivos que no reconozcas.',
  browserOn: (browser, system) => `${browser} en ${system}`,
  unknownDevice: 'Dispositivo desconocido',
  thisDevice: 'Este dispositivo',
  signedInAt: (when) => `Sesión iniciada el ${when}`,
  signOutOthers: 'Cerrar sesión en los demás',
  signOutAll: 'Cerrar sesión en todos',
  signOutAllAsk: '¿Cerrar sesión en todos los dispositivos?',
  signOutAllMore: 'Se cerrará tu sesión en todos los dispositivos, también en este.',

  currentPassword: 'Contraseña actual',
  changePassword: 'Cambiar la contraseña',
  passwordChanged: 'Tu contraseña nueva está guardada. Se ha cerrado la sesión en los demás dispositivos.',
  passwordToConfirm: 'Tu contraseña, para confirmar',

  secondFactor: 'Verificación en dos pasos',
  secondFactorMore:
    'Al iniciar sesión con la contraseña, escribes también un código de una aplicación de autenticación. Así, una contraseña robada no basta para entrar.',
  secondFactorOn: 'La verificación en dos pasos está activada.',
  setUp: 'Configurar la verificación en dos pasos',
  scan: 'Escanea este código con tu aplicación de autenticación y escribe las seis cifras que muestra.',
  setUpQrCode: 'Código QR para tu aplicación de autenticación',
  openApp: 'Abrir la aplicación en este dispositivo',
  orType: 'o escribe esta clave:',
  turnOn: 'Activar',
  turnOff: 'Desactivar la verificación en dos pasos',
  newBackupCodes: 'Obtener nuevos códigos de reserva',
  backupCodesMore:
    'Guarda estos códigos en un lugar seguro. Si pierdes el móvil, cada uno te permite iniciar sesión una vez. No se volverán a mostrar.',
  copyCodes: 'Copiar los códigos',
  codesKept: 'Ya los he guardado',

  passkeys: 'Tus claves de acceso',
  passkeysMore:
    'Inicia sesión con la huella, la cara o el PIN de un dispositivo en lugar de la contraseña. Nadie puede adivinar una clave de acceso, y solo vale en este sitio.',
  unnamedPasskey: 'Clave de acceso sin nombre',
  addPasskey: 'Añadir una clave de acceso',
  addedAt: (when) => `Añadida el ${when}`,
  rename: 'Cambiar el nombre',
  passkeyName: 'Nombre de la clave de acceso',
  remove: 'Quitar',
  removePasskeyAsk: (name) => `¿Quitar «${name}»?`,
  removePasskeyMore: 'Ya no podrás iniciar sesión con ella.',
  signInAgain: 'Iniciar sesión de nuevo',

  linkTitle: 'Otra forma de entrar',
  linkMore: (name) =>
    `Conecta ${name} para entrar desde allí a partir de ahora. Tu cuenta de allí necesita la misma dirección de correo.`,
  link: (name) => `Conectar ${name}`,
  linked: (name) => `Puedes entrar con ${name}.`,

  data: 'Tus datos',
  dataMore:
    'Todo lo que está guardado sobre ti, en un archivo: tu cuenta, tus listas, tus partidas y las palabras que has aprendido.',
  downloadData: 'Descargar tus datos',
  fileName: 'mi-cuenta-quiz.json',

  delete: 'Eliminar la cuenta',
  deleteMore:
    'Tu cuenta y tus listas se eliminan para siempre. Tus puntos se quedan en los resultados de partidas anteriores, sin tu nombre.',
  deleteAsk: '¿Eliminar tu cuenta?',
  deleteForGood: 'No se puede deshacer.',
};
