import { inBoth } from '../language.ts'

export const texts = inBoth({
  all: { en: 'all', hr: 'sve' },
  clear: { en: 'Clear', hr: 'Poništi' },
  apply: { en: 'Filter', hr: 'Filtriraj' },
  views: { en: 'Saved views', hr: 'Spremljeni prikazi' },
})
