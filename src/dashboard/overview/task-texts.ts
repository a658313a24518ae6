import { one, plural, racuna } from '../language.ts'

const uredjaja = (n: number) => plural(n, 'uređaj', 'uređaja', 'uređaja')

/** What has to be done, each with what to do about it. */
export const TASK_TEXTS = {
  expired: {
    en: (n: number, s: string) =>
      `${s} ${one(n, 'invoice has', 'invoices have')} not been confirmed by the tax authority within 30 days.`,
    hr: (n: number, s: string) =>
      `${s} ${racuna(n)} ${plural(n, 'nije dostavljen', 'nisu dostavljena', 'nije dostavljeno')} Poreznoj upravi u roku od 30 dana.`,
  },
  expiredDo: {
    en: 'View the expired invoices, and ask your accountant how to report such sales.',
    hr: 'Otvorite popis i dogovorite s knjigovođom kako prijaviti prodaju.',
  },
  believedAgain: {
    en: (n: number, s: string) =>
      `The answers of the tax authority can be trusted again, and ${s} ${one(n, 'invoice waits', 'invoices wait')} to be sent again.`,
    hr: (n: number, s: string) =>
      `Odgovorima Porezne uprave opet se može vjerovati, a ${s} ${racuna(n)} ${plural(n, 'čeka ponovno slanje', 'čekaju ponovno slanje', 'čeka ponovno slanje')}.`,
  },
  believedAgainDo: { en: 'Send all again', hr: 'Pošalji sve ponovno' },
  failed: {
    en: (n: number, s: string) => `The tax authority has not accepted ${s} ${one(n, 'invoice', 'invoices')}.`,
    hr: (n: number, s: string) => `Porezna uprava nije prihvatila ${s} ${racuna(n)}.`,
  },
  failedWhy: { en: (cause: string) => `Cause: ${cause}.`, hr: (cause: string) => `Uzrok: ${cause}.` },
  failedDo: {
    en: 'View the cause, remove it, then choose “Send all again”.',
    hr: 'Pogledajte uzrok, otklonite ga i ponovno pošaljite račune.',
  },
  day_28: {
    en: (n: number, s: string) =>
      `${s} ${one(n, 'invoice', 'invoices')} without JIR for 28 days or longer. After 30 days the tax authority no longer accepts an invoice.`,
    hr: (n: number, s: string) =>
      `${s} ${racuna(n)} bez JIR-a 28 dana ili dulje. Nakon 30 dana Porezna uprava više ne prima račune.`,
  },
  day_25: {
    en: (n: number, s: string) => `${s} ${one(n, 'invoice', 'invoices')} without JIR for 25 days or longer.`,
    hr: (n: number, s: string) => `${s} ${racuna(n)} bez JIR-a 25 dana ili dulje.`,
  },
  day_21: {
    en: (n: number, s: string) => `${s} ${one(n, 'invoice', 'invoices')} without JIR for 21 days or longer.`,
    hr: (n: number, s: string) => `${s} ${racuna(n)} bez JIR-a 21 dan ili dulje.`,
  },
  older: {
    en: (n: number, s: string) => `${s} ${one(n, 'invoice', 'invoices')} without JIR for more than two working days.`,
    hr: (n: number, s: string) => `${s} ${racuna(n)} bez JIR-a dulje od dva radna dana.`,
  },
  waitingDo: { en: 'View the invoices and the reasons.', hr: 'Pogledajte zašto još nema JIR-a.' },
  certificateEnds: {
    en: (company: string, days: number) =>
      days <= 0
        ? `The certificate of ${company} expires within 24 hours.`
        : `The certificate of ${company} expires in ${days} ${one(days, 'day', 'days')}.`,
    hr: (company: string, days: number) =>
      days <= 0
        ? `Certifikat tvrtke ${company} istječe u sljedeća 24 sata.`
        : `Certifikat tvrtke ${company} istječe za ${days} ${plural(days, 'dan', 'dana', 'dana')}.`,
  },
  certificateEnded: {
    en: (company: string) => `The certificate of ${company} has expired.`,
    hr: (company: string) => `Certifikat tvrtke ${company} je istekao.`,
  },
  certificateGone: {
    en: (company: string) => `${company} has no certificate.`,
    hr: (company: string) => `Tvrtka ${company} nema certifikat.`,
  },
  certificateDo: { en: 'Order a new certificate and upload it.', hr: 'Zatražite novi certifikat i učitajte ga.' },
  paper: {
    en: (device: string) => `The printer of ${device} is out of paper.`,
    hr: (device: string) => `U pisaču uređaja ${device} nema papira.`,
  },
  paperDo: { en: 'Load a new roll.', hr: 'Umetnite novu rolu.' },
  printer: {
    en: (device: string) => `The printer of ${device} does not print.`,
    hr: (device: string) => `Pisač uređaja ${device} ne ispisuje.`,
  },
  printerDo: { en: 'Check its cover, paper, cable and power.', hr: 'Provjerite poklopac, papir, kabel i napajanje.' },
  gatewaySilent: {
    en: (name: string, since: string) => `The gateway ${name} is silent (last report: ${since}).`,
    hr: (name: string, since: string) => `Pristupnik ${name} ne javlja se (posljednje javljanje: ${since}).`,
  },
  gatewaysSilent: {
    en: (_n: number, s: string) => `${s} gateways are silent.`,
    hr: (n: number, s: string) =>
      `${s} ${plural(n, 'pristupnik', 'pristupnika', 'pristupnika')} ne ${plural(n, 'javlja', 'javljaju', 'javlja')} se.`,
  },
  gatewaySilentDo: {
    en: 'Check its power and its internet connection.',
    hr: 'Provjerite ima li ondje struje i interneta.',
  },
  gatewayDuplicated: {
    en: (name: string) => `Two computers use the identity of the gateway ${name}.`,
    hr: (name: string) => `Dva računala predstavljaju se kao pristupnik ${name}.`,
  },
  gatewayDuplicatedDo: {
    en: 'Switch one of them off, and make a new token for the other.',
    hr: 'Isključite jedno od njih, a za drugo izradite novi token.',
  },
  firstGateway: {
    en: 'No gateway is enrolled yet. This server collects what gateways sell.',
    hr: 'Još nije prijavljen nijedan pristupnik. Ovaj poslužitelj prikuplja njihove račune.',
  },
  firstGatewayDo: { en: 'Add the first gateway.', hr: 'Dodajte prvi pristupnik.' },
  alerts: {
    en: (n: number, s: string) => `${s} urgent ${one(n, 'alert has', 'alerts have')} not been acknowledged.`,
    hr: (n: number, s: string) =>
      `${s} ${plural(n, 'hitno upozorenje', 'hitna upozorenja', 'hitnih upozorenja')} ${plural(n, 'još nije potvrđeno', 'još nisu potvrđena', 'još nije potvrđeno')}.`,
  },
  alertsDo: { en: 'Open the page Alerts.', hr: 'Otvorite stranicu Upozorenja.' },
  clock: { en: 'The clock of this computer cannot be relied on.', hr: 'Sat ovog računala nije pouzdan.' },
  clockDo: {
    en: 'Have your technician switch on time synchronisation (NTP).',
    hr: 'Zamolite tehničara da uključi usklađivanje vremena (NTP).',
  },
  disk: { en: 'The disk of this computer is nearly full.', hr: 'Na disku ovog računala gotovo nema mjesta.' },
  diskDo: {
    en: 'Have your technician free some space: when the disk is full, sales stop.',
    hr: 'Zamolite tehničara da oslobodi prostor: kad se disk napuni, prodaja staje.',
  },
  stopped: {
    en: (n: number, s: string) => `${s} ${one(n, 'device has', 'devices have')} stopped selling.`,
    hr: (n: number, s: string) => `${s} ${uredjaja(n)} ${plural(n, 'je stao', 'su stala', 'je stalo')}.`,
  },
  stoppedDo: { en: 'See why, and send somebody.', hr: 'Pogledajte zašto i koga poslati.' },
  paperOut: {
    en: (n: number, s: string) => `${s} ${one(n, 'device is', 'devices are')} out of paper.`,
    hr: (n: number, s: string) => `${s} ${uredjaja(n)} bez papira.`,
  },
  withoutIsu: {
    en: (n: number, s: string) => `${s} ${one(n, 'device lacks', 'devices lack')} a correct ISU number.`,
    hr: (n: number, s: string) => `${s} ${uredjaja(n)} bez ispravnog ISU broja.`,
  },
  withoutIsuDo: {
    en: 'Register each device in ePorezna and enter its ISU number.',
    hr: 'Potrebna je prijava u ePoreznoj, a zatim upis dodijeljenog ISU broja.',
  },
}
