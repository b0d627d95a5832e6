// The texts of the account emails in the languages of the page. [contract 25]
import type { PageLanguage } from '../../names/languages.ts';
import type { Notice } from './emails.ts';

export interface LinkTexts {
  subject: string;
  lead: string;
  button: string;
  /** The sentences about the link's lifetime, and about ignoring an email that one did not ask for. */
  notes: string[];
}

interface MailTexts {
  /** The greeting of somebody without a name, and the beginning of that by name. */
  hello: string;
  /** Stands above the link as text. */
  noButton: string;
  links: Record<'verification' | 'password-reset' | 'sign-up-attempt', LinkTexts>;
  notices: Record<Notice, Pick<LinkTexts, 'subject' | 'lead'>>;
  notice: Pick<LinkTexts, 'button' | 'notes'>;
}

export const MAIL_TEXTS: Record<PageLanguage, MailTexts> = {
  en: {
    hello: 'Hello',
    noButton: 'If the button does nothing, open this address:',
    links: {
      verification: {
        subject: 'Confirm your email address',
        lead: 'Welcome to Vocabulary Quiz. Confirm that this address is yours and you can start to play.',
        button: 'Confirm address',
        notes: [
          'The link works for 24 hours. Open it in the browser in which you signed up, and nothing more is asked of you; in another one you give the password of your sign-up, or choose a new one.',
          'Did you not sign up? Then do nothing: without a confirmation the account stays closed.',
        ],
      },
      'password-reset': {
        subject: 'Choose a new password',
        lead: 'Somebody asked for a new password for your Vocabulary Quiz account. Choosing one signs you out on all devices.',
        button: 'Choose a password',
        notes: [
          'The link works for one hour, and once.',
          'Was it not you? Then do nothing: your password stays as it is.',
        ],
      },
      'sign-up-attempt': {
        subject: 'You have an account already',
        lead: 'Somebody wanted to sign up for Vocabulary Quiz with your address. You have an account: sign in with it.',
        button: 'Sign in',
        notes: [
          'Have you forgotten the password? Choose a new one there.',
          'Was it not you? Then do nothing: nothing has changed.',
        ],
      },
    },
    notices: {
      'password-changed': {
        subject: 'Your password was changed',
        lead: 'The password of your Vocabulary Quiz account was changed. All other devices are signed out.',
      },
      'second-factor-on': {
        subject: 'Your second factor was turned on',
        lead: 'From now on a sign-in to your Vocabulary Quiz account asks for a code of an authenticator app.',
      },
      'second-factor-off': {
        subject: 'Your second factor was turned off',
        lead: 'A sign-in to your Vocabulary Quiz account no longer asks for a code.',
      },
      'second-factor-reset': {
        subject: 'Your second factor was removed',
        lead: 'Whoever runs this Vocabulary Quiz has removed the second factor of your account, as somebody asked for it in your name. All devices are signed out; sign in and set a new one up.',
      },
      'backup-codes-renewed': {
        subject: 'Your backup codes were replaced',
        lead: 'Your Vocabulary Quiz account has new backup codes. The old ones are no longer good.',
      },
      'passkey-added': {
        subject: 'A passkey was added',
        lead: 'A passkey was added to your Vocabulary Quiz account. It signs in without a password.',
      },
      'passkey-removed': {
        subject: 'A passkey was removed',
        lead: 'A passkey was removed from your Vocabulary Quiz account.',
      },
    },
    notice: {
      button: 'Choose a new password',
      notes: [
        'Was it you? Then there is nothing to do.',
        'Was it not you? Choose a new password at once: that signs out everybody else. Then look at “Your account” for a second factor and passkeys that are not yours.',
      ],
    },
  },
  de: {
    hello: 'Hallo',
    noButton: 'Wenn der Knopf nichts tut, öffne diese Adresse:',
    links: {
      verification: {
        subject: 'Bestätige deine E-Mail-Adresse',
        lead: 'Willkommen bei Vocabulary Quiz. Bestätige, dass diese Adresse dir gehört, und du kannst losspielen.',
        button: 'Adresse bestätigen',
        notes: [
          'Der Link gilt 24 Stunden. In dem Browser, in dem du dich registriert hast, genügt es, ihn zu öffnen; in einem anderen gibst du das Passwort deiner Registrierung ein oder wählst ein neues.',
          'Du hast dich nicht registriert? Dann tu nichts: Ohne Bestätigung bleibt das Konto geschlossen.',
        ],
      },
      'password-reset': {
        subject: 'Wähle ein neues Passwort',
        lead: 'Jemand hat für dein Konto bei Vocabulary Quiz ein neues Passwort angefordert. Wenn du eines wählst, wirst du auf allen Geräten abgemeldet.',
        button: 'Passwort wählen',
        notes: [
          'Der Link gilt eine Stunde lang und einmal.',
          'Das warst nicht du? Dann tu nichts: Dein Passwort bleibt, wie es ist.',
        ],
      },
      'sign-up-attempt': {
        subject: 'Du hast schon ein Konto',
        lead: 'Jemand wollte sich mit deiner Adresse bei Vocabulary Quiz registrieren. Du hast ein Konto: Melde dich damit an.',
        button: 'Anmelden',
        notes: [
          'Passwort vergessen? Dort kannst du ein neues wählen.',
          'Das warst nicht du? Dann tu nichts: Es hat sich nichts geändert.',
        ],
      },
    },
    notices: {
      'password-changed': {
        subject: 'Dein Passwort wurde geändert',
        lead: 'Das Passwort deines Kontos bei Vocabulary Quiz wurde geändert. Alle anderen Geräte sind abgemeldet.',
      },
      'second-factor-on': {
        subject: 'Dein zweiter Faktor wurde eingeschaltet',
        lead: 'Ab jetzt verlangt die Anmeldung bei Vocabulary Quiz einen Code aus einer Authenticator-App.',
      },
      'second-factor-off': {
        subject: 'Dein zweiter Faktor wurde ausgeschaltet',
        lead: 'Die Anmeldung bei Vocabulary Quiz verlangt keinen Code mehr.',
      },
      'second-factor-reset': {
        subject: 'Dein zweiter Faktor wurde entfernt',
        lead: 'Wer dieses Vocabulary Quiz betreibt, hat den zweiten Faktor deines Kontos entfernt, weil jemand in deinem Namen darum gebeten hat. Alle Geräte sind abgemeldet; melde dich an und richte einen neuen ein.',
      },
      'backup-codes-renewed': {
        subject: 'Deine Ersatzcodes wurden erneuert',
        lead: 'Dein Konto bei Vocabulary Quiz hat neue Ersatzcodes. Die alten gelten nicht mehr.',
      },
      'passkey-added': {
        subject: 'Ein Passkey kam hinzu',
        lead: 'Dein Konto bei Vocabulary Quiz hat einen neuen Passkey. Er meldet ohne Passwort an.',
      },
      'passkey-removed': {
        subject: 'Ein Passkey wurde entfernt',
        lead: 'Ein Passkey deines Kontos bei Vocabulary Quiz wurde entfernt.',
      },
    },
    notice: {
      button: 'Neues Passwort wählen',
      notes: [
        'Das warst du? Dann ist nichts zu tun.',
        'Das warst nicht du? Wähle sofort ein neues Passwort: Damit sind alle anderen abgemeldet. Sieh dann unter „Dein Konto“ nach, ob ein zweiter Faktor oder Passkeys da sind, die nicht von dir sind.',
      ],
    },
  },
  fr: {
    hello: 'Bonjour',
    noButton: 'Si le bouton ne fait rien, ouvrez cette adresse :',
    links: {
      verification: {
        subject: 'Confirmez votre adresse e-mail',
        lead: 'Bienvenue sur Vocabulary Quiz. Confirmez que cette adresse est la vôtre et vous pourrez jouer.',
        button: 'Confirmer l’adresse',
        notes: [
          'Le lien est valable 24 heures. Dans le navigateur de votre inscription, il suffit de l’ouvrir ; dans un autre, vous donnez le mot de passe de votre inscription ou vous en choisissez un nouveau.',
          'L’inscription n’est pas de vous ? Ne faites rien : sans confirmation, le compte reste fermé.',
        ],
      },
      'password-reset': {
        subject: 'Choisissez un nouveau mot de passe',
        lead: 'Quelqu’un a demandé un nouveau mot de passe pour votre compte Vocabulary Quiz. En choisir un vous déconnecte de tous les appareils.',
        button: 'Choisir un mot de passe',
        notes: [
          'Le lien est valable une heure, et une seule fois.',
          'Ce n’était pas vous ? Ne faites rien : votre mot de passe reste le même.',
        ],
      },
      'sign-up-attempt': {
        subject: 'Vous avez déjà un compte',
        lead: 'Quelqu’un a voulu s’inscrire sur Vocabulary Quiz avec votre adresse. Vous avez un compte : connectez-vous avec lui.',
        button: 'Se connecter',
        notes: [
          'Mot de passe oublié ? Vous pouvez en choisir un nouveau là-bas.',
          'Ce n’était pas vous ? Ne faites rien : rien n’a changé.',
        ],
      },
    },
    notices: {
      'password-changed': {
        subject: 'Votre mot de passe a été changé',
        lead: 'Le mot de passe de votre compte Vocabulary Quiz a été changé. Tous les autres appareils sont déconnectés.',
      },
      'second-factor-on': {
        subject: 'Votre second facteur a été activé',
        lead: 'Désormais, la connexion à votre compte Vocabulary Quiz demande un code d’une application d’authentification.',
      },
      'second-factor-off': {
        subject: 'Votre second facteur a été désactivé',
        lead: 'La connexion à votre compte Vocabulary Quiz ne demande plus de code.',
      },
      'second-factor-reset': {
        subject: 'Votre second facteur a été supprimé',
        lead: 'Qui gère ce Vocabulary Quiz a supprimé le second facteur de votre compte, car quelqu’un l’a demandé en votre nom. Tous les appareils sont déconnectés ; connectez-vous et configurez-en un nouveau.',
      },
      'backup-codes-renewed': {
        subject: 'Vos codes de secours ont été remplacés',
        lead: 'Votre compte Vocabulary Quiz a de nouveaux codes de secours. Les anciens ne sont plus valables.',
      },
      'passkey-added': {
        subject: 'Une clé d’accès a été ajoutée',
        lead: 'Une clé d’accès a été ajoutée à votre compte Vocabulary Quiz. Elle permet de se connecter sans mot de passe.',
      },
      'passkey-removed': {
        subject: 'Une clé d’accès a été supprimée',
        lead: 'Une clé d’accès de votre compte Vocabulary Quiz a été supprimée.',
      },
    },
    notice: {
      button: 'Choisir un nouveau mot de passe',
      notes: [
        'C’était vous ? Alors il n’y a rien à faire.',
        'Ce n’était pas vous ? Choisissez tout de suite un nouveau mot de passe : tous les autres sont alors déconnectés. Regardez ensuite sous « Votre compte » s’il y a un second facteur ou des clés d’accès qui ne sont pas à vous.',
      ],
    },
  },
  es: {
    hello: 'Hola',
    noButton: 'Si el botón no hace nada, abre esta dirección:',
    links: {
      verification: {
        subject: 'Confirma tu dirección de correo',
        lead: 'Te damos la bienvenida a Vocabulary Quiz. Confirma que esta dirección es tuya y podrás jugar.',
        button: 'Confirmar dirección',
        notes: [
          'El enlace vale 24 horas. En el navegador en el que te registraste basta con abrirlo; en otro das la contraseña de tu registro o eliges una nueva.',
          '¿No te has registrado? No hagas nada: sin confirmación la cuenta sigue cerrada.',
        ],
      },
      'password-reset': {
        subject: 'Elige una contraseña nueva',
        lead: 'Alguien ha pedido una contraseña nueva para tu cuenta de Vocabulary Quiz. Al elegirla se cierra tu sesión en todos los dispositivos.',
        button: 'Elegir contraseña',
        notes: [
          'El enlace vale una hora y una sola vez.',
          '¿No has sido tú? No hagas nada: tu contraseña sigue igual.',
        ],
      },
      'sign-up-attempt': {
        subject: 'Ya tienes una cuenta',
        lead: 'Alguien ha querido registrarse en Vocabulary Quiz con tu dirección. Tienes una cuenta: entra con ella.',
        button: 'Entrar',
        notes: [
          '¿Has olvidado la contraseña? Allí puedes elegir una nueva.',
          '¿No has sido tú? No hagas nada: no ha cambiado nada.',
        ],
      },
    },
    notices: {
      'password-changed': {
        subject: 'Se ha cambiado tu contraseña',
        lead: 'Se ha cambiado la contraseña de tu cuenta de Vocabulary Quiz. En los demás dispositivos se ha cerrado la sesión.',
      },
      'second-factor-on': {
        subject: 'Se ha activado tu segundo factor',
        lead: 'Desde ahora, al entrar en tu cuenta de Vocabulary Quiz se pide un código de una aplicación de autenticación.',
      },
      'second-factor-off': {
        subject: 'Se ha desactivado tu segundo factor',
        lead: 'Al entrar en tu cuenta de Vocabulary Quiz ya no se pide ningún código.',
      },
      'second-factor-reset': {
        subject: 'Se ha quitado tu segundo factor',
        lead: 'Quien gestiona este Vocabulary Quiz ha quitado el segundo factor de tu cuenta, porque alguien lo pidió en tu nombre. Se ha cerrado la sesión en todos los dispositivos; entra y configura uno nuevo.',
      },
      'backup-codes-renewed': {
        subject: 'Se han cambiado tus códigos de reserva',
        lead: 'Tu cuenta de Vocabulary Quiz tiene códigos de reserva nuevos. Los antiguos ya no valen.',
      },
      'passkey-added': {
        subject: 'Se ha añadido una clave de acceso',
        lead: 'Se ha añadido una clave de acceso a tu cuenta de Vocabulary Quiz. Con ella se entra sin contraseña.',
      },
      'passkey-removed': {
        subject: 'Se ha quitado una clave de acceso',
        lead: 'Se ha quitado una clave de acceso de tu cuenta de Vocabulary Quiz.',
      },
    },
    notice: {
      button: 'Elegir una contraseña nueva',
      notes: [
        '¿Has sido tú? Entonces no hay nada que hacer.',
        '¿No has sido tú? Elige enseguida una contraseña nueva: así se cierra la sesión de todos los demás. Mira después en «Tu cuenta» si hay un segundo factor o claves de acceso que no sean tuyos.',
      ],
    },
  },
  it: {
    hello: 'Ciao',
    noButton: 'Se il pulsante non fa nulla, apri questo indirizzo:',
    links: {
      verification: {
        subject: 'Conferma il tuo indirizzo e-mail',
        lead: 'Ti diamo il benvenuto su Vocabulary Quiz. Conferma che questo indirizzo è tuo e potrai giocare.',
        button: 'Conferma l’indirizzo',
        notes: [
          'Il link vale 24 ore. Nel browser in cui ti sei registrato basta aprirlo; in un altro dai la password della registrazione o ne scegli una nuova.',
          'Non ti sei registrato? Non fare nulla: senza conferma l’account resta chiuso.',
        ],
      },
      'password-reset': {
        subject: 'Scegli una nuova password',
        lead: 'Qualcuno ha chiesto una nuova password per il tuo account di Vocabulary Quiz. Sceglierla ti disconnette da tutti i dispositivi.',
        button: 'Scegli una password',
        notes: [
          'Il link vale un’ora e una volta sola.',
          'Non sei stato tu? Non fare nulla: la tua password resta quella di prima.',
        ],
      },
      'sign-up-attempt': {
        subject: 'Hai già un account',
        lead: 'Qualcuno voleva registrarsi su Vocabulary Quiz con il tuo indirizzo. Hai un account: accedi con quello.',
        button: 'Accedi',
        notes: [
          'Hai dimenticato la password? Lì puoi sceglierne una nuova.',
          'Non sei stato tu? Non fare nulla: non è cambiato niente.',
        ],
      },
    },
    notices: {
      'password-changed': {
        subject: 'La tua password è stata cambiata',
        lead: 'La password del tuo account di Vocabulary Quiz è stata cambiata. Tutti gli altri dispositivi sono disconnessi.',
      },
      'second-factor-on': {
        subject: 'Il tuo secondo fattore è stato attivato',
        lead: 'D’ora in poi l’accesso al tuo account di Vocabulary Quiz chiede un codice di un’app di autenticazione.',
      },
      'second-factor-off': {
        subject: 'Il tuo secondo fattore è stato disattivato',
        lead: 'L’accesso al tuo account di Vocabulary Quiz non chiede più un codice.',
      },
      'second-factor-reset': {
        subject: 'Il tuo secondo fattore è stato rimosso',
        lead: 'Chi gestisce questo Vocabulary Quiz ha rimosso il secondo fattore del tuo account, perché qualcuno lo ha chiesto a tuo nome. Tutti i dispositivi sono disconnessi; accedi e configurane uno nuovo.',
      },
      'backup-codes-renewed': {
        subject: 'I tuoi codici di riserva sono stati sostituiti',
        lead: 'Il tuo account di Vocabulary Quiz ha nuovi codici di riserva. I vecchi non valgono più.',
      },
      'passkey-added': {
        subject: 'È stata aggiunta una passkey',
        lead: 'È stata aggiunta una passkey al tuo account di Vocabulary Quiz. Permette di accedere senza password.',
      },
      'passkey-removed': {
        subject: 'È stata rimossa una passkey',
        lead: 'È stata rimossa una passkey del tuo account di Vocabulary Quiz.',
      },
    },
    notice: {
      button: 'Scegli una nuova password',
      notes: [
        'Sei stato tu? Allora non c’è nulla da fare.',
        'Non sei stato tu? Scegli subito una nuova password: così tutti gli altri vengono disconnessi. Poi guarda in «Il tuo account» se ci sono un secondo fattore o passkey che non sono tuoi.',
      ],
    },
  },
};
