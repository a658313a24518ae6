import { plural } from '../language.ts'

const devices = {
  en: (n: number, s: string) => `${s} ${n === 1 ? 'device' : 'devices'}`,
  hr: (n: number, s: string) => `${s} ${plural(n, 'uređaj', 'uređaja', 'uređaja')}`,
}

/** What has to be done. `...Note`: what else is known of it, or what to do about it. */
export const TASK_TEXTS = {
  expired: { en: 'Invoices without JIR, expired', hr: 'Računi bez JIR-a, rok istekao' },
  expiredNote: {
    en: 'Ask your accountant how to report such sales',
    hr: 'Dogovorite s knjigovođom kako prijaviti prodaju',
  },
  believedAgain: { en: 'Invoices to be sent again', hr: 'Računi za ponovno slanje' },
  believedAgainNote: {
    en: 'The answers of the tax authority can be trusted again',
    hr: 'Odgovorima Porezne uprave opet se može vjerovati',
  },
  believedAgainDo: { en: 'Send all again', hr: 'Pošalji sve ponovno' },
  failed: { en: 'Refused invoices', hr: 'Računi odbijeni' },
  failedNote: { en: 'Of several causes', hr: 'Iz više uzroka' },
  day_28: { en: 'Invoices without JIR for 28 days or longer', hr: 'Računi bez JIR-a 28 dana ili dulje' },
  day_28Note: {
    en: 'After 30 days the tax authority no longer accepts an invoice',
    hr: 'Nakon 30 dana Porezna uprava više ne prima račune',
  },
  day_25: { en: 'Invoices without JIR for 25 days or longer', hr: 'Računi bez JIR-a 25 dana ili dulje' },
  day_21: { en: 'Invoices without JIR for 21 days or longer', hr: 'Računi bez JIR-a 21 dan ili dulje' },
  older: { en: 'Invoices without JIR for more than two working days', hr: 'Računi bez JIR-a dulje od dva radna dana' },
  waitingNote: { en: 'See why they have no JIR yet', hr: 'Pogledajte zašto još nema JIR-a' },
  certificateEnds: {
    en: (company: string, days: number) =>
      days <= 0
        ? `The certificate of ${company} expires within 24 hours`
        : `The certificate of ${company} expires in ${days} ${days === 1 ? 'day' : 'days'}`,
    hr: (company: string, days: number) =>
      days <= 0
        ? `Certifikat tvrtke ${company} istječe u sljedeća 24 sata`
        : `Certifikat tvrtke ${company} istječe za ${days} ${plural(days, 'dan', 'dana', 'dana')}`,
  },
  certificateEnded: {
    en: (company: string) => `The certificate of ${company} has expired`,
    hr: (company: string) => `Certifikat tvrtke ${company} je istekao`,
  },
  certificateGone: {
    en: (company: string) => `${company} has no certificate`,
    hr: (company: string) => `Tvrtka ${company} nema certifikat`,
  },
  certificateNote: { en: 'Order a new certificate and upload it', hr: 'Zatražite novi certifikat i učitajte ga' },
  paper: {
    en: (device: string) => `The printer of ${device} is out of paper`,
    hr: (device: string) => `U pisaču uređaja ${device} nema papira`,
  },
  paperNote: { en: 'Load a new roll', hr: 'Umetnite novu rolu' },
  printer: {
    en: (device: string) => `The printer of ${device} does not print`,
    hr: (device: string) => `Pisač uređaja ${device} ne ispisuje`,
  },
  printerNote: { en: 'Check its cover, paper, cable and power', hr: 'Provjerite poklopac, papir, kabel i napajanje' },
  gatewaysSilent: { en: 'Gateways are silent', hr: 'Pristupnici se ne javljaju' },
  gatewaysSilentNote: {
    en: (n: number, s: string, since: string) => `${devices.en(n, s)}; the longest since ${since}`,
    hr: (n: number, s: string, since: string) => `${devices.hr(n, s)}; najdulje od ${since}`,
  },
  gatewayDuplicated: {
    en: (name: string) => `Two computers use the identity of the gateway ${name}`,
    hr: (name: string) => `Dva računala predstavljaju se kao pristupnik ${name}`,
  },
  gatewayDuplicatedNote: {
    en: 'Switch one of them off, and make a new token for the other',
    hr: 'Isključite jedno od njih, a za drugo izradite novi token',
  },
  firstGateway: { en: 'No gateway is connected yet', hr: 'Još nije povezan nijedan pristupnik' },
  firstGatewayNote: {
    en: 'This server collects what gateways sell: add the first one',
    hr: 'Ovaj poslužitelj prikuplja njihove račune: dodajte prvi',
  },
  alerts: { en: 'Urgent alerts that nobody has taken up', hr: 'Hitna upozorenja koja još nisu viđena' },
  alertsNote: { en: 'See the page Alerts', hr: 'Otvorite stranicu Upozorenja' },
  clock: { en: 'The clock of this computer cannot be relied on', hr: 'Sat ovog računala nije pouzdan' },
  clockNote: {
    en: 'Have your technician switch on time synchronisation (NTP)',
    hr: 'Zamolite tehničara da uključi usklađivanje vremena (NTP)',
  },
  disk: { en: 'The disk of this computer is nearly full', hr: 'Na disku ovog računala gotovo nema mjesta' },
  diskNote: {
    en: 'Have your technician free some space: when the disk is full, sales stop',
    hr: 'Zamolite tehničara da oslobodi prostor: kad se disk napuni, prodaja staje',
  },
  stopped: { en: 'Devices have stopped', hr: 'Uređaji su stali' },
  stoppedNote: {
    en: (since: string) => `no sale for the longest: since ${since}`,
    hr: (since: string) => `najdulje bez prodaje: od ${since}`,
  },
  isu: { en: 'Devices without a correct ISU number', hr: 'Uređaji bez ispravnog ISU broja' },
  paperOut: { en: 'Devices out of paper', hr: 'Uređaji bez papira' },
}
