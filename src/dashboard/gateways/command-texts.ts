import { plural } from '../language.ts'

/** Entries of the table of commands to gateways: their kinds, subjects and outcomes. */
export const COMMAND_TEXTS = {
  commands: { en: 'Commands', hr: 'Naredbe' },
  commandsAbout: {
    en: 'The gateway fetches a command as soon as it reports. If it does not report within 7 days, the command expires.',
    hr: 'Pristupnik preuzima naredbu čim se javi. Ako se ne javi u roku od 7 dana, naredba istječe.',
  },
  noCommands: { en: 'No command has been sent yet.', hr: 'Još nije poslana nijedna naredba.' },
  commandsCaption: { en: 'Commands, the latest first', hr: 'Naredbe, najnovije prve' },
  what: { en: 'Command', hr: 'Naredba' },
  when: { en: 'Time', hr: 'Vrijeme' },
  who: { en: 'Sent by', hr: 'Poslao' },
  outcome: { en: 'Outcome', hr: 'Ishod' },
  operator: { en: 'technician (command fisk)', hr: 'tehničar (naredba fisk)' },
  formerUser: { en: 'a removed user', hr: 'uklonjeni korisnik' },
  types: {
    'device.set_isu': { en: 'Set the ISU number of a device', hr: 'Upiši ISU broj uređaja' },
    'device.change': { en: 'Change a device', hr: 'Izmijeni uređaj' },
    'device.set_setting': { en: 'Change a setting of a device', hr: 'Izmijeni postavku uređaja' },
    'device.add': { en: 'Add a device', hr: 'Dodaj uređaj' },
    'company.set_status': { en: 'Change the status of a company', hr: 'Promijeni stanje tvrtke' },
    'certificate.add': { en: 'Upload a certificate', hr: 'Učitaj certifikat' },
    'api_key.revoke': { en: 'Revoke an API key', hr: 'Opozovi API ključ' },
    'invoice.retry': { en: 'Send an invoice again', hr: 'Ponovno pošalji račun' },
    'invoices.requeue': { en: 'Send refused invoices again', hr: 'Ponovno pošalji odbijene račune' },
    'invoice.correct': { en: 'Correct an invoice', hr: 'Ispravi račun' },
    'hours.show': { en: 'Show working hours', hr: 'Pokaži radno vrijeme' },
    'hours.set': { en: 'Register working hours', hr: 'Prijavi radno vrijeme' },
    'hours.remove': { en: 'Delete working hours', hr: 'Obriši radno vrijeme' },
    'receipt.copy': { en: 'Print a copy of a receipt', hr: 'Ispiši kopiju računa' },
    doctor: { en: 'Check the health', hr: 'Provjeri ispravnost' },
    support_bundle: { en: 'Fetch the support bundle', hr: 'Dohvati paket za podršku' },
  },
  statuses: {
    waiting: { en: 'waits for the gateway', hr: 'čeka preuzimanje' },
    done: { en: 'done', hr: 'obavljeno' },
    failed: { en: 'failed', hr: 'nije uspjelo' },
    refused: { en: 'refused by the gateway', hr: 'pristupnik je odbio' },
    expired: { en: 'expired', hr: 'isteklo' },
    interrupted: { en: 'interrupted', hr: 'prekinuto' },
    withdrawn: { en: 'replaced by a newer command', hr: 'zamijenjeno novijom naredbom' },
  },
  about_doctor: {
    en: 'The gateway runs all its checks. This may take a few minutes.',
    hr: 'Pristupnik provjerava sve svoje dijelove. To može potrajati nekoliko minuta.',
  },
  about_support_bundle: {
    en: 'A file with data for support, without passwords and keys. This may take a few minutes.',
    hr: 'Datoteka s podacima za podršku, bez lozinki i ključeva. To može potrajati nekoliko minuta.',
  },
  about_retry: {
    en: 'An invoice that this gateway issued and that has no JIR is sent again at once.',
    hr: 'Račun koji je izdao ovaj pristupnik i koji nema JIR odmah se ponovno šalje.',
  },
  about_copy: {
    en: 'The printer of the device prints a copy of the receipt, marked as a copy.',
    hr: 'Pisač uređaja ispisuje kopiju računa s oznakom KOPIJA.',
  },
  about_certificate: {
    en: 'The certificate is sent encrypted, so that only this gateway can open it.',
    hr: 'Certifikat se šalje šifriran, tako da ga može otvoriti samo ovaj pristupnik.',
  },
  about_key: {
    en: 'Devices that use this key stop selling at once.',
    hr: 'Uređaji koji koriste taj ključ odmah prestaju prodavati.',
  },
  invoice: { en: 'Record ID of the invoice', hr: 'Oznaka zapisa računa' },
  invoiceHint: {
    en: 'It begins with inv_. The page of the invoice shows it as “Record ID”.',
    hr: 'Počinje znakovima inv_. Na stranici računa piše pod „Oznaka zapisa”.',
  },
  keyId: { en: 'ID of the key', hr: 'Oznaka ključa' },
  keyIdHint: {
    en: 'The ID of an API key of the gateway, not the key itself.',
    hr: 'Oznaka (id) API ključa na pristupniku, ne sam ključ.',
  },
  company: { en: 'Company', hr: 'Tvrtka' },
  choose: { en: 'Choose', hr: 'Odaberite' },
  file: { en: 'Certificate file (.p12 or .pfx)', hr: 'Datoteka certifikata (.p12 ili .pfx)' },
  fileMissing: { en: 'Choose the certificate file.', hr: 'Odaberite datoteku certifikata.' },
  passphrase: { en: 'Passphrase of the file', hr: 'Lozinka datoteke' },
  label: { en: 'Name of the certificate', hr: 'Naziv certifikata' },
  labelHint: { en: 'Any name, such as “Fina 2027”.', hr: 'Nije obavezno, npr. „Fina 2027”.' },
  wrongInvoice: {
    en: 'Enter the record ID of the invoice; it begins with inv_.',
    hr: 'Upišite oznaku zapisa računa; počinje znakovima inv_.',
  },
  wrongKey: {
    en: 'Enter the ID of the key: 36 characters with hyphens.',
    hr: 'Upišite oznaku ključa: 36 znakova s crticama.',
  },
  wrongCompany: { en: 'Choose a company.', hr: 'Odaberite tvrtku.' },
  send: { en: 'Send', hr: 'Pošalji' },
  sendConfirm: { en: 'Send this command to the gateway?', hr: 'Poslati ovu naredbu pristupniku?' },
  notReachable: {
    en: 'No commands can be sent to this gateway at the moment.',
    hr: 'Ovom se pristupniku trenutačno ne mogu slati naredbe.',
  },
  number: { en: 'Number of the command', hr: 'Broj naredbe' },
  sent: { en: 'Fetched', hr: 'Preuzeta' },
  notSent: { en: 'not yet', hr: 'još nije' },
  answered: { en: 'Answered', hr: 'Odgovor' },
  goodUntil: { en: 'Valid until', hr: 'Vrijedi do' },
  replacement: { en: 'The newer command', hr: 'Novija naredba' },
  waitingCommands: { en: 'Waiting for this gateway', hr: 'Naredbe koje čekaju preuzimanje' },
  outcomes: {
    done: { en: 'The gateway has carried out the command.', hr: 'Pristupnik je izvršio naredbu.' },
    failed: { en: 'The gateway could not carry out the command.', hr: 'Pristupnik nije mogao izvršiti naredbu.' },
    refused: { en: 'The gateway has refused the command.', hr: 'Pristupnik je naredbu odbio.' },
    expired: {
      en: 'The command reached the gateway too late, or not at all. Send it again.',
      hr: 'Naredba je pristupniku stigla prekasno ili nije stigla. Pošaljite je ponovno.',
    },
    interrupted: {
      en: 'The gateway stopped while it was carrying out the command. Check what was done before you send it again.',
      hr: 'Pristupnik se zaustavio tijekom izvršavanja naredbe. Provjerite što je učinjeno prije nego što je ponovno pošaljete.',
    },
    withdrawn: {
      en: 'The gateway did not fetch the command: a newer one had replaced it.',
      hr: 'Pristupnik nije preuzeo naredbu: prije toga zamijenila ju je novija.',
    },
    command_unknown: {
      en: 'The program of the gateway is too old for this command. Upgrade it, then send it again.',
      hr: 'Program pristupnika prestar je za ovu naredbu. Nadogradite ga, pa je pošaljite ponovno.',
    },
  },
  result: { en: 'Result', hr: 'Rezultat' },
  download: {
    en: (name: string, size: string) => `Download ${name} (${size})`,
    hr: (name: string, size: string) => `Preuzmi ${name} (${size})`,
  },
  fileGone: {
    en: 'Files are kept for 30 days, so this one was removed.',
    hr: 'Datoteke se čuvaju 30 dana, pa je ova uklonjena.',
  },
  doctorFine: { en: 'Everything is fine.', hr: 'Sve je u redu.' },
  doctorFound: {
    en: (failures: number) =>
      failures === 0 ? 'There are warnings.' : failures === 1 ? '1 error was found.' : `${failures} errors were found.`,
    hr: (failures: number) =>
      failures === 0
        ? 'Ima upozorenja.'
        : `${plural(failures, 'Pronađena je', 'Pronađene su', 'Pronađeno je')} ${failures} ${plural(failures, 'pogreška', 'pogreške', 'pogrešaka')}.`,
  },
  check: { en: 'Check', hr: 'Provjera' },
  found: { en: 'Finding', hr: 'Nalaz' },
  fix: { en: 'What to do', hr: 'Što učiniti' },
  marks: {
    ok: { en: 'fine', hr: 'u redu' },
    warn: { en: 'warning', hr: 'upozorenje' },
    fail: { en: 'error', hr: 'pogreška' },
    skip: { en: 'not checked', hr: 'nije provjereno' },
  },
  confirmed: {
    en: (jir: string) => `The invoice is confirmed, JIR ${jir}.`,
    hr: (jir: string) => `Račun je potvrđen, JIR ${jir}.`,
  },
  notConfirmed: { en: 'The invoice is not confirmed yet.', hr: 'Račun još nije potvrđen.' },
}
