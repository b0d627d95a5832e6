// The texts of the account screen in French.
import type { Texts } from '../en/index.ts';

export const frAccount: Texts['account'] = {
  title: 'Votre compte',
  profile: 'Votre nom',
  saveName: 'Enregistrer le nom',
  saved: 'Enregistré.',

  devices: 'Vos appareils',
  devicesMore: 'Voici où vous êtes connecté. Déconnectez les appareils que vous ne reconnaissez pas.',
  browserOn: (browser, system) => `${browser} sur ${system}`,
  unknownDevice: 'Appareil inconnu',
  thisDevice: 'Cet appareil',
  signedInAt: (when) => `Connecté le ${when}`,
  signOutOthers: 'Déconnecter tous les autres appareils',
  signOutAll: 'Se déconnecter partout',
  signOutAllAsk: 'Vous déconnecter partout ?',
  signOutAllMore: 'Vous serez déconnecté de tous les appareils, y compris celui-ci.',

  currentPassword: 'Mot de passe actuel',
  changePassword: 'Changer le mot de passe',
  passwordChanged: 'Votre nouveau mot de passe est enregistré. Tous les autres appareils ont été déconnectés.',
  passwordToConfirm: 'Votre mot de passe, pour confirmer',

  secondFactor: 'Connexion en deux étapes',
  secondFactorMore:
    'Quand vous vous connectez avec votre mot de passe, vous saisissez aussi un code d’une application d’authentification. Un mot de passe volé ne suffit alors plus.',
  secondFactorOn: 'La connexion en deux étapes est activée.',
  setUp: 'Configurer la connexion en deux étapes',
  scan: 'Scannez ce code avec votre application d’authentification, puis saisissez les six chiffres affichés.',
  setUpQrCode: 'Code QR pour votre application d’authentification',
  openApp: 'Ouvrir l’application sur cet appareil',
  orType: 'ou saisissez cette clé :',
  turnOn: 'Activer',
  turnOff: 'Désactiver la connexion en deux étapes',
  newBackupCodes: 'Obtenir de nouveaux codes de secours',
  backupCodesMore:
    'Gardez ces codes en lieu sûr. Si vous perdez votre téléphone, chacun permet de vous connecter une fois. Ils ne seront plus affichés.',
  copyCodes: 'Copier les codes',
  codesKept: 'Je les ai enregistrés',

  passkeys: 'Vos clés d’accès',
  passkeysMore:
    'Connectez-vous avec votre empreinte, votre visage ou le code d’un appareil au lieu de votre mot de passe. Une clé d’accès ne se devine pas et ne sert que sur ce site.',
  unnamedPasskey: 'Clé d’accès sans nom',
  addPasskey: 'Ajouter une clé d’accès',
  addedAt: (when) => `Ajoutée le ${when}`,
  rename: 'Renommer',
  passkeyName: 'Nom de la clé d’accès',
  remove: 'Retirer',
  removePasskeyAsk: (name) => `Retirer « ${name} » ?`,
  removePasskeyMore: 'Vous ne pourrez plus vous connecter avec elle.',
  signInAgain: 'Se connecter à nouveau',

  linkTitle: 'Une autre connexion',
  linkMore: (name) =>
    `Associez ${name} pour vous connecter ainsi à l’avenir. Votre compte là-bas doit avoir la même adresse e-mail.`,
  link: (name) => `Associer ${name}`,
  linked: (name) => `Vous pouvez vous connecter avec ${name}.`,

  data: 'Vos données',
  dataMore:
    'Tout ce qui est enregistré sur vous, dans un seul fichier : votre compte, vos listes, vos parties et les mots que vous avez appris.',
  downloadData: 'Télécharger vos données',
  fileName: 'mon-compte-quiz.json',

  delete: 'Supprimer le compte',
  deleteMore:
    'Votre compte et vos listes sont supprimés définitivement. Vos points restent dans les résultats des parties passées, sans votre nom.',
  deleteAsk: 'Supprimer votre compte ?',
  deleteForGood: 'C’est irréversible.',
};
