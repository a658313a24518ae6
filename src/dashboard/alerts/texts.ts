import { inBoth } from '../language.ts'
import { MAIL_TEXTS } from '../shared-texts.ts'

export const texts = inBoth({
  title: { en: 'Alerts', hr: 'Upozorenja' },
  about: {
    en: 'What is wrong and what to do about it. Most alerts close automatically once their cause is removed.',
    hr: 'Što nije u redu i što treba učiniti. Kad se uzrok otkloni, upozorenje se u pravilu zatvara automatski.',
  },
  states: {
    open: { en: 'Open', hr: 'Otvorena' },
    acknowledged: { en: 'Acknowledged', hr: 'Viđena' },
    resolved: { en: 'Resolved', hr: 'Riješena' },
  },
  stateIs: {
    open: { en: 'open', hr: 'otvoreno' },
    acknowledged: { en: 'acknowledged', hr: 'viđeno' },
    resolved: { en: 'resolved', hr: 'riješeno' },
  },
  statesMean: {
    open: { en: 'Nobody has acknowledged them yet.', hr: 'Nitko ih još nije primio na znanje.' },
    acknowledged: {
      en: 'A user has acknowledged them, but the cause remains.',
      hr: 'Netko zna za njih, ali uzrok još traje.',
    },
    resolved: { en: 'The cause is gone.', hr: 'Uzroka više nema.' },
  },
  severities: {
    urgent: { en: 'urgent', hr: 'hitno' },
    warning: { en: 'warning', hr: 'upozorenje' },
    info: { en: 'notice', hr: 'obavijest' },
  },
  kind: { en: 'Kind', hr: 'Vrsta' },
  none: {
    open: { en: 'There are no open alerts. Everything is fine.', hr: 'Nema otvorenih upozorenja. Sve je u redu.' },
    acknowledged: { en: 'There are no acknowledged alerts.', hr: 'Nema viđenih upozorenja.' },
    resolved: { en: 'There are no resolved alerts.', hr: 'Nema riješenih upozorenja.' },
  },
  acknowledgedBy: { en: 'Acknowledged by', hr: 'Vidio korisnik' },
  recordId: { en: 'Record ID', hr: 'Oznaka zapisa' },
  since: { en: 'Since', hr: 'Od' },
  severity: { en: 'Severity', hr: 'Važnost' },
  what: { en: 'What is wrong', hr: 'Što nije u redu' },
  todo: { en: 'What to do', hr: 'Što učiniti' },
  state: { en: 'State', hr: 'Stanje' },
  gateway: { en: 'Gateway', hr: 'Pristupnik' },
  acknowledge: { en: 'Acknowledge', hr: 'Primam na znanje' },
  acknowledgeHint: {
    en: 'Other users see that you take care of the alert, and no more e-mails are sent about it.',
    hr: 'Drugi će vidjeti da ste upozorenje preuzeli, a e-poruke o njemu više neće stizati.',
  },
  acknowledgeEnds: { en: 'Acknowledging closes this alert.', hr: 'Time se ovo upozorenje zatvara.' },
  extend: { en: 'Extend the deadline to five working days', hr: 'Produlji rok na pet radnih dana' },
  extendHint: {
    en: 'Only where equipment has to be replaced or the provider is at fault. The reason stays in the audit log.',
    hr: 'Samo ako treba zamijeniti opremu ili je za prekid odgovoran davatelj usluge. Razlog ostaje u zapisniku.',
  },
  reason: { en: 'Reason', hr: 'Razlog' },
  acknowledged: { en: 'Acknowledged', hr: 'Viđeno' },
  by: { en: (who: string) => `by ${who}`, hr: (who: string) => `vidio korisnik ${who}` },
  resolved: { en: 'Resolved', hr: 'Riješeno' },
  told: { en: 'Sent by e-mail', hr: 'Poslano e-poštom' },
  mails: MAIL_TEXTS.mailStates,
  sendAgain: { en: 'Send all again', hr: 'Pošalji sve ponovno' },
  invoice: { en: (n: number) => `Invoice ${n}`, hr: (n: number) => `${n}. račun` },
  device: { en: 'Device', hr: 'Uređaj' },
  silentDevices: {
    en: 'All devices that have sold nothing for an unusually long time',
    hr: 'Svi uređaji neuobičajeno dugo bez prodaje',
  },
  company: { en: 'Company and its certificate', hr: 'Tvrtka i njezin certifikat' },
  schedules: { en: 'Regular mailing of closings', hr: 'Redovito slanje zaključaka' },
  overview: { en: 'Overview', hr: 'Pregled' },
})
