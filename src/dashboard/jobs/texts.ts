import { COMMAND_TEXTS } from '../gateways/command-texts.ts'
import { inBoth, plural } from '../language.ts'
import { FILE_TEXTS } from '../shared-texts.ts'

export const texts = inBoth({
  ...FILE_TEXTS,
  title: { en: 'Bulk jobs', hr: 'Skupne radnje' },
  about: {
    en: 'Actions on many devices or invoices at once. A bulk job runs in the background, and the outcome of each row is kept for 90 days.',
    hr: 'Ista radnja za više uređaja ili računa odjednom. Izvodi se u pozadini, a ishod svakog retka ostaje zapisan 90 dana.',
  },
  none: { en: 'There are no bulk jobs yet.', hr: 'Još nema skupnih radnji.' },
  what: { en: 'Action', hr: 'Radnja' },
  when: { en: 'Requested', hr: 'Zatraženo' },
  rows: { en: 'Rows', hr: 'Redaka' },
  state: { en: 'State', hr: 'Stanje' },
  running: { en: 'under way', hr: 'u tijeku' },
  ended: { en: 'ended', hr: 'završeno' },
  endedAmiss: { en: 'ended, some refused', hr: 'završeno, dio odbijen' },
  kinds: {
    retry: { en: 'Sending invoices again', hr: 'Ponovno slanje računa' },
    isu_numbers: { en: 'Entering ISU numbers', hr: 'Upis ISU brojeva' },
    hours: { en: 'Registering working hours', hr: 'Prijava radnog vremena' },
    copies: { en: 'Printing copies of receipts', hr: 'Ispis kopija računa' },
    tag: { en: 'Adding to a group', hr: 'Dodavanje u skupinu' },
    untag: { en: 'Removing from a group', hr: 'Uklanjanje iz skupine' },
    settings: { en: 'Changing a setting', hr: 'Promjena postavke' },
    active: { en: 'Activating devices', hr: 'Aktiviranje uređaja' },
    suspended: { en: 'Suspending devices', hr: 'Obustava uređaja' },
    archived: { en: 'Archiving devices', hr: 'Arhiviranje uređaja' },
  },
  states: {
    todo: { en: 'waiting', hr: 'na čekanju' },
    waiting: { en: 'waits for its gateway', hr: 'čeka preuzimanje' },
    done: { en: 'done', hr: 'obavljeno' },
    unchanged: { en: 'no change needed', hr: 'već je bilo tako' },
    refused: { en: 'refused', hr: 'odbijeno' },
  },
  progress: {
    en: (done: string, total: string) => `${done} of ${total} processed.`,
    hr: (done: string, total: string) => `Obrađeno ${done} od ${total}.`,
  },
  todo: { en: 'Waiting', hr: 'Na čekanju' },
  waiting: { en: 'Waits for its gateway', hr: 'Čeka preuzimanje' },
  waitingAbout: {
    en: 'A gateway fetches its commands when it reports. If it does not report within 7 days, the row is refused and nothing changes.',
    hr: 'Pristupnik preuzima naredbe kad se javi. Ako se ne javi u roku od 7 dana, redak se odbija i ništa se ne mijenja.',
  },
  done: { en: 'Done', hr: 'Obavljeno' },
  unchanged: { en: 'No change needed', hr: 'Već je bilo tako' },
  refused: { en: 'Refused', hr: 'Odbijeno' },
  refusedFile: {
    en: 'Download the refused rows with their reasons (CSV)',
    hr: 'Preuzmi odbijene retke s razlozima (CSV)',
  },
  row: { en: 'Row', hr: 'Redak' },
  subject: { en: 'Device or invoice', hr: 'Uređaj ili račun' },
  value: { en: 'Value', hr: 'Vrijednost' },
  change: { en: 'From what to what', hr: 'S čega na što' },
  to: { en: 'to', hr: 'na' },
  outcome: { en: 'Outcome', hr: 'Ishod' },
  reason: { en: 'Reason', hr: 'Razlog' },
  next: { en: 'Next rows', hr: 'Sljedeći redci' },
  outcomes: {
    ...COMMAND_TEXTS.outcomes,
    not_confirmed: { en: 'The invoice was sent, but is not confirmed yet.', hr: 'Račun je poslan, ali nije potvrđen.' },
  },
  files: {
    isu: {
      title: { en: 'Enter ISU numbers from a file', hr: 'Upis ISU brojeva iz datoteke' },
      about: {
        en: 'Enter ISU numbers of devices of all companies and gateways from a CSV file. Each row has the name of a device and its ISU number. Where several devices have the same name, add a column with the premises code.',
        hr: 'Iz CSV datoteke s nazivom uređaja i ISU brojem u svakom retku upisuju se brojevi uređajima svih tvrtki i pristupnika. Ako više uređaja ima isti naziv, dodajte stupac s oznakom poslovnog prostora.',
      },
      columns: {
        en: 'Columns: label, premises_code (where needed), isu_number.',
        hr: 'Stupci: naziv; poslovni prostor (po potrebi); ISU broj.',
      },
      column: { en: 'ISU number', hr: 'ISU broj' },
      run: {
        en: (n: number) => (n === 1 ? 'Enter 1 number' : `Enter ${n} numbers`),
        hr: (n: number) => `Upiši ${n} ${plural(n, 'broj', 'broja', 'brojeva')}`,
      },
    },
    hours: {
      title: { en: 'Working hours from a file', hr: 'Radno vrijeme iz datoteke' },
      about: {
        en: 'Register working hours of many devices at the tax authority, from a CSV file. A device may have several rows. While the tax authority does not answer, the job waits; it registers nothing twice.',
        hr: 'Prijava radnog vremena više uređaja Poreznoj upravi iz CSV datoteke. Uređaj može imati više redaka. Dok Porezna uprava ne odgovara, radnja čeka; ništa se ne prijavljuje dvaput.',
      },
      columns: {
        en: 'Columns: label, premises_code (where needed), from, hours, note, exceptions. Hours: “mon-fri 08:00-20:00; holidays 09:00-12:00”. Exceptions: “2026-12-24 08:00-12:00; 2026-12-31 08:00-12:00”.',
        hr: 'Stupci: naziv, poslovni prostor (po potrebi), od, radno vrijeme, napomena, iznimke. Radno vrijeme: „pon-pet 08:00-20:00; praznici 09:00-12:00”. Iznimke: „24.12.2026. 08:00-12:00; 31.12.2026. 08:00-12:00”.',
      },
      column: { en: 'Working hours', hr: 'Radno vrijeme' },
      run: {
        en: (n: number) => (n === 1 ? 'Register the hours of 1 device' : `Register the hours of ${n} devices`),
        hr: (n: number) => `Prijavi radno vrijeme (uređaja: ${n})`,
      },
    },
  },
  sum: {
    en: (right: number, wrong: number) => `Correct rows: ${right}. Wrong rows: ${wrong}.`,
    hr: (right: number, wrong: number) => `Ispravnih redaka: ${right}. Pogrešnih: ${wrong}.`,
  },
  wrongHint: {
    en: 'These rows are not processed. Correct them in the file and check it again, or import them later.',
    hr: 'Iz ovih redaka ništa se ne upisuje. Ispravite ih u datoteci i provjerite je ponovno ili ih upišite kasnije.',
  },
  device: { en: 'Device', hr: 'Uređaj' },
  now: { en: (number: string) => `now ${number}`, hr: (number: string) => `sada ${number}` },
  gateway: { en: (name: string) => `gateway ${name}`, hr: (name: string) => `pristupnik ${name}` },
  more: { en: (n: number) => `More rows: ${n}.`, hr: (n: number) => `Još redaka: ${n}.` },
  confirm: {
    retry: {
      en: (n: number) => `Send ${n === 1 ? '1 invoice' : `${n} invoices`} to the tax authority again?`,
      hr: (n: number) => `Ponovno poslati ${n} ${plural(n, 'račun', 'računa', 'računa')} Poreznoj upravi?`,
    },
    copies: {
      en: (n: number) => `Print copies of ${n === 1 ? '1 receipt' : `${n} receipts`}?`,
      hr: (n: number) => `Ispisati po jednu kopiju za ${n} ${plural(n, 'račun', 'računa', 'računa')}?`,
    },
    tag: {
      en: (n: number) => `Add ${n === 1 ? '1 device' : `${n} devices`} to a group?`,
      hr: (n: number) => `Dodati ${n} ${plural(n, 'uređaj', 'uređaja', 'uređaja')} u skupinu?`,
    },
    untag: {
      en: (n: number) => `Remove ${n === 1 ? '1 device' : `${n} devices`} from a group?`,
      hr: (n: number) => `Ukloniti ${n} ${plural(n, 'uređaj', 'uređaja', 'uređaja')} iz skupine?`,
    },
    settings: {
      en: (n: number) => `Change a setting of ${n === 1 ? '1 device' : `${n} devices`}?`,
      hr: (n: number) => `Promijeniti postavku na ${n} ${plural(n, 'uređaju', 'uređaja', 'uređaja')}?`,
    },
    active: {
      en: (n: number) => `Activate ${n === 1 ? '1 device' : `${n} devices`}?`,
      hr: (n: number) => `Aktivirati ${n} ${plural(n, 'uređaj', 'uređaja', 'uređaja')}?`,
    },
    suspended: {
      en: (n: number) =>
        `Suspend ${n === 1 ? '1 device' : `${n} devices`}? ${n === 1 ? 'It cannot sell until it is' : 'They cannot sell until they are'} activated.`,
      hr: (n: number) =>
        `Obustaviti ${n} ${plural(n, 'uređaj', 'uređaja', 'uređaja')}? Na obustavljenom uređaju prodaja nije moguća.`,
    },
    archived: {
      en: (n: number) => `Archive ${n === 1 ? '1 device' : `${n} devices`}? An archived device cannot sell.`,
      hr: (n: number) =>
        `Arhivirati ${n} ${plural(n, 'uređaj', 'uređaja', 'uređaja')}? Na arhiviranom uređaju prodaja nije moguća.`,
    },
  },
  chooseOne: { en: (label: string) => `Select ${label}`, hr: (label: string) => `Odaberi ${label}` },
  chosenRows: { en: 'Selected:', hr: 'Odabrano:' },
  chooseAll: { en: 'Select all on this page', hr: 'Odaberi sve na ovoj stranici' },
  allMatching: {
    en: (count: string) => `All of the list (${count})`,
    hr: (count: string) => `Svi s popisa (${count})`,
  },
  allMatchingMore: {
    en: (count: string) => `All of the list (more than ${count})`,
    hr: (count: string) => `Svi s popisa (više od ${count})`,
  },
  works: {
    active: { en: 'Activate', hr: 'Aktiviraj' },
    suspended: { en: 'Suspend', hr: 'Obustavi' },
    archived: { en: 'Archive', hr: 'Arhiviraj' },
    tag: { en: 'Add to a group', hr: 'Dodaj u skupinu' },
    untag: { en: 'Remove from a group', hr: 'Ukloni iz skupine' },
    settings: { en: 'Change a setting', hr: 'Promijeni postavku' },
    retry: { en: 'Send again', hr: 'Ponovno pošalji' },
    copies: { en: 'Print copies', hr: 'Ispiši kopije' },
  },
  setting: { en: 'Setting', hr: 'Postavka' },
  chooseSetting: { en: 'Choose the setting.', hr: 'Odaberite postavku.' },
  settingEmpty: {
    en: 'When it is left empty, the setting of the company applies.',
    hr: 'Ako ostane prazno, vrijedi postavka tvrtke.',
  },
  asCompany: { en: '— as the company —', hr: '— kao tvrtka —' },
  goOn: { en: 'Continue', hr: 'Nastavi' },
  tag: { en: 'Name of the group', hr: 'Naziv skupine' },
  confirmTitle: { en: 'Confirm the bulk job', hr: 'Potvrda skupne radnje' },
  do: { en: 'Start', hr: 'Započni' },
  nothingChosen: { en: 'Select at least one row.', hr: 'Niste odabrali nijedan redak.' },
  willBeRefused: { en: 'Will be refused', hr: 'Bit će odbijeno' },
  rowsOf: {
    en: (n: number, count: string) => `${count} ${n === 1 ? 'row' : 'rows'}`,
    hr: (n: number, count: string) => `${count} ${plural(n, 'redak', 'retka', 'redaka')}`,
  },
  willBeUnchanged: {
    en: (n: number, count: string) => (n === 1 ? '1 row needs no change.' : `${count} rows need no change.`),
    hr: (n: number, count: string) =>
      `${count} ${plural(n, 'redak već je', 'retka već su', 'redaka već je')} u traženom stanju, bez promjene.`,
  },
  willWait: {
    en: (n: number, count: string, gateways: number) =>
      `${count} ${n === 1 ? 'row waits' : 'rows wait'} for ${gateways === 1 ? 'a gateway that is' : 'gateways that are'} silent now. Rows are refused if their gateway does not report within 7 days.`,
    hr: (n: number, count: string, gateways: number) =>
      `${count} ${plural(n, 'redak čeka', 'retka čekaju', 'redaka čeka')} ${gateways === 1 ? 'pristupnik koji se sada ne javlja' : 'pristupnike koji se sada ne javljaju'}. Što se ne preuzme u roku od 7 dana, odbija se.`,
  },
  chosen: { en: 'Selected', hr: 'Odabrano' },
})

export type JobTexts = (typeof texts)['hr']
