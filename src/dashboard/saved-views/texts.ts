import { inBoth } from '../language.ts'

export const texts = inBoth({
  views_hr: 'Spremljeni prikazi',
  views_en: 'Saved views',
  save_hr: 'Spremi ovaj prikaz',
  save_en: 'Save this view',
  name_hr: 'Naziv prikaza',
  name_en: 'Name of the view',
  nameHint_hr: 'Filtar i poredak popisa pod vlastitim nazivom. Vidite ga samo Vi.',
  nameHint_en: 'The filter and order of the list, under a name of your own. Nobody else sees it.',
  remove_hr: 'Ukloni',
  remove_en: 'Remove',
  removeOne_hr: (name: string) => `Ukloni prikaz ${name}`,
  removeOne_en: (name: string) => `Remove the view ${name}`,
  removeConfirm_hr: (name: string) => `Ukloniti prikaz „${name}”?`,
  removeConfirm_en: (name: string) => `Remove the view “${name}”?`,
})
