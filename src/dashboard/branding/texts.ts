import { inBoth } from '../language.ts'

export const texts = inBoth({
  title: { en: 'Name on pages', hr: 'Naziv na stranicama' },
  about: {
    en: 'The name is shown in the menu, on the sign-in page and on printed pages. It is not on receipts.',
    hr: 'Naziv se vidi u izborniku, na prijavi i na ispisanim stranicama. Na računima za kupce ne pojavljuje se.',
  },
  name: { en: 'Name', hr: 'Naziv' },
  nameHint: {
    en: 'Such as the name of the company that runs the devices; at most 60 characters.',
    hr: 'Na primjer naziv tvrtke koja upravlja samoposlužnim uređajima; najviše 60 znakova.',
  },
  nameLong: { en: 'The name can have at most 60 characters.', hr: 'Naziv može imati najviše 60 znakova.' },
})
