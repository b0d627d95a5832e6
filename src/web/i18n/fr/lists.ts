// The texts of word lists in French.
import type { Texts } from '../en/index.ts';
import { frenchPlural as plural } from '../plural.ts';

export const frLists: Texts['lists'] = {
  title: 'Vos listes de mots',
  none: 'Apportez les mots de votre manuel, de votre cours ou de votre prochain voyage, et jouez-y seul ou entre amis.',
  create: 'Nouvelle liste',
  newTitle: 'Nouvelle liste de mots',
  words: (count) => plural(count, 'mot', 'mots'),
  shared: 'partagée',
  builtIn: 'Mots fournis',

  name: 'Nom de la liste',
  paste: 'Coller depuis un tableur, Quizlet ou Anki',
  pasteMore: 'Un mot par ligne. En colonnes : le mot, sa traduction et, si vous voulez, une note.',
  preview: 'Aperçu',
  found: (count) => `${plural(count, 'mot trouvé', 'mots trouvés')}.`,
  betweenCells: 'Entre le mot et la traduction',
  betweenRows: 'Entre deux mots',
  separators: {
    found: 'Reconnu',
    tab: 'Tabulation',
    comma: 'Virgule',
    semicolon: 'Point-virgule',
    dash: 'Tiret',
    line: 'Nouvelle ligne',
    blankLine: 'Ligne vide',
    own: 'Autre',
  },
  ownSeparator: 'Lequel ?',
  downloadAnki: 'Télécharger pour Anki',
  addPasted: 'Ajouter ces mots',
  chooseFile: 'Choisir un fichier',
  dropMore: 'Vous pouvez aussi déposer un fichier ici.',
  added: (count) => `${plural(count, 'mot ajouté', 'mots ajoutés')}.`,
  repeated: (count) =>
    count < 2
      ? `${count} ligne était déjà dans la liste et n’a pas été ajoutée.`
      : `${count} lignes étaient déjà dans la liste et n’ont pas été ajoutées.`,
  headingLeftOut: (heading) =>
    `La première ligne, « ${heading} », ressemble à un titre et a été laissée de côté.`,
  addHeading: 'L’ajouter comme mot',
  cut: (max) =>
    `Une liste compte au plus ${max} mots : les lignes suivantes n’ont pas été ajoutées.`,

  addWord: 'Ajouter un mot',
  fields: { sourceText: 'Mot', targetText: 'Traduction', sourceGloss: 'Remarque' },
  edit: (word) => `Modifier « ${word} »`,
  done: 'Terminé',
  remove: 'Retirer',
  search: 'Chercher un mot',
  notFound: 'Aucun mot de ce genre.',
  showMore: (count) => `En afficher ${count} de plus`,
  badLines: (count) => `${plural(count, 'ligne', 'lignes')} à revoir.`,
  showBad: 'N’afficher que celles-ci',
  showEvery: 'Afficher tous les mots',
  line: (number) => `Ligne ${number}`,
  problems: {
    empty: 'absent',
    too_long: 'trop long',
    too_many_marks: 'a trop d’accents sur une lettre',
    ill_formed: 'contient des caractères abîmés',
    control_character: 'contient des caractères impossibles à afficher',
    cloze: 'C’est un texte à trous : on n’apprend ici qu’un mot avec sa traduction.',
    too_many_cells: 'Cette ligne a plus de trois colonnes.',
    refused: 'Cette ligne ne peut pas être enregistrée ainsi.',
  },
  draftProblems: {
    no_name: 'Donnez à la liste un nom de 80 caractères au plus.',
    same_languages: 'Choisissez deux langues différentes.',
    bad_rows: 'Certaines lignes ne vont pas encore. Modifiez-les ou retirez-les.',
    too_few: 'Une liste doit avoir au moins 4 mots différents.',
    too_many: 'Une liste compte au plus 2000 mots. Retirez-en quelques-uns.',
  },

  save: 'Enregistrer la liste',
  saved: 'Liste enregistrée.',
  unsaved: 'Vos modifications ne sont pas encore enregistrées.',
  discard: 'Annuler les modifications',
  share: 'Partager par un lien',
  shareMore: 'Qui a le lien peut lire la liste, y jouer et la copier.',
  shareText: (name) => `La liste de mots « ${name} » :`,
  delete: 'Supprimer la liste',
  deleteAsk: (name) => `Supprimer « ${name} » ?`,
  deleteMore: 'La liste disparaît pour de bon, avec ce qui en a été appris.',
  fromSomebody: 'Quelqu’un a partagé cette liste avec vous.',
  copy: 'Copier dans vos listes',
};
