// The texts for the service's error codes in German.

export const deErrors: Record<string, string> = {
  OFFLINE: 'Keine Verbindung. Prüfe dein Netz und versuch es noch einmal.',
  UNAVAILABLE: 'Der Dienst ist gerade überlastet. Versuch es gleich noch einmal.',
  INTERNAL_ERROR: 'Bei uns ist etwas schiefgegangen. Versuch es noch einmal.',
  RATE_LIMITED: 'Das waren zu viele Versuche. Warte ein paar Minuten.',
  UNAUTHENTICATED: 'Du bist abgemeldet. Melde dich wieder an.',
  VALIDATION_FAILED: 'Das kann nicht stimmen. Prüfe deine Eingabe.',
  NO_MATCHING_TERMS: 'Dafür gibt es noch keine Wörter. Wähle andere.',
  NOT_ENOUGH_TERMS: 'Dafür gibt es nicht genug Wörter. Wähle weniger Fragen.',
  NOT_ENOUGH_DISTRACTORS: 'Dafür gibt es nicht genug Wörter. Wähle andere.',
  TOO_MANY_LISTS: 'Du hast schon 100 Listen, mehr geht nicht. Lösche zuerst eine.',
  LISTS_TOO_LARGE:
    'Deine Listen zusammen bräuchten mehr Platz, als sie haben dürfen. Lösche eine oder kürze diese.',
  LIST_NOT_FOUND: 'Diese Liste gibt es nicht, oder sie wird nicht mehr geteilt.',
  WORD_NOT_FOUND: 'Dieses Wort hast du noch nicht beantwortet.',
  ASSIGNMENT_NOT_FOUND:
    'Es gibt keine Aufgabe mit diesem Code. Prüfe ihn oder frage nach einem neuen.',
  TOO_MANY_ASSIGNMENTS: 'Du hast schon 200 Aufgaben, mehr geht nicht. Lösche zuerst eine.',
  ASSIGNMENT_NOT_OPEN: 'Diese Aufgabe ist noch nicht geöffnet.',
  ASSIGNMENT_CLOSED: 'Diese Aufgabe ist geschlossen.',
  ASSIGNMENT_FULL:
    'Diese Aufgabe haben schon so viele begonnen wie möglich. Wer sie gestellt hat, kann Platz machen.',
  NO_ATTEMPTS_LEFT: 'Du hast alle deine Versuche verbraucht.',
  GAME_NOT_FOUND: 'Dieses Spiel gibt es nicht, oder du hast nicht mitgespielt.',
  NOT_A_MEMBER: 'Du bist nicht in diesem Spiel. Tritt erst bei, dann lässt es sich hier zeigen.',
  LOBBY_NOT_FOUND: 'Zu diesem Code gibt es kein Spiel. Prüfe ihn oder lass dir einen neuen geben.',
  NOT_JOINABLE:
    'Mit diesem Code kann gerade niemand dazukommen: Das Spiel ist voll, gesperrt, schon im Gang oder vorbei, oder der Code stimmt nicht.',
  NO_OPEN_HOMEWORK:
    'Zu diesem Code gibt es gerade nichts zu tun: Die Aufgabe ist noch nicht geöffnet oder schon geschlossen, oder der Code stimmt nicht.',
  LOBBY_FULL: 'Dieses Spiel ist voll.',
  LOBBY_NOT_WAITING: 'Dieses Spiel hat schon begonnen. Frag nach dem Link zum nächsten.',
  ACCOUNT_NEEDED: 'Dafür brauchst du ein Konto. Was du als Gast gespielt hast, kommt mit.',
  KICKED: 'Du wurdest aus diesem Spiel entfernt.',
  LOBBY_LOCKED: 'Dieses Spiel ist gesperrt: Niemand kann mehr dazukommen.',
  COMMITMENT_BROKEN:
    'Die richtige Antwort ist nicht die, die versiegelt war. Diesem Spiel ist nicht zu trauen.',
  NOT_ENOUGH_PLAYERS: 'Gerade ist jemand weg. Zum Starten braucht es zwei.',
  INVALID_EMAIL_OR_PASSWORD: 'E-Mail-Adresse oder Passwort ist falsch.',
  EMAIL_NOT_VERIFIED:
    'Diese Adresse ist noch nicht bestätigt. Die E-Mail ist noch einmal unterwegs.',
  INVALID_EMAIL: 'Das ist keine E-Mail-Adresse.',
  INVALID_NAME: 'Ein Name hat 1 bis 50 Zeichen, ohne Links und unsichtbare Zeichen.',
  PASSWORD_TOO_SHORT: 'Das Passwort braucht mindestens 8 Zeichen.',
  PASSWORD_TOO_LONG: 'Das Passwort darf höchstens 128 Zeichen haben.',
  PASSWORD_TOO_COMMON: 'Dieses Passwort ist zu leicht zu erraten. Wähle ein anderes.',
  INVALID_PASSWORD: 'Falsches Passwort.',
  INVALID_CODE: 'Falscher Code. Prüfe die Uhrzeit deines Handys und nimm den neuesten Code.',
  INVALID_BACKUP_CODE: 'Dieser Ersatzcode ist falsch oder schon verbraucht.',
  INVALID_TWO_FACTOR_COOKIE: 'Das hat zu lange gedauert. Melde dich noch einmal an.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Zu viele falsche Codes. Melde dich noch einmal an.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Zu viele falsche Codes. Versuch es in 15 Minuten noch einmal.',
  SECOND_FACTOR_UNREADABLE:
    'Deine Anmeldung in zwei Schritten lässt sich nicht mehr prüfen. Bitte den Betreiber dieses Dienstes, sie zu entfernen.',
  SESSION_EXPIRED:
    'Dafür muss deine Anmeldung weniger als 15 Minuten her sein. Melde dich noch einmal an.',
  PASSKEY_FAILED: 'Das hat nicht geklappt oder wurde abgebrochen. Versuch es noch einmal.',
  PASSKEY_EXISTS: 'Dieses Gerät hat schon einen Passkey für dein Konto.',
  PASSKEY_NOT_FOUND: 'Dieser Passkey gilt nicht mehr. Melde dich auf andere Weise an.',
  TOO_MANY_PASSKEYS: 'Ein Konto hat höchstens 20 Passkeys. Entferne zuerst einen.',
  CHALLENGE_NOT_FOUND: 'Das hat zu lange gedauert. Versuch es noch einmal.',
  USER_ALREADY_EXISTS: 'Zu dieser Adresse gibt es schon ein Konto. Melde dich damit an.',
  INVALID_TOKEN: 'Dieser Link ist verbraucht oder zu alt.',
  SOCIAL_FAILED:
    'Das hat nicht geklappt. Versuch es noch einmal oder melde dich mit E-Mail-Adresse und Passwort an.',
  ACCOUNT_NOT_LINKED:
    'Zu dieser Adresse gibt es schon ein Konto. Melde dich an wie bisher und verbinde dann die andere Anmeldung auf der Seite deines Kontos.',
  LINK_FAILED:
    'Das hat nicht geklappt. Das Konto dort braucht dieselbe E-Mail-Adresse wie dieses und darf mit keinem anderen verbunden sein.',
  PROVIDER_UNAVAILABLE:
    'Diese Anmeldung ist gerade nicht erreichbar. Versuch es in einer Minute noch einmal.',
};
