import { plural } from '../language.ts'
import { FILE_TEXTS } from '../shared-texts.ts'

/** Entries of the table of devices for their import from a file. */
export const IMPORT_TEXTS = {
  ...FILE_TEXTS,
  title: { en: 'Add devices from a file', hr: 'Dodavanje uređaja iz datoteke' },
  about: {
    en: 'The file is a CSV table with a row for each device. A device is recognised by its name: a new name adds a device, a known name changes it. An empty field changes nothing.',
    hr: 'Datoteka je tablica u obliku CSV s jednim retkom za svaki uređaj. Uređaj se prepoznaje po nazivu: redak s novim nazivom dodaje uređaj, a redak s postojećim nazivom mijenja njegove podatke. Prazno polje ne mijenja ništa.',
  },
  ofGateways: {
    en: 'The data of the companies are kept by gateways, so devices cannot be added from a file, but only one by one, by a command to the gateway. ISU numbers of existing devices can be imported from a file.',
    hr: 'Podatke tvrtki na ovom poslužitelju vode pristupnici, pa se uređaji ne mogu dodavati iz datoteke, nego jedan po jedan, naredbom pristupniku. ISU brojevi postojećih uređaja mogu se upisati iz datoteke.',
  },
  isuFile: { en: 'Enter ISU numbers from a file', hr: 'Upiši ISU brojeve iz datoteke' },
  sampleHint: {
    en: 'Open the sample in Excel, enter your devices and save it as “CSV UTF-8”.',
    hr: 'Otvorite primjer u Excelu, upišite svoje uređaje i spremite kao „CSV UTF-8”.',
  },
  columns: { en: 'Columns', hr: 'Stupci' },
  meaning: { en: 'What it holds', hr: 'Što sadrži' },
  columnTexts: {
    label: {
      en: 'Name of the device, unique within the company. Required.',
      hr: 'Naziv uređaja, jedinstven u tvrtki. Obavezno.',
    },
    premises_code: {
      en: 'Premises code as registered with the tax authority. Required.',
      hr: 'Oznaka poslovnog prostora kako je prijavljena Poreznoj upravi. Obavezno.',
    },
    isu_number: {
      en: 'ISU number. Leave it empty if there is none yet.',
      hr: 'ISU broj. Ostavite prazno ako ga još nema.',
    },
    device_config: {
      en: 'Settings as a JSON object. Usually empty.',
      hr: 'Postavke u obliku JSON objekta. Obično prazno.',
    },
  },
  chooseAgain: {
    en: 'Browsers do not remember the chosen file: choose it again.',
    hr: 'Preglednik ne pamti odabranu datoteku: odaberite je ponovno.',
  },
  sum: {
    en: (total: number, created: number, changed: number, unchanged: number, wrong: number) =>
      `In the file: ${total}. New: ${created}. Changed: ${changed}. Unchanged: ${unchanged}. Wrong: ${wrong}.`,
    hr: (total: number, created: number, changed: number, unchanged: number, wrong: number) =>
      `U datoteci: ${total}. Novi: ${created}. Mijenjaju se: ${changed}. Bez promjene: ${unchanged}. Pogrešni: ${wrong}.`,
  },
  wrongHint: {
    en: 'These rows are not imported. Correct them in the file and check it again, or import the correct rows now and the others later: importing a row twice changes nothing.',
    hr: 'Ovi se redci ne uvoze. Ispravite ih u datoteci i ponovno je provjerite ili sada uvezite samo ispravne retke, a ostale kasnije: ponovni uvoz istog retka ne mijenja ništa.',
  },
  outcome: { en: 'What will happen', hr: 'Što će se dogoditi' },
  outcomes: {
    created: { en: 'new device', hr: 'novi uređaj' },
    changed: { en: 'is changed', hr: 'mijenja se' },
    unchanged: { en: 'unchanged', hr: 'bez promjene' },
  },
  isuFrom: {
    en: (from: string, to: string) => `ISU number: ${from} → ${to}`,
    hr: (from: string, to: string) => `ISU broj: ${from} → ${to}`,
  },
  noIsu: { en: 'none', hr: 'bez broja' },
  settingsChange: { en: (keys: string) => `settings: ${keys}`, hr: (keys: string) => `postavke: ${keys}` },
  more: { en: (n: number) => `… and ${n} more.`, hr: (n: number) => `… i još ${n}.` },
  run: {
    en: (n: number) => `Import ${n} ${n === 1 ? 'row' : 'rows'}`,
    hr: (n: number) => `Uvezi ${n} ${plural(n, 'redak', 'retka', 'redaka')}`,
  },
  runRight: {
    en: (n: number, wrong: number) => `Import ${n} correct ${n === 1 ? 'row' : 'rows'}, skip ${wrong} wrong`,
    hr: (n: number, wrong: number) =>
      `Uvezi ${n} ${plural(n, 'ispravan redak', 'ispravna retka', 'ispravnih redaka')}, a ${wrong} ${plural(wrong, 'pogrešan', 'pogrešna', 'pogrešnih')} preskoči`,
  },
  nothingToDo: { en: 'There is nothing to import.', hr: 'Nema ničega za uvoz.' },
  doneTitle: { en: 'The import is done', hr: 'Uvoz je gotov' },
  done: {
    en: (created: number, changed: number, unchanged: number) =>
      `Added: ${created}. Changed: ${changed}. Unchanged: ${unchanged}.`,
    hr: (created: number, changed: number, unchanged: number) =>
      `Dodano: ${created}. Promijenjeno: ${changed}. Bez promjene: ${unchanged}.`,
  },
  doneWrong: { en: 'These rows were not imported:', hr: 'Ovi redci nisu uvezeni:' },
  doneWrongHint: {
    en: 'Correct them in the file and import it again: rows that are already imported stay unchanged.',
    hr: 'Ispravite ih u datoteci i ponovno je uvezite: već uvezeni redci ostaju nepromijenjeni.',
  },
  toDevices: { en: 'To the list of devices', hr: 'Na popis uređaja' },
  elsewhere: {
    en: 'Gateways keep the data of their companies, so devices of those companies are not imported here.',
    hr: 'Uređaji tvrtki čije podatke vode pristupnici ne uvoze se ovdje.',
  },
}
