import { PAYMENTS } from '../domain/texts/sale-texts.ts'

/** Entries that the tables of several pages have in them (see `inBoth`). */

/** What the pages of users and that of the own sign-in say alike. */
export const USER_TEXTS = {
  role: { en: 'Role', hr: 'Uloga' },
  email: { en: 'E-mail', hr: 'E-pošta' },
  password: { en: 'Password', hr: 'Lozinka' },
  newPassword: { en: 'New password', hr: 'Nova lozinka' },
  roles: {
    viewer: { en: 'viewer', hr: 'samo pregled' },
    operator: { en: 'operator', hr: 'operater' },
    admin: { en: 'administrator', hr: 'administrator' },
  },
  languages: {
    hr: { en: 'Croatian', hr: 'hrvatski' },
    en: { en: 'English', hr: 'engleski' },
  },
  wrong: {
    companies: { en: 'Tick at least one company, at most 100.', hr: 'Označite barem jednu tvrtku, najviše 100.' },
    reach: {
      en: 'Either all companies or the ticked ones: choose one of the two.',
      hr: 'Ili sve tvrtke ili samo označene: odaberite jedno.',
    },
    language: { en: 'Choose a language.', hr: 'Odaberite jezik.' },
    email: { en: 'This is not a valid e-mail address.', hr: 'Ovo nije ispravna adresa e-pošte.' },
    password: { en: 'The password must have 12 to 1,000 characters.', hr: 'Lozinka mora imati od 12 do 1000 znakova.' },
  },
}

/** What the pages that choose among sales say alike. */
export const SALES_TEXTS = {
  company: { en: 'Company', hr: 'Tvrtka' },
  allCompanies: { en: 'All companies', hr: 'Sve tvrtke' },
  device: { en: 'Device', hr: 'Uređaj' },
  allDevices: { en: 'All devices', hr: 'Svi uređaji' },
  from: { en: 'From date', hr: 'Od dana' },
  to: { en: 'To date', hr: 'Do dana' },
  mode: { en: 'Mode', hr: 'Način rada' },
  modes: {
    live: { en: 'live', hr: 'stvarni rad' },
    test: { en: 'test', hr: 'testni rad' },
  },
  payments: PAYMENTS,
}

export const LOOK_AT_GATEWAY = {
  en: 'Check whether there is power and an internet connection there.',
  hr: 'Provjerite ima li ondje struje i interneta.',
}

/** Of invoices, within a sentence or a row. */
export const INVOICE_STATUSES = {
  confirmed: { en: 'confirmed', hr: 'potvrđen' },
  retrying: { en: 'waiting', hr: 'na čekanju' },
  failed: { en: 'refused', hr: 'odbijen' },
  expired: { en: 'expired', hr: 'rok istekao' },
  pending: { en: 'being sent', hr: 'upravo se šalje' },
}

/** Of requests to the tax authority: corrections and working hours. */
export const REQUEST_STATES = {
  sent: { en: 'not answered', hr: 'bez odgovora' },
  done: { en: 'done', hr: 'provedeno' },
  refused: { en: 'refused', hr: 'odbijeno' },
  unknown: { en: 'outcome not known', hr: 'ishod nije poznat' },
}

/** Modes of companies and of API keys. */
export const MODE_NAMES = {
  test: { en: 'test mode', hr: 'testni rad' },
  live: { en: 'live mode', hr: 'stvarni rad' },
}

