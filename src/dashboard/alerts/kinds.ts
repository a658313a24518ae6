import type { AlertKind } from '../../domain/alert.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { inBoth, wordIn } from '../language.ts'

/** Kinds of alerts in few words, such as for a filter. */
const KINDS: Record<Language, Record<AlertKind, string>> = inBoth({
  unconfirmed_legal: {
    en: 'invoices unconfirmed past the legal deadline',
    hr: 'računi bez JIR-a nakon zakonskog roka',
  },
  unconfirmed_21: { en: 'invoices without JIR for 21 days', hr: 'računi bez JIR-a 21 dan' },
  unconfirmed_25: { en: 'invoices without JIR for 25 days', hr: 'računi bez JIR-a 25 dana' },
  unconfirmed_28: { en: 'invoices without JIR for 28 days', hr: 'računi bez JIR-a 28 dana' },
  invoices_expired: { en: 'expired invoices', hr: 'računi bez JIR-a, rok istekao' },
  invoices_failed: { en: 'refused invoices', hr: 'odbijeni računi' },
  answers_believed: { en: 'invoices can be sent again', hr: 'računi se mogu ponovno poslati' },
  sale_findings: { en: 'mistakes in sales of a device', hr: 'pogreške u računima uređaja' },
  isu_mismatch: { en: 'ISU number does not match', hr: 'ISU broj ne odgovara' },
  certificate_60: { en: 'certificate expires within 60 days', hr: 'certifikat istječe za manje od 60 dana' },
  certificate_30: { en: 'certificate expires within 30 days', hr: 'certifikat istječe za manje od 30 dana' },
  certificate_14: { en: 'certificate expires within 14 days', hr: 'certifikat istječe za manje od 14 dana' },
  certificate_7: { en: 'certificate expires within 7 days', hr: 'certifikat istječe za manje od 7 dana' },
  certificate_1: { en: 'certificate expires within one day', hr: 'certifikat istječe za manje od jednog dana' },
  certificate_expired: { en: 'certificate has expired', hr: 'certifikat je istekao' },
  cis_down: { en: 'tax authority cannot be reached', hr: 'Porezna uprava nije dostupna' },
  printer_error: { en: 'printer does not print', hr: 'pisač ne ispisuje' },
  printer_out_of_paper: { en: 'printer is out of paper', hr: 'pisač je bez papira' },
  printer_paper_low: { en: 'paper of a printer is near its end', hr: 'papir u pisaču je pri kraju' },
  disk_short: { en: 'disk nearly full', hr: 'malo mjesta na disku' },
  disk_slow: { en: 'slow memory card or disk', hr: 'spora memorijska kartica ili disk' },
  clock_untrusted: { en: 'clock cannot be relied on', hr: 'sat nije pouzdan' },
  address_missing: { en: 'network address is missing', hr: 'računalo više nema svoju mrežnu adresu' },
  number_far_ahead: { en: 'invoice number far too high', hr: 'račun s prevelikim brojem' },
  numbers_used_up: { en: 'invoice numbers nearly used up', hr: 'brojevi računa gotovo su iskorišteni' },
  numbers_of_future: { en: 'invoice numbers of a future year', hr: 'brojevi računa buduće godine' },
  backup_overdue: { en: 'backup overdue', hr: 'nema novije sigurnosne kopije' },
  gateway_silent: { en: 'gateway is silent', hr: 'pristupnik se ne javlja' },
  command_lapsed: { en: 'expired command to a gateway', hr: 'istekla naredba pristupniku' },
  gateway_duplicated: {
    en: 'two computers use the identity of a gateway',
    hr: 'dva računala predstavljaju se kao isti pristupnik',
  },
  sync_refused: { en: 'refused records of a gateway', hr: 'odbijeni zapisi pristupnika' },
  fleet_conflict: { en: 'same name or ISU number on several devices', hr: 'isti naziv ili ISU broj na više uređaja' },
  machine_silent: {
    en: 'device has sold nothing for an unusually long time',
    hr: 'uređaj neuobičajeno dugo ne prodaje',
  },
  numbers_doubtful: { en: 'doubtful invoice numbers', hr: 'dvojbeni brojevi računa' },
  records_lost: { en: 'the memory card has lost records', hr: 'memorijska kartica izgubila je podatke' },
  sales_lost: { en: 'the database lacks issued invoices', hr: 'baza podataka nema već izdane račune' },
  issued_record: { en: 'the record of issued invoices is not reliable', hr: 'zapis o izdanim računima nije pouzdan' },
  machine_changed: { en: 'card or disk in another computer', hr: 'kartica ili disk u drugom računalu' },
  sign_ins_failed: { en: 'many failed sign-ins', hr: 'mnogo neuspjelih prijava' },
  closings_not_mailed: { en: 'closings were not sent by e-mail', hr: 'zaključci nisu poslani e-poštom' },
  mail_failed: { en: 'e-mails cannot be sent', hr: 'e-pošta se ne može poslati' },
})

export const alertKind = (kind: string, language: Language): string => wordIn(KINDS[language], kind)
