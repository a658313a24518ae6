import { inBoth } from '../language.ts'

export const texts = inBoth({
  title_hr: 'Naziv i logotip',
  title_en: 'Name and logo',
  about_hr:
    'Naziv i logotip vide se u izborniku, na prijavi i na ispisanim stranicama. Na računima za kupce ne pojavljuju se.',
  about_en:
    'The name and the logo are shown in the menu, on the sign-in page and on printed pages. They are not on receipts.',
  name_hr: 'Naziv',
  name_en: 'Name',
  nameHint_hr: 'Na primjer naziv tvrtke koja upravlja samoposlužnim uređajima; najviše 60 znakova.',
  nameHint_en: 'Such as the name of the company that runs the devices; at most 60 characters.',
  nameLong_hr: 'Naziv može imati najviše 60 znakova.',
  nameLong_en: 'The name can have at most 60 characters.',
  logo_hr: 'Logotip',
  logo_en: 'Logo',
  logoHint_hr: 'Slika PNG do 64 KB, najviše 512 × 512 točaka. Bez datoteke ostaje sadašnji logotip.',
  logoHint_en: 'A PNG picture of at most 64 KB and 512 × 512 pixels. Without a file the logo does not change.',
  remove_hr: 'Ukloni sadašnji logotip',
  remove_en: 'Remove the current logo',
  faults: {
    large_hr: 'Datoteka je veća od 64 KB.',
    large_en: 'The file is larger than 64 KB.',
    format_hr: 'Datoteka nije ispravna slika PNG.',
    format_en: 'The file is not a valid PNG picture.',
    pixels_hr: 'Slika je veća od 512 × 512 točaka.',
    pixels_en: 'The picture is larger than 512 × 512 pixels.',
  },
})