/** What the pages of companies and those of devices say alike. */
export const FLEET_TEXTS = {
  gateway: { en: (name: string) => `gateway ${name}`, hr: (name: string) => `pristupnik ${name}` },
  editTitle: { en: (name: string) => `Change: ${name}`, hr: (name: string) => `Izmjena: ${name}` },
  settingsTitle: { en: (name: string) => `Settings: ${name}`, hr: (name: string) => `Postavke: ${name}` },
  meanwhileField: {
    en: (value: string) => `Now stored: ${value}`,
    hr: (value: string) => `Sada je spremljeno: ${value}`,
  },
  filter: { en: 'Show', hr: 'Prikaži' },
  everything: { en: 'all', hr: 'sve' },
  status: { en: 'Status', hr: 'Evidencija' },
  facts: { en: 'Details', hr: 'Podaci' },
  refused: { en: 'This change is not possible.', hr: 'Promjena nije moguća.' },
  meanwhile: {
    en: 'Another user has changed this in the meantime. Your changes are not saved yet: compare the values, and save again if yours are right.',
    hr: 'U međuvremenu je netko drugi promijenio ove podatke. Vaše izmjene još nisu spremljene: usporedite ih i spremite ponovno ako želite zadržati svoje izmjene.',
  },
  empty: { en: '(empty)', hr: '(prazno)' },
  suspend: { en: 'Suspend', hr: 'Obustavi' },
  activate: { en: 'Activate', hr: 'Aktiviraj' },
  archive: { en: 'Archive', hr: 'Arhiviraj' },
}

/** What pages that send something by mail say alike. */
export const MAIL_TEXTS = {
  mailTo: { en: 'E-mail address of the recipient', hr: 'Adresa e-pošte primatelja' },
  mail: { en: 'Send by e-mail', hr: 'Pošalji e-poštom' },
  mailsTitle: { en: 'Sent by e-mail', hr: 'Poslano e-poštom' },
  mailStates: {
    waiting: { en: 'waiting', hr: 'čeka slanje' },
    sending: { en: 'being sent', hr: 'šalje se' },
    sent: { en: 'sent', hr: 'poslano' },
    given_up: { en: 'failed', hr: 'nije uspjelo' },
  },
}

/** What pages that read a file of rows say alike. */
export const FILE_TEXTS = {
  sample: { en: 'Download a sample', hr: 'Preuzmi primjer' },
  file: { en: 'File', hr: 'Datoteka' },
  fileHint: {
    en: 'At most 1 MB and 5,000 rows. Columns are separated by commas or semicolons.',
    hr: 'Najviše 1 MB i 5000 redaka. Stupci su odvojeni zarezom ili točkom sa zarezom.',
  },
  fileMissing: { en: 'Choose a file.', hr: 'Odaberite datoteku.' },
  fileLarge: {
    en: 'The file is larger than 1 MB. Split it into smaller ones.',
    hr: 'Datoteka je veća od 1 MB. Podijelite je na više manjih.',
  },
  fileLost: {
    en: 'The file did not arrive complete. Choose it again.',
    hr: 'Datoteka nije stigla cijela. Odaberite je ponovno.',
  },
  ignored: {
    en: (columns: string) => `Columns that are not read: ${columns}. Correct their names if they matter.`,
    hr: (columns: string) => `Stupci koji se ne čitaju: ${columns}. Ako su važni, ispravite im nazive.`,
  },
  check: { en: 'Check the file', hr: 'Provjeri datoteku' },
  checkHint: {
    en: 'Nothing changes yet: what would change, and which rows are wrong, is shown first.',
    hr: 'Ništa se još ne mijenja: najprije se prikazuje što bi se promijenilo i koji su redci pogrešni.',
  },
  previewTitle: { en: 'Preview', hr: 'Pregled prije upisa' },
  notYet: { en: 'Nothing has changed yet.', hr: 'Ništa još nije promijenjeno.' },
  wrongRows: { en: 'Wrong rows', hr: 'Pogrešni redci' },
  rightRows: { en: 'Correct rows', hr: 'Ispravni redci' },
  line: { en: 'Line', hr: 'Redak' },
  field: { en: 'Column', hr: 'Stupac' },
  why: { en: 'What is wrong and what to do', hr: 'Što nije u redu i što učiniti' },
  wholeRow: { en: 'the whole row', hr: 'cijeli redak' },
  again: { en: 'Choose another file', hr: 'Odaberi drugu datoteku' },
}
