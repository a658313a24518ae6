import { inBoth } from '../language.ts'

export const texts = inBoth({
  views: { en: 'Saved views', hr: 'Spremljeni prikazi' },
  save: { en: 'Save this view', hr: 'Spremi ovaj prikaz' },
  name: { en: 'Name of the view', hr: 'Naziv prikaza' },
  nameHint: {
    en: 'The filter and order of the list, under a name of your own. Nobody else sees it.',
    hr: 'Filtar i poredak popisa pod vlastitim nazivom. Vidite ga samo Vi.',
  },
  remove: { en: 'Remove', hr: 'Ukloni' },
  removeOne: { en: (name: string) => `Remove the view ${name}`, hr: (name: string) => `Ukloni prikaz ${name}` },
  removeConfirm: {
    en: (name: string) => `Remove the view “${name}”?`,
    hr: (name: string) => `Ukloniti prikaz „${name}”?`,
  },
})
