import { PART_NAMES } from '../../domain/texts/sale-texts.ts'
import { inBoth, one, plural } from '../language.ts'
import { LOOK_AT_GATEWAY, MAIL_TEXTS } from '../shared-texts.ts'

export const detailTexts = inBoth({
  title: { en: (number: string) => `Invoice ${number}`, hr: (number: string) => `Račun ${number}` },
  back: { en: 'To the list of invoices', hr: 'Na popis računa' },
  said: { en: 'Message of the tax authority:', hr: 'Poruka Porezne uprave:' },
  confirmed: { en: 'The tax authority has confirmed this invoice.', hr: 'Porezna uprava potvrdila je ovaj račun.' },
  confirmedAt: {
    en: (time: string) => `The tax authority confirmed this invoice on ${time}.`,
    hr: (time: string) => `Porezna uprava potvrdila je ovaj račun ${time}.`,
  },
  nothingToDo: { en: 'Everything is fine. There is nothing to do.', hr: 'Sve je u redu: ne treba učiniti ništa.' },
  nothingToDoLate: {
    en: 'It was delivered late. Everything is fine. There is nothing to do.',
    hr: 'Dostavljen je naknadno. Sve je u redu: ne treba učiniti ništa.',
  },
  nothingToSend: {
    en: 'The invoice stays as it is; below is what the tax authority will find in it.',
    hr: 'Račun se ne mijenja; u nastavku piše što će u njemu naći Porezna uprava.',
  },
  findings: { en: 'What the tax authority finds in this invoice', hr: 'Što Porezna uprava nalazi u ovom računu' },
  findingsAbout: {
    en: 'The invoice is valid, but the tax authority finds this when it analyses its data.',
    hr: 'Račun je valjan, ali Porezna uprava to naknadno otkriva.',
  },
  toCompany: { en: 'To the page of the company', hr: 'Na stranicu tvrtke' },
  pending: {
    en: 'The invoice is stored and is being sent to the tax authority right now.',
    hr: 'Račun je spremljen i upravo se šalje Poreznoj upravi.',
  },
  pendingNext: { en: 'Look again in a few seconds.', hr: 'Osvježite stranicu za nekoliko sekundi.' },
  expired: {
    en: (time: string) =>
      `The invoice got no JIR before its deadline, ${time}. The tax authority no longer accepts it.`,
    hr: (time: string) => `Račun nije dobio JIR, a rok je istekao ${time}. Porezna uprava ga više ne prima.`,
  },
  expiredNext: {
    en: 'The invoice stays stored. Ask your accountant or the tax office how to report the sale.',
    hr: 'Račun ostaje trajno spremljen. Dogovorite s knjigovođom ili nadležnom ispostavom Porezne uprave kako prijaviti prodaju.',
  },
  retrying: {
    en: 'The invoice has no JIR yet: the tax authority could not be reached, or could not answer.',
    hr: 'Račun još nema JIR: Porezna uprava nije bila dostupna ili nije mogla odgovoriti.',
  },
  sendsItself: {
    en: 'It is sent again automatically every few minutes, until it gets a JIR.',
    hr: 'Ponovno se šalje automatski svakih nekoliko minuta dok ne dobije JIR.',
  },
  sendsAtGateway: {
    en: (name: string) => `Gateway ${name} sends it again automatically every few minutes, until it gets a JIR.`,
    hr: (name: string) => `Pristupnik ${name} ponovno ga automatski šalje svakih nekoliko minuta dok ne dobije JIR.`,
  },
  silent: {
    en: (name: string, since: string) =>
      `Gateway ${name}, which sends this invoice, has been silent since ${since}. Until it reports again, it is not known whether the invoice was sent meanwhile.`,
    hr: (name: string, since: string) =>
      `Pristupnik ${name}, koji šalje ovaj račun, ne javlja se od ${since}. Dok se ne javi, nije poznato je li račun u međuvremenu poslan.`,
  },
  todoInTime: {
    own: {
      en: 'There is nothing to do. If it is urgent, choose “Send again”.',
      hr: 'Ne treba učiniti ništa. Ako je hitno, kliknite „Pošalji ponovno”.',
    },
    connected: { en: 'There is nothing to do.', hr: 'Ne treba učiniti ništa.' },
    silent: LOOK_AT_GATEWAY,
  },
  todoLate: {
    own: {
      en: 'Check whether this computer has an internet connection, and choose “Send again”. If the invoice still gets no JIR, call a technician.',
      hr: 'Provjerite ima li ovo računalo internetsku vezu i kliknite „Pošalji ponovno”. Ako račun ni tada ne dobije JIR, pozovite tehničara.',
    },
    connected: {
      en: 'Choose “Send again”. If the invoice still gets no JIR, call a technician.',
      hr: 'Kliknite „Pošalji ponovno”. Ako račun ni tada ne dobije JIR, pozovite tehničara.',
    },
    silent: {
      en: `${LOOK_AT_GATEWAY.en} If it stays silent, call a technician.`,
      hr: `${LOOK_AT_GATEWAY.hr} Ako se ne javi, pozovite tehničara.`,
    },
  },
  urgency: {
    day_25: { en: 'Less than five days are left.', hr: 'Do isteka roka preostalo je manje od pet dana.' },
    day_28: { en: 'Urgent: less than two days are left.', hr: 'Hitno: do isteka roka preostalo je manje od dva dana.' },
  },
  tooLateUnknown: {
    en: 'If the invoice was not sent in time, ask your accountant or the tax office how to report the sale.',
    hr: 'Ako račun nije poslan prije isteka roka, dogovorite s knjigovođom ili nadležnom ispostavom Porezne uprave kako prijaviti prodaju.',
  },
  pendingLast: {
    en: 'The invoice was being sent to the tax authority when its gateway last reported it.',
    hr: 'Račun se slao Poreznoj upravi kad je pristupnik posljednji put javio njegovo stanje.',
  },
  queued: {
    en: 'The invoice was put back into the queue and has not been sent again yet.',
    hr: 'Račun je vraćen u red i još nije ponovno poslan.',
  },
  receiptIsGood: {
    en: 'The receipt that the customer got is valid without a JIR, because it has the ZKI.',
    hr: 'Račun koji je kupac dobio valjan je i bez JIR-a jer sadrži ZKI.',
  },
  failedNext: {
    en: 'When you have removed the cause, choose “Send again”. The invoice is no longer sent automatically.',
    hr: 'Kad otklonite uzrok, kliknite „Pošalji ponovno”. Račun se više ne šalje automatski.',
  },
  legalUntil: {
    en: (date: string, days: string) => `The legal deadline to deliver it (${days}) is the end of ${date}.`,
    hr: (date: string, days: string) => `Zakonski rok za dostavu (${days}) istječe na kraju dana ${date}`,
  },
  legalOver: {
    en: (date: string, days: string) => `The legal deadline to deliver it (${days}) was ${date}.`,
    hr: (date: string, days: string) => `Zakonski rok za dostavu (${days}) istekao je ${date}`,
  },
  legalDays: {
    2: { en: 'two working days', hr: 'dva radna dana' },
    5: { en: 'five working days', hr: 'pet radnih dana' },
  },
  legalSince: {
    en: (date: string) => `It counts from the first day on which the tax authority was not reached: ${date}.`,
    hr: (date: string) => `Računa se od prvog dana kad Porezna uprava nije bila dostupna: ${date}`,
  },
  takenUntil: {
    en: (time: string) => `The tax authority accepts it until ${time} at the latest.`,
    hr: (time: string) => `Porezna uprava prima ga najkasnije do ${time}.`,
  },
  takenWas: {
    en: (time: string) => `The tax authority accepted it until ${time}.`,
    hr: (time: string) => `Porezna uprava mogla ga je primiti do ${time}.`,
  },
  toCertificates: { en: 'To the page Companies', hr: 'Na stranicu Tvrtke' },
  toDevice: { en: 'To the page of the device', hr: 'Na stranicu uređaja' },
  retry: { en: 'Send again', hr: 'Pošalji ponovno' },
  retryHint: { en: 'This may take about ten seconds.', hr: 'Može potrajati desetak sekundi.' },
  sending: { en: 'Sending …', hr: 'Šalje se …' },
  copy: { en: 'Print a copy', hr: 'Ispiši kopiju' },
  copyConfirm: {
    en: 'The printer of the device prints a copy of the receipt, marked as a copy.',
    hr: 'Pisač uređaja ispisat će kopiju računa s oznakom KOPIJA.',
  },
  noPrinter: {
    en: 'The device has no printer, so no copy can be printed. You can download the receipt as a picture.',
    hr: 'Za uređaj nije postavljen pisač, pa se kopija ne može ispisati. Račun možete preuzeti kao sliku.',
  },
  viaGateway: {
    en: (name: string) =>
      `Gateway ${name} issued this invoice, and only this gateway can send or print it. The button sends a command to the gateway, which carries it out as soon as it reports.`,
    hr: (name: string) =>
      `Ovaj je račun izdao pristupnik ${name} i samo ga on može poslati ili ispisati. Klikom na gumb šalje mu se naredba, koju izvršava čim se javi.`,
  },
  facts: { en: 'Data of the invoice', hr: 'Podaci o računu' },
  records: { en: 'Identifiers', hr: 'Oznake zapisa' },
  soldAt: { en: 'Sold at', hr: 'Vrijeme prodaje' },
  refund: { en: 'refund', hr: 'storno' },
  test: { en: 'Test sale: it does not count as an invoice.', hr: 'Testna prodaja: ne vrijedi kao račun.' },
  payment: { en: 'Payment method', hr: 'Način plaćanja' },
  device: { en: 'Device', hr: 'Uređaj' },
  premises: { en: 'Premises', hr: 'Poslovni prostor' },
  company: { en: 'Company', hr: 'Tvrtka' },
  gateway: { en: 'Issued by gateway', hr: 'Izdao pristupnik' },
  jirHint: { en: 'confirmation of the tax authority', hr: 'potvrda Porezne uprave' },
  noJir: { en: 'none yet', hr: 'još ga nema' },
  zkiHint: { en: 'security code of the issuer', hr: 'zaštitni kod izdavatelja' },
  attempts: { en: 'Sent', hr: 'Poslan' },
  times: {
    en: (n: number, count: string) => `${count} ${one(n, 'time', 'times')}`,
    hr: (n: number, count: string) => `${count} ${plural(n, 'put', 'puta', 'puta')}`,
  },
  operator: { en: 'OIB of the operator', hr: 'OIB operatera' },
  stornoOf: { en: 'Refund of invoice', hr: 'Storno računa' },
  recipient: { en: 'OIB of the buyer', hr: 'OIB kupca' },
  paragon: { en: 'Paper invoice no.', hr: 'Broj paragon računa' },
  purpose: { en: 'Special purpose', hr: 'Specifična namjena' },
  id: { en: 'Record ID', hr: 'Oznaka zapisa' },
  parts: { en: 'Parts of the amount and taxes', hr: 'Stavke iznosa i porezi' },
  part: { en: 'Part', hr: 'Stavka' },
  rate: { en: 'Rate', hr: 'Stopa' },
  base: { en: 'Base', hr: 'Osnovica' },
  tax: { en: 'Tax', hr: 'Porez' },
  amount: { en: 'Amount', hr: 'Iznos' },
  partNames: {
    ...PART_NAMES,
    vat: { en: 'VAT', hr: 'PDV' },
    fee: { en: 'Fee', hr: 'Naknada' },
  },
  receipt: { en: 'The receipt as printed', hr: 'Izgled računa' },
  ...MAIL_TEXTS,
  letterSubject: {
    en: (number: string) => `Copy of receipt ${number}`,
    hr: (number: string) => `Kopija računa ${number} / Copy of receipt ${number}`,
  },
  letter: {
    en: (number: string, time: string, total: string) =>
      `Please find attached the copy of receipt ${number} of ${time} for ${total}.`,
    hr: (number: string, time: string, total: string) =>
      `Poštovani, u privitku je kopija računa ${number}, izdanog ${time}, na iznos od ${total}.`,
  },
  pdf: { en: 'Download as PDF', hr: 'Preuzmi kao PDF' },
  picture: { en: 'Download as a picture', hr: 'Preuzmi kao sliku' },
  text: { en: 'Download as text', hr: 'Preuzmi kao tekst' },
  pictureOf: {
    en: (number: string) => `Picture of receipt ${number} as it is printed`,
    hr: (number: string) => `Slika ispisa računa ${number}`,
  },
  link: { en: 'Link for the customer', hr: 'Poveznica za kupca' },
  linkOpen: { en: 'Open the receipt', hr: 'Otvori račun' },
  linkWithdraw: { en: 'Withdraw the link', hr: 'Povuci poveznicu' },
  linkConfirm: {
    en: (number: string) =>
      `Withdraw the link to receipt ${number}? The customer can no longer open it, and this cannot be undone.`,
    hr: (number: string) =>
      `Povući poveznicu na račun ${number}? Kupac ga više neće moći otvoriti, a to se ne može poništiti.`,
  },
  linkStates: {
    open: { en: (date: string) => `It works until ${date}.`, hr: (date: string) => `Vrijedi do ${date}` },
    ended: { en: (at: string) => `It ended ${at}.`, hr: (at: string) => `Istekla je ${at}.` },
    withdrawn: { en: (at: string) => `It was withdrawn ${at}.`, hr: (at: string) => `Povučena je ${at}.` },
    archived: {
      en: 'It does not work, because the company is archived.',
      hr: 'Ne radi jer je tvrtka arhivirana.',
    },
  },
  prints: { en: 'Printed', hr: 'Ispisi' },
  original: { en: 'Original', hr: 'Izvornik' },
  copyNo: { en: (n: number) => `Copy ${n}`, hr: (n: number) => `Kopija ${n}` },
  notPrinted: { en: 'The receipt was not printed on this computer.', hr: 'Na ovom računalu račun nije ispisan.' },
  printStatuses: {
    queued: { en: 'waits for the printer', hr: 'čeka ispis' },
    sending: { en: 'being printed', hr: 'ispisuje se' },
    printed: { en: 'printed', hr: 'ispisano' },
    unconfirmed: {
      en: 'given to the printer or the device, without confirmation that it was printed',
      hr: 'predano pisaču ili uređaju, bez potvrde ispisa',
    },
    failed: { en: 'not printed', hr: 'nije ispisano' },
    expired: { en: 'not printed: the customer was no longer waiting', hr: 'nije ispisano: kupac više nije čekao' },
  },
  trail: { en: 'Messages to the tax authority', hr: 'Poruke Poreznoj upravi' },
  trailAbout: {
    en: 'Each time that this invoice was sent, with the answer, the latest first.',
    hr: 'Svako slanje ovog računa i odgovor na njega, najnovije prvo.',
  },
  noMessages: { en: 'No message has been sent yet.', hr: 'Još nije poslana nijedna poruka.' },
  noMessagesYet: {
    en: 'The gateway has not reported the messages of this invoice yet.',
    hr: 'Pristupnik još nije dostavio poruke o ovom računu.',
  },
  attempt: { en: 'Sent', hr: 'Slanje' },
  sentAt: { en: 'Time', hr: 'Vrijeme' },
  result: { en: 'Result', hr: 'Ishod' },
  took: { en: 'Duration', hr: 'Trajanje' },
  answerSignature: { en: 'Signature of the answer', hr: 'Potpis odgovora' },
  openMessage: { en: 'Show the message', hr: 'Prikaži poruku' },
  older: { en: 'Older messages', hr: 'Starije poruke' },
  gotJir: { en: 'Confirmed', hr: 'Potvrđeno' },
  couldNotAnswer: {
    en: 'The tax authority could not process the message.',
    hr: 'Porezna uprava nije mogla obraditi poruku.',
  },
  unproven: {
    en: 'It is not proven that the answer came from the tax authority.',
    hr: 'Za odgovor nije dokazano da dolazi od Porezne uprave.',
  },
  noAnswer: { en: 'No answer', hr: 'Nije bilo odgovora' },
  answered: { en: (status: number) => `Answer HTTP ${status}`, hr: (status: number) => `Odgovor HTTP ${status}` },
  messageTitle: {
    en: (n: number, number: string) => `Message no. ${n} about invoice ${number}`,
    hr: (n: number, number: string) => `Račun ${number}, slanje br. ${n}`,
  },
  request: { en: 'Sent', hr: 'Poslano' },
  response: { en: 'Answer', hr: 'Odgovor' },
  download: { en: 'Download in its original form', hr: 'Preuzmi u izvornom obliku' },
  notKept: {
    en: 'The content was not kept: it is kept only for the first messages and for the confirmation.',
    hr: 'Sadržaj nije spremljen: čuva se samo za prva slanja i za potvrdu.',
  },
  noResponse: { en: 'There was no answer.', hr: 'Odgovora nije bilo.' },
  shortened: {
    en: 'Only the beginning is shown. The file has the whole content.',
    hr: 'Prikazan je samo početak. Cijeli sadržaj je u datoteci.',
  },
  backToInvoice: { en: 'To the invoice', hr: 'Natrag na račun' },
})

export type DetailTexts = (typeof detailTexts)['hr']
