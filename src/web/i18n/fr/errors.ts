// The texts for the service's error codes in French.

export const frErrors: Record<string, string> = {
  OFFLINE: 'Pas de connexion. Vérifiez le réseau et réessayez.',
  UNAVAILABLE: 'Le service est surchargé. Réessayez dans un instant.',
  INTERNAL_ERROR: 'Une erreur s’est produite de notre côté. Réessayez.',
  RATE_LIMITED: 'Trop de tentatives d’un coup. Patientez quelques minutes.',
  UNAUTHENTICATED: 'Vous êtes déconnecté. Connectez-vous à nouveau.',
  VALIDATION_FAILED: 'Il y a une erreur. Vérifiez votre saisie.',
  NO_MATCHING_TERMS: 'Il n’y a pas encore de mots de ce genre. Choisissez-en d’autres.',
  NOT_ENOUGH_TERMS: 'Il n’y a pas assez de mots de ce genre. Choisissez moins de questions.',
  NOT_ENOUGH_DISTRACTORS: 'Il n’y a pas assez de mots de ce genre. Choisissez-en d’autres.',
  TOO_MANY_LISTS: 'Vous avez déjà 100 listes, le maximum. Supprimez-en une d’abord.',
  LISTS_TOO_LARGE:
    'Vos listes ensemble dépasseraient la place permise. Supprimez-en une ou raccourcissez celle-ci.',
  LIST_NOT_FOUND: 'Cette liste n’existe pas, ou n’est plus partagée.',
  WORD_NOT_FOUND: 'Vous n’avez pas encore répondu à ce mot.',
  ASSIGNMENT_NOT_FOUND: 'Aucun devoir n’a ce code. Vérifiez-le, ou demandez-en un nouveau.',
  TOO_MANY_ASSIGNMENTS: 'Vous avez déjà 200 devoirs, le maximum. Supprimez-en un d’abord.',
  ASSIGNMENT_NOT_OPEN: 'Ce devoir n’est pas encore ouvert.',
  ASSIGNMENT_CLOSED: 'Ce devoir est terminé.',
  ASSIGNMENT_FULL:
    'Ce devoir ne peut accueillir plus personne. Qui l’a donné peut faire de la place.',
  NO_ATTEMPTS_LEFT: 'Vous avez utilisé toutes vos tentatives.',
  GAME_NOT_FOUND: 'Cette partie n’existe pas, ou vous n’y avez pas joué.',
  NOT_A_MEMBER: 'Vous n’êtes pas dans cette partie. Rejoignez-la d’abord, puis affichez-la ici.',
  LOBBY_NOT_FOUND: 'Aucune partie n’a ce code. Vérifiez-le ou demandez-en un nouveau.',
  NOT_JOINABLE:
    'Personne ne peut entrer avec ce code pour le moment : la partie est complète, verrouillée, commencée ou finie, ou le code est faux.',
  NO_OPEN_HOMEWORK:
    'Personne ne peut faire de devoir avec ce code pour le moment : le devoir n’est pas encore ouvert, il est terminé, ou le code est faux.',
  LOBBY_FULL: 'Cette partie est complète.',
  LOBBY_NOT_WAITING: 'Cette partie a déjà commencé. Demandez le lien de la prochaine.',
  ACCOUNT_NEEDED: 'Il vous faut un compte pour cela. Ce que vous avez joué en invité est conservé.',
  KICKED: 'L’hôte vous a exclu de cette partie.',
  LOBBY_LOCKED: 'L’hôte a verrouillé cette partie : plus personne ne peut entrer.',
  COMMITMENT_BROKEN:
    'La bonne réponse n’est pas celle qui était scellée. Cette partie n’est pas fiable.',
  NOT_ENOUGH_PLAYERS: 'Quelqu’un vient de s’absenter. Il faut être deux pour commencer.',
  INVALID_EMAIL_OR_PASSWORD: 'Adresse e-mail ou mot de passe incorrect.',
  EMAIL_NOT_VERIFIED: 'Cette adresse n’est pas encore confirmée. L’e-mail vient d’être renvoyé.',
  INVALID_EMAIL: 'Ce n’est pas une adresse e-mail.',
  INVALID_NAME: 'Un nom compte de 1 à 50 caractères, sans lien ni caractère invisible.',
  PASSWORD_TOO_SHORT: 'Le mot de passe doit compter au moins 8 caractères.',
  PASSWORD_TOO_LONG: 'Le mot de passe peut compter au plus 128 caractères.',
  PASSWORD_TOO_COMMON: 'Ce mot de passe est trop facile à deviner. Choisissez-en un autre.',
  INVALID_PASSWORD: 'Mot de passe incorrect.',
  INVALID_CODE: 'Code incorrect. Vérifiez l’heure du téléphone et prenez le dernier code.',
  INVALID_BACKUP_CODE: 'Ce code de secours est incorrect ou a déjà servi.',
  INVALID_TWO_FACTOR_COOKIE: 'Cela a pris trop de temps. Connectez-vous à nouveau.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Trop de codes incorrects. Connectez-vous à nouveau.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Trop de codes incorrects. Réessayez dans 15 minutes.',
  SECOND_FACTOR_UNREADABLE:
    'Votre connexion en deux étapes ne peut plus être vérifiée. Demandez à l’exploitant de ce service de la désactiver.',
  SESSION_EXPIRED:
    'Pour cela, votre connexion doit dater de moins de 15 minutes. Connectez-vous à nouveau.',
  PASSKEY_FAILED: 'Cela n’a pas marché, ou a été annulé. Réessayez.',
  PASSKEY_EXISTS: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  PASSKEY_NOT_FOUND: 'Cette clé d’accès n’est plus valable. Connectez-vous autrement.',
  TOO_MANY_PASSKEYS: 'Un compte a 20 clés d’accès au plus. Retirez-en une d’abord.',
  CHALLENGE_NOT_FOUND: 'Cela a pris trop de temps. Réessayez.',
  USER_ALREADY_EXISTS: 'Cette adresse a déjà un compte. Connectez-vous avec.',
  INVALID_TOKEN: 'Ce lien a déjà servi ou a expiré.',
  SOCIAL_FAILED:
    'Cela n’a pas fonctionné. Réessayez, ou connectez-vous avec votre adresse e-mail et votre mot de passe.',
  ACCOUNT_NOT_LINKED:
    'Il existe déjà un compte avec cette adresse. Connectez-vous comme d’habitude, puis associez l’autre connexion sur la page de votre compte.',
  LINK_FAILED:
    'Cela n’a pas fonctionné. Le compte là-bas doit avoir la même adresse e-mail que celui-ci et n’être associé à aucun autre.',
  PROVIDER_UNAVAILABLE:
    'Cette connexion est injoignable pour le moment. Réessayez dans une minute.',
};
