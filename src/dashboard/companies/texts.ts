import { inBoth, plural } from '../language.ts'
import { FLEET_TEXTS, MAIL_TEXTS, MODE_NAMES } from '../shared-texts.ts'

/** What a new status does where gateways sell for the company. */
const told = (gateways: number) =>
  gateways === 0
    ? { en: '', hr: '' }
    : {
        en: ` A command goes to ${gateways} ${gateways === 1 ? 'gateway' : 'gateways'}: it holds for their devices as soon as they fetch it.`,
        hr: ` Naredba odlazi na ${gateways} ${plural(gateways, 'pristupnik', 'pristupnika', 'pristupnika')}: za njihove uređaje vrijedi čim je preuzmu.`,
      }

export const texts = inBoth({
  ...FLEET_TEXTS,
  title: { en: 'Companies', hr: 'Tvrtke' },
  add: { en: 'Add a company', hr: 'Dodaj tvrtku' },
  none: {
    en: 'There is no company. Add the one that issues the invoices.',
    hr: 'Nema tvrtki. Dodajte tvrtku koja izdaje račune.',
  },
  noneFiltered: { en: 'No company matches the filter.', hr: 'Nema tvrtki koje odgovaraju filtru.' },
  allTenants: { en: 'Companies of all organisations (view only)', hr: 'Tvrtke svih organizacija (samo pregled)' },
  ownTenant: { en: 'Back to your own companies', hr: 'Natrag na svoje tvrtke' },
  allTenantsHint: {
    en: 'These are the companies of all organisations. You can only view them here, and each view is recorded in the audit log.',
    hr: 'Prikazane su tvrtke svih organizacija. Ovdje ih možete samo pregledati, a pregled se bilježi u dnevnik radnji.',
  },
  logoTitle: { en: 'Logo on receipts', hr: 'Logotip na računima' },
  logoWhat: {
    en: 'It is printed at the top of each receipt of this company, in black and white. Earlier receipts keep their logo.',
    hr: 'Ispisuje se na vrhu svakog računa ove tvrtke, crno-bijelo. Raniji računi zadržavaju svoj logotip.',
  },
  logoNone: { en: 'The company has no logo.', hr: 'Tvrtka nema logotip.' },
  logoFile: { en: 'Picture', hr: 'Slika' },
  logoHint: {
    en: 'A PNG picture of at most 256 KB, 2,000 pixels wide and high and 1,000,000 in all.',
    hr: 'PNG do 256 KB, najviše 2000 piksela po širini i visini i 1.000.000 ukupno.',
  },
  logoMissing: { en: 'Choose a picture.', hr: 'Odaberite sliku.' },
  logoLarge: { en: 'The file is larger than 256 KB.', hr: 'Datoteka je veća od 256 KB.' },
  logoWidth: { en: 'Printed width in millimetres', hr: 'Širina ispisa u milimetrima' },
  logoWidthHint: { en: 'From 5 to 72. Empty: at most 15 mm high.', hr: 'Od 5 do 72. Prazno: najviše 15 mm visine.' },
  logoWidthWrong: {
    en: 'Enter a whole number from 5 to 72 that makes the logo at most 40 mm high.',
    hr: 'Upišite cijeli broj od 5 do 72, tako da logotip ne bude viši od 40 mm.',
  },
  logoSave: { en: 'Save the logo', hr: 'Spremi logotip' },
  logoRemove: { en: 'Remove the logo', hr: 'Ukloni logotip' },
  links: { en: 'Links to receipts', hr: 'Poveznice na račune' },
  linksWhat: {
    en: 'Customers open the receipt on their phone by a link that the device shows.',
    hr: 'Kupac račun otvara na mobitelu preko poveznice koju prikazuje uređaj.',
  },
  linksViews: {
    en: (n: number) => `Views in the last 30 days: ${n}.`,
    hr: (n: number) => `Pregledi u posljednjih 30 dana: ${n}.`,
  },
  linksWithdraw: { en: 'Withdraw all links', hr: 'Povuci sve poveznice' },
  linksConfirm: {
    en: (name: string) =>
      `Withdraw all links to receipts of ${name}? Customers can no longer open receipts issued until now, and this cannot be undone. New sales get links that work.`,
    hr: (name: string) =>
      `Povući sve poveznice na račune tvrtke ${name}? Kupci više neće moći otvoriti dosad izdane račune, a to se ne može poništiti. Poveznice novih računa radit će.`,
  },
  name: { en: 'Name', hr: 'Naziv' },
  nameHint: { en: 'As it is printed on receipts.', hr: 'Onako kako piše na računu.' },
  oib: { en: 'OIB', hr: 'OIB' },
  oibHint: {
    en: '11 digits. It never changes; the certificate must be issued to the same OIB.',
    hr: '11 znamenaka. Kasnije se ne može promijeniti; certifikat mora glasiti na isti OIB.',
  },
  mode: { en: 'Mode', hr: 'Način rada' },
  modes: MODE_NAMES,
  statuses: {
    active: { en: 'active', hr: 'aktivna' },
    suspended: { en: 'suspended', hr: 'obustavljena' },
    archived: { en: 'archived', hr: 'arhivirana' },
  },
  certificate: { en: 'Certificate', hr: 'Certifikat' },
  certificateStates: {
    missing: { en: 'no certificate', hr: 'nema certifikata' },
    valid: { en: 'valid', hr: 'valjan' },
    expiring: { en: 'expires soon', hr: 'uskoro istječe' },
    expired: { en: 'expired', hr: 'istekao' },
    superseded: { en: 'replaced', hr: 'zamijenjen' },
    revoked: { en: 'revoked', hr: 'opozvan' },
  },
  daysLeft: {
    en: (n: number) => `${n} ${n === 1 ? 'day' : 'days'} left`,
    hr: (n: number) => `još ${n} ${plural(n, 'dan', 'dana', 'dana')}`,
  },
  daysAgo: {
    en: (n: number) => `expired ${n} ${n === 1 ? 'day' : 'days'} ago`,
    hr: (n: number) => `istekao prije ${n} ${plural(n, 'dan', 'dana', 'dana')}`,
  },
  newTitle: { en: 'New company', hr: 'Nova tvrtka' },
  newHint: {
    en: 'A new company begins in test mode: its invoices are not real yet. Switch to live mode when you have tested everything.',
    hr: 'Nova tvrtka počinje u testnom radu: računi još nisu pravi. Kad sve isprobate, prebacite je u stvarni rad.',
  },
  create: { en: 'Add the company', hr: 'Dodaj tvrtku' },
  vat: { en: 'The company is in the VAT system', hr: 'Tvrtka je u sustavu PDV-a' },
  vatRate: { en: 'Default VAT rate', hr: 'Zadana stopa PDV-a' },
  vatRateHint: {
    en: 'For sales that do not state a rate. It can be changed in the settings.',
    hr: 'Koristi se kad uz prodaju stopa nije navedena. Može se promijeniti u postavkama.',
  },
  rateWithoutVat: {
    en: 'A company outside the VAT system has no rate: choose none, or tick the VAT system.',
    hr: 'Tvrtka izvan sustava PDV-a nema stopu: odaberite „bez zadane stope” ili označite sustav PDV-a.',
  },
  noRate: { en: '— no default rate —', hr: '— bez zadane stope —' },
  seat: { en: 'Registered address', hr: 'Sjedište' },
  street: { en: 'Street and number', hr: 'Ulica i kućni broj' },
  postal: { en: 'Postal code', hr: 'Poštanski broj' },
  city: { en: 'City', hr: 'Mjesto' },
  country: { en: 'Country', hr: 'Država' },
  seatHint: { en: 'It is printed on receipts.', hr: 'Ispisuje se na računu.' },
  nameMissing: { en: 'Enter the name of the company.', hr: 'Upišite naziv tvrtke.' },
  nameWrong: {
    en: 'A name has at most 200 characters and no control characters.',
    hr: 'Naziv može imati najviše 200 znakova. Izbrišite znakove koji se ne mogu ispisati.',
  },
  seatWrong: {
    en: 'At most 200 characters, and no control characters.',
    hr: 'Najviše 200 znakova. Izbrišite znakove koji se ne mogu ispisati.',
  },
  edit: { en: 'Change these data', hr: 'Izmijeni podatke' },
  vatWord: { en: 'VAT system', hr: 'U sustavu PDV-a' },
  yes: { en: 'yes', hr: 'da' },
  no: { en: 'no', hr: 'ne' },
  devices: { en: 'Devices', hr: 'Uređaji' },
  devicesCount: {
    en: (active: number, total: number) => `${active} of ${total} active`,
    hr: (active: number, total: number) => `aktivni: ${active} od ${total}`,
  },
  showDevices: { en: 'Show the devices', hr: 'Prikaži uređaje' },
  settings: { en: 'Defaults for sales', hr: 'Zadane postavke prodaje' },
  adminOnly: {
    en: 'Only an administrator can change companies and their certificates.',
    hr: 'Tvrtku i certifikate mijenja administrator.',
  },
  byGateway: {
    en: (name: string) =>
      `The gateway ${name} keeps the data of this company; here you can only view them. You can send a new certificate to the gateway from this page. To keep the data on this server, add the company here with the same OIB.`,
    hr: (name: string) =>
      `Podatke ove tvrtke vodi pristupnik ${name}, a ovdje ih možete samo pregledati. Novi certifikat možete mu poslati s ove stranice. Ako podatke tvrtke treba voditi ovaj poslužitelj, dodajte je ovdje s istim OIB-om.`,
  },
  certWhat: {
    en: 'The company signs its invoices with its fiscal certificate. It is a file ending in .p12 or .pfx with a passphrase, issued by Fina or another trusted issuer.',
    hr: 'Fiskalnim certifikatom tvrtka potpisuje račune. To je datoteka s nastavkom .p12 ili .pfx i lozinkom, a izdaje je Fina ili drugi ovlašteni izdavatelj.',
  },
  certNone: {
    en: 'The company has no certificate yet, so its devices cannot issue invoices.',
    hr: 'Tvrtka još nema certifikat, pa njezini uređaji ne mogu izdavati račune.',
  },
  certUntil: {
    en: (date: string, left: string) => `Valid until ${date} (${left}).`,
    hr: (date: string, left: string) => `Vrijedi do ${date} (${left}).`,
  },
  certExpired: {
    en: (date: string) =>
      `The certificate expired on ${date}. The devices of the company cannot issue invoices until you upload a new one.`,
    hr: (date: string) => `Certifikat je istekao ${date}. Uređaji tvrtke ne mogu izdavati račune dok ne učitate novi.`,
  },
  upload: { en: 'Upload the certificate', hr: 'Učitaj certifikat' },
  uploadNew: { en: 'Upload a new certificate', hr: 'Učitaj novi certifikat' },
  uploadReplaces: {
    en: 'A new certificate replaces the current one without interrupting sales: here at once, and at a gateway as soon as it has fetched it.',
    hr: 'Novi certifikat zamjenjuje dosadašnji bez prekida u radu: ovdje odmah, a na pristupniku čim ga preuzme.',
  },
  file: { en: 'Certificate file (.p12 or .pfx)', hr: 'Datoteka certifikata (.p12 ili .pfx)' },
  fileHint: { en: 'At most 256 KB.', hr: 'Najviše 256 KB.' },
  fileMissing: { en: 'Choose the certificate file.', hr: 'Odaberite datoteku certifikata.' },
  fileLarge: {
    en: 'The file is larger than 256 KB, so it is not a fiscal certificate. Choose another file.',
    hr: 'Datoteka je veća od 256 KB, pa nije fiskalni certifikat. Odaberite drugu datoteku.',
  },
  passphrase: { en: 'Passphrase of the file', hr: 'Lozinka datoteke' },
  passphraseHint: {
    en: 'Used once, to open the file. It is not stored.',
    hr: 'Koristi se samo jednom, za otvaranje datoteke. Ne sprema se.',
  },
  passphraseMissing: { en: 'Enter the passphrase of the file.', hr: 'Upišite lozinku datoteke.' },
  certLabel: { en: 'Name of the certificate', hr: 'Naziv certifikata' },
  certLabelHint: { en: 'For example: Fiscal 2027.', hr: 'Na primjer „Fina 2027”.' },
  again: {
    en: 'For your safety browsers remember neither the file nor the passphrase: choose the file and enter the passphrase again.',
    hr: 'Preglednik iz sigurnosnih razloga ne pamti datoteku ni lozinku: ponovno odaberite datoteku i upišite lozinku.',
  },
  targets: { en: 'Send to', hr: 'Odredište' },
  targetsHint: {
    en: 'A certificate is encrypted for the gateway it is sent to: only that gateway can open it.',
    hr: 'Certifikat se pristupniku šalje šifriran: može ga otvoriti samo on.',
  },
  targetHere: { en: 'to this server', hr: 'na ovaj poslužitelj' },
  targetMissing: { en: 'Choose this server or at least one gateway.', hr: 'Odaberite barem jedno odredište.' },
  rollout: { en: 'At the gateways', hr: 'Na pristupnicima' },
  state: { en: 'State', hr: 'Stanje' },
  statusIs: { en: (status: string) => `Company ${status}`, hr: (status: string) => `Tvrtka ${status}` },
  newestUsed: {
    en: (date: string) => `Certificate valid until ${date}`,
    hr: (date: string) => `Certifikat koji vrijedi do ${date}`,
  },
  reached: {
    en: (done: number, all: number) => `At ${done} of ${all} gateways.`,
    hr: (done: number, all: number) => `Na ${done} od ${all} pristupnika.`,
  },
  notTold: {
    en: (name: string) => `Gateway ${name}: nothing was sent that has reached it.`,
    hr: (name: string) => `Pristupnik ${name}: ništa nije poslano ili poslano ondje više ne vrijedi.`,
  },
  command: { en: 'Command', hr: 'Naredba' },
  resend: { en: 'Send to the gateways again', hr: 'Ponovno pošalji pristupnicima' },
  expiredUpload: {
    en: 'The certificate in this file has expired. Ask its issuer for a new one and upload that.',
    hr: 'Certifikat u ovoj datoteci je istekao. Zatražite novi od izdavatelja i učitajte ga.',
  },
  otherOib: {
    en: (oib: string) =>
      `The certificate was issued to another OIB. The company has the OIB ${oib}: choose the certificate issued to this OIB.`,
    hr: (oib: string) =>
      `Certifikat je izdan na drugi OIB. Tvrtka ima OIB ${oib}: odaberite certifikat koji glasi na njega.`,
  },
  monthEnd: { en: 'End of the month', hr: 'Kraj mjeseca' },
  month: { en: 'Month', hr: 'Mjesec' },
  closed: { en: 'Premises closed', hr: 'Zaključeni prostori' },
  noSales: { en: 'no invoices', hr: 'nema računa' },
  goesOn: { en: 'goes on', hr: 'u tijeku' },
  closedOf: { en: (n: number, of: number) => `${n} of ${of}`, hr: (n: number, of: number) => `${n} od ${of}` },
  withoutJir: { en: 'Without JIR', hr: 'Bez JIR-a' },
  missing: {
    without_jir: { en: (n: string) => `${n} can still get one`, hr: (n: string) => `${n} još ga može dobiti` },
    expired: { en: (n: string) => `${n} too late`, hr: (n: string) => `${n}, rok istekao` },
  },
  mailStates: MAIL_TEXTS.mailStates,
  sent: { en: 'Closings mailed', hr: 'Zaključci poslani e-poštom' },
  history: { en: 'History of certificates', hr: 'Povijest certifikata' },
  historyNone: { en: 'No certificate has been uploaded yet.', hr: 'Još nije učitan nijedan certifikat.' },
  issuer: { en: 'Issuer', hr: 'Izdavatelj' },
  serial: { en: 'Serial number', hr: 'Serijski broj' },
  until: { en: 'Valid until', hr: 'Vrijedi do' },
  uploaded: { en: 'Uploaded', hr: 'Učitan' },
  used: { en: 'Used by', hr: 'Koristi ga' },
  usedBy: {
    en: (gateways: number, here: boolean) =>
      [...(here ? ['this machine'] : []), ...(gateways > 0 ? [`gateways: ${gateways}`] : [])].join(', ') || 'nobody',
    hr: (gateways: number, here: boolean) =>
      [...(here ? ['ovo računalo'] : []), ...(gateways > 0 ? [`pristupnici: ${gateways}`] : [])].join(', ') || 'nitko',
  },
  revoke: { en: 'Mark as revoked', hr: 'Označi kao opozvan' },
  revokeHint: {
    en: 'Only when its issuer has revoked it, or its key was stolen.',
    hr: 'Samo ako je izdavatelj certifikat opozvao ili je ključ ukraden.',
  },
  revokeConfirm: {
    en: (name: string) =>
      `Mark the certificate “${name}” as revoked? It will never be used again, and without another one the company cannot issue invoices.`,
    hr: (name: string) =>
      `Označiti certifikat „${name}” kao opozvan? Više se neće moći koristiti, a bez drugog certifikata tvrtka ne može izdavati račune.`,
  },
  modeTest: {
    en: 'The company is in test mode. Its invoices are sent to the test service of the tax authority and are not real.',
    hr: 'Tvrtka je u testnom radu. Računi se šalju testnoj usluzi Porezne uprave i nisu pravi.',
  },
  modeLive: {
    en: 'The company is in live mode. Every invoice is real and is reported to the tax authority.',
    hr: 'Tvrtka je u stvarnom radu. Svaki je račun pravi i šalje se Poreznoj upravi.',
  },
  goLive: { en: 'Switch to live mode', hr: 'Prebaci u stvarni rad' },
  goLiveConfirm: {
    en: (name: string) =>
      `Switch ${name} to live mode? From then on every invoice is real and is reported to the tax authority.`,
    hr: (name: string) =>
      `Prebaciti tvrtku ${name} u stvarni rad? Od tada je svaki račun pravi i šalje se Poreznoj upravi.`,
  },
  goTest: { en: 'Back to test mode', hr: 'Vrati u testni rad' },
  goTestConfirm: {
    en: (name: string) =>
      `Switch ${name} back to test mode? From then on its invoices are for testing only and do not count.`,
    hr: (name: string) =>
      `Vratiti tvrtku ${name} u testni rad? Od tada računi više nisu pravi: šalju se samo testnoj usluzi.`,
  },
  checklist: { en: 'What is needed before live mode', hr: 'Što treba prije stvarnog rada' },
  checks: {
    certificateOk: { en: 'The certificate can be used in live mode.', hr: 'Certifikat vrijedi za stvarni rad.' },
    certificateNotLive: {
      en: 'The uploaded certificate cannot be used in live mode, for example because it is a demo certificate. Upload the production certificate; you can do that now.',
      hr: 'Učitani certifikat ne vrijedi za stvarni rad, na primjer zato što je demo certifikat. Učitajte produkcijski certifikat; to možete već sada.',
    },
    isuOk: { en: 'Every active device has its ISU number.', hr: 'Svi aktivni uređaji imaju ISU broj.' },
    isuNone: { en: 'The company has no active device yet.', hr: 'Tvrtka još nema aktivnih uređaja.' },
    isuMissing: {
      en: (n: number) =>
        `Active devices without a correct ISU number: ${n}. Invoices of such devices cannot get a JIR.`,
      hr: (n: number) =>
        `${n} ${plural(n, 'aktivan uređaj nema', 'aktivna uređaja nemaju', 'aktivnih uređaja nema')} ispravan ISU broj. Bez njega računi ne mogu dobiti JIR.`,
    },
    keysOk: { en: 'There is an API key for live mode.', hr: 'Postoji API ključ za stvarni rad.' },
    keysMissing: {
      en: 'There is no API key for live mode. In live mode, keys for test mode do not work for this company: make new ones and enter them on the devices.',
      hr: 'Nema API ključa za stvarni rad. U stvarnom radu ključevi za testni rad ne vrijede za ovu tvrtku: izradite nove i upišite ih u uređaje.',
    },
    seatOk: { en: 'The registered address of the company is entered.', hr: 'Sjedište tvrtke je upisano.' },
    seatMissing: {
      en: 'The registered address of the company is missing, and it is printed on receipts.',
      hr: 'Sjedište tvrtke nije upisano, a ispisuje se na računu.',
    },
    vatOk: { en: 'The default VAT rate is set.', hr: 'Zadana stopa PDV-a je postavljena.' },
    vatMissing: {
      en: 'The default VAT rate is not set. If the devices send no VAT, invoices will show no VAT.',
      hr: 'Zadana stopa PDV-a nije postavljena. Ako uređaji ne šalju PDV, računi ga neće imati.',
    },
    must: { en: 'required', hr: 'obavezno' },
    should: { en: 'recommended', hr: 'preporučeno' },
    done: { en: 'fine', hr: 'u redu' },
    toAdd: { en: 'Add a device', hr: 'Dodaj uređaj' },
    toIsu: { en: 'Enter ISU numbers', hr: 'Upiši ISU brojeve' },
    toKeys: { en: 'Make a key', hr: 'Izradi ključ' },
    toSeat: { en: 'Enter the address', hr: 'Upiši sjedište' },
    toVat: { en: 'Set the rate', hr: 'Postavi stopu' },
  },
  suspendConfirm: {
    en: (name: string, gateways: number) =>
      `Suspend ${name}? Its devices here stop selling at once.${told(gateways).en}`,
    hr: (name: string, gateways: number) =>
      `Obustaviti tvrtku ${name}? Njezini uređaji ovdje odmah prestaju prodavati.${told(gateways).hr}`,
  },
  archiveConfirm: {
    en: (name: string, gateways: number) =>
      `Archive ${name}? Its devices here stop selling at once; its invoices stay stored.${told(gateways).en}`,
    hr: (name: string, gateways: number) =>
      `Arhivirati tvrtku ${name}? Njezini uređaji ovdje odmah prestaju prodavati, a računi ostaju spremljeni.${told(gateways).hr}`,
  },
  activateConfirm: {
    en: (name: string, gateways: number) => `Activate ${name}? Its devices here can sell again.${told(gateways).en}`,
    hr: (name: string, gateways: number) =>
      `Aktivirati tvrtku ${name}? Njezini uređaji ovdje opet će moći prodavati.${told(gateways).hr}`,
  },
  onlyHere: {
    en: 'Gateways keep their own mode and their own settings of the company: change them there, too.',
    hr: 'Pristupnici imaju svoj rad (testni ili stvarni) i svoje postavke tvrtke: promijenite ih i ondje.',
  },
  id: { en: 'ID of the company in the API (company_id)', hr: 'Oznaka tvrtke u API-ju (company_id)' },
})
