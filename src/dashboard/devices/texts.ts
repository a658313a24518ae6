import { inBoth, plural } from '../language.ts'
import { FLEET_TEXTS } from '../shared-texts.ts'
import { IMPORT_TEXTS } from './import-texts.ts'

/** When a new status holds: at a gateway once it has fetched the command. */
export const taken = (gateway: string | null) =>
  gateway === null
    ? { en: 'at once', hr: 'odmah' }
    : { en: `as soon as gateway ${gateway} fetches the command`, hr: `čim pristupnik ${gateway} preuzme naredbu` }

export const texts = inBoth({
  ...FLEET_TEXTS,
  title: { en: 'Devices', hr: 'Uređaji' },
  add: { en: 'Add a device', hr: 'Dodaj uređaj' },
  isuTasks: { en: 'Enter ISU numbers', hr: 'Upis ISU brojeva' },
  importMany: { en: 'Add from a file', hr: 'Dodaj iz datoteke' },
  found: {
    en: (n: number, written: string) => `${written} ${n === 1 ? 'device' : 'devices'}`,
    hr: (n: number, written: string) => `${written} ${plural(n, 'uređaj', 'uređaja', 'uređaja')}`,
  },
  allOfThem: { en: 'All', hr: 'Svi' },
  waitingCount: { en: (count: string) => `without JIR: ${count}`, hr: (count: string) => `bez JIR-a: ${count}` },
  fortnight: { en: '14 days', hr: '14 dana' },
  town: { en: 'Place', hr: 'Mjesto' },
  noTown: { en: 'no place in the address', hr: 'adresa bez mjesta' },
  captionOldest: { en: 'Devices, the oldest first', hr: 'Samoposlužni uređaji, najstariji prvi' },
  noPrinter: { en: 'no printer', hr: 'bez pisača' },
  today: { en: 'Today', hr: 'Danas' },
  month: { en: 'This month', hr: 'Mjesec' },
  tag: { en: 'Group', hr: 'Skupina' },
  tags: { en: 'Groups', hr: 'Skupine' },
  tagsHint: {
    en: 'Groups help to find devices in the list. At most 10, each with up to 30 characters, separated by commas.',
    hr: 'Skupine služe za pronalaženje uređaja na popisu. Najviše 10, svaka do 30 znakova, odvojene zarezom.',
  },
  setTags: { en: 'Save the groups', hr: 'Spremi skupine' },
  technical: { en: 'Technical marks', hr: 'Tehničke oznake' },
  note: { en: 'Note', hr: 'Bilješka' },
  contact: { en: 'Contact at the place', hr: 'Kontakt na mjestu' },
  contactHint: {
    en: 'Whom to call or send when it does not sell.',
    hr: 'Koga zvati ili poslati kad uređaj ne prodaje.',
  },
  setNote: { en: 'Save the note', hr: 'Spremi bilješku' },
  silent: { en: 'for an unusually long time', hr: 'neuobičajeno dugo' },
  sales: {
    en: (n: number, written: string) => `${written} ${n === 1 ? 'invoice' : 'invoices'}`,
    hr: (n: number, written: string) => `${written} ${plural(n, 'račun', 'računa', 'računa')}`,
  },
  lastMonth: { en: 'Last month', hr: 'Prošli mjesec' },
  daysTitle: { en: 'Revenue by day in the last 30 days', hr: 'Promet po danima u posljednjih 30 dana' },
  monthsTitle: { en: 'Revenue by month in the last 12 months', hr: 'Promet po mjesecima u posljednjih 12 mjeseci' },
  asTable: { en: 'Show as a table', hr: 'Prikaži podatke u tablici' },
  chartSummary: { en: (total: string) => `${total} in total.`, hr: (total: string) => `Ukupno ${total}.` },
  orders: {
    name: { en: 'Name', hr: 'Naziv' },
    company: { en: 'Company', hr: 'Tvrtka' },
    premises: { en: 'Premises code', hr: 'Oznaka poslovnog prostora' },
    health: { en: 'State', hr: 'Stanje' },
    isu: { en: 'ISU number', hr: 'ISU broj' },
    last_sale: { en: 'Last sale', hr: 'Posljednja prodaja' },
    sales_today: { en: 'Invoices today', hr: 'Ukupno računa danas' },
    revenue_today: { en: 'Revenue today', hr: 'Promet danas' },
    sales_month: { en: 'Invoices in the month', hr: 'Ukupno računa u mjesecu' },
    revenue_month: { en: 'Revenue in the month', hr: 'Promet u mjesecu' },
    waiting: { en: 'Without JIR', hr: 'Bez JIR-a' },
    paper: { en: 'Paper', hr: 'Papir' },
    gateway: { en: 'Gateway', hr: 'Pristupnik' },
    version: { en: 'Version', hr: 'Inačica programa' },
  },
  pageOf: {
    en: (page: number, pages: number) => `Page ${page} of ${pages}`,
    hr: (page: number, pages: number) => `Stranica ${page} od ${pages}`,
  },
  statusUsed: { en: 'active and suspended', hr: 'aktivni i obustavljeni' },
  statusAll: { en: 'all, including archived ones', hr: 'svi, uključujući arhivirane' },
  none: {
    en: 'No device matches the filter. Change the filter, or add a device.',
    hr: 'Nema uređaja koji odgovaraju filtru. Izmijenite filtar ili dodajte uređaj.',
  },
  searchHint: { en: 'Name, place, ISU number or note', hr: 'Naziv, mjesto, ISU broj ili bilješka' },
  allTenants: { en: 'Devices of all organisations (view only)', hr: 'Uređaji svih organizacija (samo pregled)' },
  ownTenant: { en: 'Back to your own devices', hr: 'Natrag na svoje uređaje' },
  allTenantsHint: {
    en: 'These are the devices of all organisations. You can only view them here, and each view is recorded in the audit log.',
    hr: 'Prikazani su uređaji svih organizacija. Ovdje ih možete samo pregledati, a svaki se pregled bilježi u dnevnik radnji.',
  },
  label: { en: 'Name', hr: 'Naziv' },
  labelHint: {
    en: 'The name by which you recognise the device, such as “Coffee lobby”. It must be unique within the company.',
    hr: 'Naziv po kojem ćete prepoznati uređaj, npr. „Kavomat predvorje”. Mora biti jedinstven u tvrtki.',
  },
  company: { en: 'Company', hr: 'Tvrtka' },
  premises: { en: 'Premises', hr: 'Poslovni prostor' },
  premisesCode: { en: 'Premises code', hr: 'Oznaka poslovnog prostora' },
  premisesHint: {
    en: 'Exactly as registered with the tax authority: letters and digits without spaces, at most 20. It cannot be changed later.',
    hr: 'Točno kako je prijavljena Poreznoj upravi: slova i znamenke bez razmaka, najviše 20. Kasnije se ne može promijeniti.',
  },
  address: { en: 'Address', hr: 'Adresa' },
  addressHint: {
    en: 'The address of the device. It is not sent to the tax authority.',
    hr: 'Adresa na kojoj se uređaj nalazi. Ne šalje se Poreznoj upravi.',
  },
  isu: { en: 'ISU number', hr: 'ISU broj' },
  isuHint: {
    en: 'If you do not have it yet, leave this empty and enter the number when the tax authority has issued it.',
    hr: 'Ako ga još nemate, ostavite polje prazno i upišite broj kad ga Porezna uprava dodijeli.',
  },
  goThere: { en: 'Open', hr: 'Otvori' },
  setUp: { en: 'Set-up of the device', hr: 'Postavljanje uređaja' },
  setUpDone: { en: 'Set-up of the device and ISU number (done)', hr: 'Postavljanje uređaja i ISU broj (dovršeno)' },
  lastJir: { en: 'Last invoice with JIR', hr: 'Posljednji račun s JIR-om' },
  never: { en: 'none yet', hr: 'još nema' },
  installed: { en: 'Added', hr: 'Dodan' },
  here: { en: 'this server', hr: 'ovaj poslužitelj' },
  id: { en: 'ID of the device in the API (device_id)', hr: 'Oznaka uređaja u API-ju (device_id)' },
  statuses: {
    active: { en: 'active', hr: 'aktivan' },
    suspended: { en: 'suspended', hr: 'obustavljen' },
    archived: { en: 'archived', hr: 'arhiviran' },
  },
  isuStates: {
    pending: { en: 'no ISU number yet', hr: 'nema ISU broj' },
    assigned: { en: 'ISU number entered', hr: 'ISU broj upisan' },
    mismatch: { en: 'does not match ePorezna', hr: 'ne odgovara prijavi u ePoreznoj' },
  },
  newTitle: { en: 'New device', hr: 'Novi uređaj' },
  create: { en: 'Add the device', hr: 'Dodaj uređaj' },
  noCompany: {
    en: 'Add a company first: each device belongs to the company that issues the invoices.',
    hr: 'Najprije dodajte tvrtku: svaki uređaj pripada tvrtki koja izdaje račune.',
  },
  toCompanies: { en: 'Companies', hr: 'Tvrtke' },
  choose: { en: '— choose —', hr: '— odaberite —' },
  chooseCompany: { en: 'Choose a company.', hr: 'Odaberite tvrtku.' },
  where: { en: 'Where the invoices of the device are issued', hr: 'Tko izdaje račune uređaja' },
  whereHint: {
    en: 'This server, or a gateway: the computer at the devices. A gateway is sent a command, and carries it out as soon as it reports.',
    hr: 'Ovaj poslužitelj ili pristupnik (računalo uz uređaje). Pristupniku se šalje naredba, koju izvršava čim se javi.',
  },
  companyElsewhere: {
    en: 'A gateway keeps the data of this company, so its devices cannot be added to this server. Choose the gateway.',
    hr: 'Podatke ove tvrtke vodi pristupnik, pa se uređaj ne može dodati na ovaj poslužitelj. Odaberite pristupnik.',
  },
  edit: { en: 'Change name or address', hr: 'Izmijeni naziv ili adresu' },
  settings: { en: 'Settings', hr: 'Postavke' },
  hoursOpen: { en: 'Working hours', hr: 'Radno vrijeme' },
  settingsOpen: { en: 'View and change the settings', hr: 'Pregled i izmjena postavki' },
  recent: { en: 'Latest invoices', hr: 'Posljednji računi' },
  invoices: { en: 'All invoices of this device', hr: 'Svi računi ovog uređaja' },
  isuWhat: {
    en: 'The ISU number identifies a self-service machine. The tax authority issues it when you register the machine as a premises in ePorezna. Each device has a number of its own, and cannot issue invoices without it.',
    hr: 'ISU (identifikator samoposlužnog uređaja) dodjeljuje Porezna uprava kad u ePoreznoj prijavite uređaj kao poslovni prostor. Svaki uređaj ima vlastiti ISU broj, a bez njega ne može izdavati račune.',
  },
  history: { en: 'History of 90 days', hr: 'Povijest, 90 dana' },
  historyNone: { en: 'Nothing was done or wrong.', hr: 'Ništa nije mijenjano ni javljeno.' },
  auditLog: { en: 'in the audit log', hr: 'u dnevniku radnji' },
  guides: {
    stolen: { en: 'Stolen', hr: 'Ukraden' },
    moved: { en: 'Moved', hr: 'Premješten' },
    sold: { en: 'Sold', hr: 'Prodan' },
    replaced: { en: 'Replaced', hr: 'Zamijenjen' },
  },
  stepStates: {
    done: { en: 'done', hr: 'gotovo' },
    now: { en: 'to do', hr: 'na redu' },
    sent: { en: 'sent', hr: 'poslano' },
    later: { en: 'later', hr: 'kasnije' },
    wrong: { en: 'to be corrected', hr: 'treba ispraviti' },
    unknown: { en: 'not known here', hr: 'ovdje nije poznato' },
  },
  sinceEver: { en: 'since its first sale (nothing was closed yet)', hr: 'od prve prodaje (još nije zaključivan)' },
  sinceClosing: {
    en: (day: string) => `since ${day} (after the last closing)`,
    hr: (day: string) => `od ${day} (nakon posljednjeg zaključka)`,
  },
  theftDay: { en: 'Day of the theft', hr: 'Dan krađe' },
  theftTime: { en: 'Time, such as 14:05', hr: 'Vrijeme, npr. 14:05' },
  showLater: { en: 'Show all later invoices', hr: 'Prikaži sve kasnije račune' },
  setIsu: { en: 'Save the number', hr: 'Spremi broj' },
  replaceIsu: {
    en: (label: string, isu: string) => `The device “${label}” has the ISU number ${isu}. Replace it with the new one?`,
    hr: (label: string, isu: string) => `Uređaj „${label}” ima ISU broj ${isu}. Zamijeniti ga novim brojem?`,
  },
  clearIsu: { en: 'Remove the ISU number', hr: 'Ukloni ISU broj' },
  clearIsuConfirm: {
    en: (label: string, isu: string) =>
      `Remove the ISU number ${isu} from the device “${label}”? Without one it does not sell.`,
    hr: (label: string, isu: string) =>
      `Ukloniti ISU broj ${isu} s uređaja „${label}”? Bez ISU broja uređaj ne prodaje.`,
  },
  isuMissing: { en: 'Enter the ISU number.', hr: 'Upišite ISU broj.' },
  suspendConfirm: {
    en: (label: string, gateway: string | null) =>
      `Suspend the device “${label}”? It stops selling ${taken(gateway).en}, until you activate it again.`,
    hr: (label: string, gateway: string | null) =>
      `Obustaviti uređaj „${label}”? Prestaje prodavati ${taken(gateway).hr}, dok ga ponovno ne aktivirate.`,
  },
  archiveConfirm: {
    en: (label: string, gateway: string | null) =>
      `Archive the device “${label}”? It stops selling ${taken(gateway).en}; its invoices stay stored.`,
    hr: (label: string, gateway: string | null) =>
      `Arhivirati uređaj „${label}”? Prestaje prodavati ${taken(gateway).hr}, a njegovi računi ostaju spremljeni.`,
  },
  activateConfirm: {
    en: (label: string, gateway: string | null) =>
      `Activate the device “${label}”? It can sell again ${taken(gateway).en}.`,
    hr: (label: string, gateway: string | null) =>
      `Aktivirati uređaj „${label}”? Opet će moći prodavati ${taken(gateway).hr}.`,
  },
  byGateway: {
    en: (name: string) =>
      `The gateway ${name} keeps the data of this device. Changes are sent to it as commands, which it carries out as soon as it reports, so you see them here a little later.`,
    hr: (name: string) =>
      `Podatke ovog uređaja vodi pristupnik ${name}. Promjene mu se šalju kao naredbe, koje izvršava čim se javi, pa su ovdje vidljive nešto kasnije.`,
  },
  commands: { en: 'Commands to the gateway', hr: 'Naredbe pristupniku' },
  tasksSteps: {
    en: [
      'Register each device listed here as a premises in ePorezna, with the data given here.',
      'The tax authority issues an ISU number for each device.',
      'Enter the number beside the device and save it. For many devices at once you can import a file.',
    ].join('\n'),
    hr: [
      'Svaki uređaj s popisa prijavite u ePoreznoj kao poslovni prostor, s ovdje navedenim podacima.',
      'Porezna uprava svakom uređaju dodjeljuje ISU broj.',
      'Upišite broj uz uređaj i spremite. Za više uređaja odjednom možete učitati datoteku.',
    ].join('\n'),
  },
  tasksNone: { en: 'Every active device has its ISU number.', hr: 'Svi aktivni uređaji imaju ISU broj.' },
  tasksMismatch: { en: 'To be corrected', hr: 'Treba ispraviti' },
  tasksPending: { en: 'Waiting for an ISU number', hr: 'Čekaju ISU broj' },
  portalSheet: { en: 'Sheet for ePorezna, to fill in', hr: 'Preuzmi uređaje bez ISU broja za popunjavanje' },
  portalAsks: {
    en: (from: string, to: string) =>
      `Type of premises: samoposlužni uređaj. The address goes into the note, with the exact place. The opening date is any day from ${from} to ${to}. ePorezna also asks for the activity and the working hours.`,
    hr: (from: string, to: string) =>
      `Vrsta prostora: samoposlužni uređaj. Adresa se upisuje u napomenu, s točnim mjestom. Datum otvaranja: od ${from} do ${to} ePorezna traži i djelatnost i radno vrijeme.`,
  },
  portalPart: {
    en: 'Each page is sorted by premises for itself; the sheet has all devices in one order.',
    hr: 'Svaka je stranica poredana zasebno po poslovnim prostorima; u tablici su svi uređaji jednim redom.',
  },
  portalLacks: { en: 'Not known here:', hr: 'Ovdje nije poznato:' },
  portalNames: {
    note: { en: 'exact place', hr: 'točno mjesto' },
    activity: { en: 'activity', hr: 'djelatnost' },
    working_hours: { en: 'working hours', hr: 'radno vrijeme' },
  },
  oib: { en: 'OIB of the company', hr: 'OIB tvrtke' },
  import: IMPORT_TEXTS,
})
