import { plural } from '../language.ts'
import { one, racuna } from './counted.ts'

const uredjaja = (n: number) => plural(n, 'uređaj', 'uređaja', 'uređaja')

/** What has to be done, each with what to do about it. */
export const TASK_TEXTS = {
  expired_hr: (n: number, s: string) =>
    `${s} ${racuna(n)} ${plural(n, 'nije dostavljen', 'nisu dostavljena', 'nije dostavljeno')} Poreznoj upravi u roku od 30 dana.`,
  expired_en: (n: number, s: string) =>
    `${s} ${one(n, 'invoice has', 'invoices have')} not been confirmed by the tax authority within 30 days.`,
  expiredDo_hr: 'Otvorite popis i dogovorite s knjigovođom kako prijaviti prodaju.',
  expiredDo_en: 'View the expired invoices, and ask your accountant how to report such sales.',
  believedAgain_hr: (n: number, s: string) =>
    `Odgovorima Porezne uprave opet se može vjerovati, a ${s} ${racuna(n)} ${plural(n, 'čeka ponovno slanje', 'čekaju ponovno slanje', 'čeka ponovno slanje')}.`,
  believedAgain_en: (n: number, s: string) =>
    `The answers of the tax authority can be trusted again, and ${s} ${one(n, 'invoice waits', 'invoices wait')} to be sent again.`,
  believedAgainDo_hr: 'Pošalji sve ponovno',
  believedAgainDo_en: 'Send all again',
  failed_hr: (n: number, s: string) => `Porezna uprava nije prihvatila ${s} ${racuna(n)}.`,
  failed_en: (n: number, s: string) => `The tax authority has not accepted ${s} ${one(n, 'invoice', 'invoices')}.`,
  failedWhy_hr: (cause: string) => `Uzrok: ${cause}.`,
  failedWhy_en: (cause: string) => `Cause: ${cause}.`,
  failedDo_hr: 'Pogledajte uzrok, otklonite ga i ponovno pošaljite račune.',
  failedDo_en: 'View the cause, remove it, then choose “Send all again”.',
  day_28_hr: (n: number, s: string) =>
    `${s} ${racuna(n)} bez JIR-a 28 dana ili dulje. Nakon 30 dana Porezna uprava više ne prima račune.`,
  day_28_en: (n: number, s: string) =>
    `${s} ${one(n, 'invoice', 'invoices')} without JIR for 28 days or longer. After 30 days the tax authority no longer accepts an invoice.`,
  day_25_hr: (n: number, s: string) => `${s} ${racuna(n)} bez JIR-a 25 dana ili dulje.`,
  day_25_en: (n: number, s: string) => `${s} ${one(n, 'invoice', 'invoices')} without JIR for 25 days or longer.`,
  day_21_hr: (n: number, s: string) => `${s} ${racuna(n)} bez JIR-a 21 dan ili dulje.`,
  day_21_en: (n: number, s: string) => `${s} ${one(n, 'invoice', 'invoices')} without JIR for 21 days or longer.`,
  legal_hr: (n: number, s: string) => `${s} ${racuna(n)} bez JIR-a dulje od zakonskog roka (dva radna dana).`,
  legal_en: (n: number, s: string) =>
    `${s} ${one(n, 'invoice', 'invoices')} without JIR for longer than the law allows (two working days).`,
  waitingDo_hr: 'Pogledajte zašto još nema JIR-a.',
  waitingDo_en: 'View the invoices and the reasons.',
  certificateEnds_hr: (company: string, days: number) =>
    days <= 0
      ? `Certifikat tvrtke ${company} istječe u sljedeća 24 sata.`
      : `Certifikat tvrtke ${company} istječe za ${days} ${plural(days, 'dan', 'dana', 'dana')}.`,
  certificateEnds_en: (company: string, days: number) =>
    days <= 0
      ? `The certificate of ${company} expires within 24 hours.`
      : `The certificate of ${company} expires in ${days} ${one(days, 'day', 'days')}.`,
  certificateEnded_hr: (company: string) => `Certifikat tvrtke ${company} je istekao.`,
  certificateEnded_en: (company: string) => `The certificate of ${company} has expired.`,
  certificateGone_hr: (company: string) => `Tvrtka ${company} nema certifikat.`,
  certificateGone_en: (company: string) => `${company} has no certificate.`,
  certificateDo_hr: 'Zatražite novi certifikat i učitajte ga.',
  certificateDo_en: 'Order a new certificate and upload it.',
  paper_hr: (device: string) => `U pisaču uređaja ${device} nema papira.`,
  paper_en: (device: string) => `The printer of ${device} is out of paper.`,
  paperDo_hr: 'Umetnite novu rolu.',
  paperDo_en: 'Load a new roll.',
  printer_hr: (device: string) => `Pisač uređaja ${device} ne ispisuje.`,
  printer_en: (device: string) => `The printer of ${device} does not print.`,
  printerDo_hr: 'Provjerite poklopac, papir, kabel i napajanje.',
  printerDo_en: 'Check its cover, paper, cable and power.',
  gatewaySilent_hr: (name: string, since: string) =>
    `Pristupnik ${name} ne javlja se (posljednje javljanje: ${since}).`,
  gatewaySilent_en: (name: string, since: string) => `The gateway ${name} is silent (last report: ${since}).`,
  gatewaySilentDo_hr: 'Provjerite ima li pristupnik struje i internetske veze.',
  gatewaySilentDo_en: 'Check its power and its internet connection.',
  gatewayDuplicated_hr: (name: string) => `Dva računala predstavljaju se kao pristupnik ${name}.`,
  gatewayDuplicated_en: (name: string) => `Two computers use the identity of the gateway ${name}.`,
  gatewayDuplicatedDo_hr: 'Isključite jedno od njih, a za drugo izradite novi token.',
  gatewayDuplicatedDo_en: 'Switch one of them off, and make a new token for the other.',
  gatewayStopped_hr: (name: string) => `Na pristupniku ${name} prodaja nije moguća.`,
  gatewayStopped_en: (name: string) => `The gateway ${name} reports that it cannot sell.`,
  gatewayStoppedDo_hr: 'Pogledajte što sprječava prodaju.',
  gatewayStoppedDo_en: 'See what prevents it.',
  alerts_hr: (n: number, s: string) =>
    `${s} ${plural(n, 'hitno upozorenje', 'hitna upozorenja', 'hitnih upozorenja')} ${plural(n, 'još nije potvrđeno', 'još nisu potvrđena', 'još nije potvrđeno')}.`,
  alerts_en: (n: number, s: string) => `${s} urgent ${one(n, 'alert has', 'alerts have')} not been acknowledged.`,
  alertsDo_hr: 'Otvorite stranicu Upozorenja.',
  alertsDo_en: 'Open the page Alerts.',
  clock_hr: 'Sat ovog računala nije pouzdan.',
  clock_en: 'The clock of this computer cannot be relied on.',
  clockDo_hr: 'Zamolite tehničara da uključi usklađivanje vremena (NTP).',
  clockDo_en: 'Have your technician switch on time synchronisation (NTP).',
  disk_hr: 'Na disku ovog računala gotovo nema mjesta.',
  disk_en: 'The disk of this computer is nearly full.',
  diskDo_hr: 'Zamolite tehničara da oslobodi prostor: kad se disk napuni, prodaja staje.',
  diskDo_en: 'Have your technician free some space: when the disk is full, sales stop.',
  withoutIsu_hr: (n: number, s: string) =>
    `${s} ${uredjaja(n)} na pristupnicima ${plural(n, 'nema', 'nemaju', 'nema')} ISU broj.`,
  withoutIsu_en: (n: number, s: string) =>
    `${s} ${one(n, 'device of a gateway has', 'devices of gateways have')} no ISU number.`,
  withoutIsuDo_hr: 'Potrebna je prijava u ePoreznoj, a zatim upis dodijeljenog ISU broja.',
  withoutIsuDo_en: 'Register each device in ePorezna and enter its ISU number.',
}
