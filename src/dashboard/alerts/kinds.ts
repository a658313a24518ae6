import type { AlertKind } from '../../domain/alert.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { inBoth } from '../language.ts'

/** Kinds of alerts in few words, such as for a filter. */
const KINDS: Record<Language, Record<AlertKind, string>> = inBoth({
  unconfirmed_legal_hr: 'računi bez potvrde dulje od dva radna dana',
  unconfirmed_legal_en: 'invoices unconfirmed for more than two working days',
  unconfirmed_21_hr: 'računi bez potvrde 21 dan',
  unconfirmed_21_en: 'invoices unconfirmed for 21 days',
  unconfirmed_25_hr: 'računi bez potvrde 25 dana',
  unconfirmed_25_en: 'invoices unconfirmed for 25 days',
  unconfirmed_28_hr: 'računi bez potvrde 28 dana',
  unconfirmed_28_en: 'invoices unconfirmed for 28 days',
  invoices_expired_hr: 'računi kojima je istekao rok',
  invoices_expired_en: 'invoices past their deadline',
  invoices_failed_hr: 'odbijeni računi',
  invoices_failed_en: 'refused invoices',
  answers_believed_hr: 'računi se mogu ponovno poslati',
  answers_believed_en: 'invoices can be sent again',
  isu_mismatch_hr: 'ISU broj ne odgovara',
  isu_mismatch_en: 'ISU number does not match',
  certificate_60_hr: 'certifikat istječe za manje od 60 dana',
  certificate_60_en: 'certificate expires within 60 days',
  certificate_30_hr: 'certifikat istječe za manje od 30 dana',
  certificate_30_en: 'certificate expires within 30 days',
  certificate_14_hr: 'certifikat istječe za manje od 14 dana',
  certificate_14_en: 'certificate expires within 14 days',
  certificate_7_hr: 'certifikat istječe za manje od 7 dana',
  certificate_7_en: 'certificate expires within 7 days',
  certificate_1_hr: 'certifikat istječe za manje od jednog dana',
  certificate_1_en: 'certificate expires within one day',
  certificate_expired_hr: 'certifikat je istekao',
  certificate_expired_en: 'certificate has expired',
  cis_down_hr: 'Porezna uprava nije dostupna',
  cis_down_en: 'tax authority cannot be reached',
  printer_error_hr: 'pisač ne radi',
  printer_error_en: 'printer does not work',
  printer_out_of_paper_hr: 'pisač je bez papira',
  printer_out_of_paper_en: 'printer is out of paper',
  disk_short_hr: 'malo mjesta na disku',
  disk_short_en: 'disk nearly full',
  clock_untrusted_hr: 'sat nije pouzdan',
  clock_untrusted_en: 'clock is not trusted',
  address_missing_hr: 'adresa nije dostupna',
  address_missing_en: 'address is missing',
  number_far_ahead_hr: 'prevelik broj računa',
  number_far_ahead_en: 'receipt number far too high',
  numbers_used_up_hr: 'brojevi računa gotovo su iskorišteni',
  numbers_used_up_en: 'receipt numbers nearly used up',
  backup_overdue_hr: 'nema novije sigurnosne kopije',
  backup_overdue_en: 'backup overdue',
  gateway_silent_hr: 'pristupnik se ne javlja',
  gateway_silent_en: 'gateway is silent',
  gateway_duplicated_hr: 'dva računala kao isti pristupnik',
  gateway_duplicated_en: 'gateway runs twice',
  sync_refused_hr: 'odbijeni zapisi pristupnika',
  sync_refused_en: 'refused records of a gateway',
  fleet_conflict_hr: 'isti naziv ili ISU broj na više uređaja',
  fleet_conflict_en: 'same name or ISU number on several devices',
  machine_silent_hr: 'uređaj neuobičajeno dugo ne prodaje',
  machine_silent_en: 'machine sells nothing for unusually long',
  numbers_doubtful_hr: 'dvojbeni brojevi računa',
  numbers_doubtful_en: 'doubtful receipt numbers',
  sign_ins_failed_hr: 'mnogo neuspjelih prijava',
  sign_ins_failed_en: 'many failed sign-ins',
  mail_failed_hr: 'e-pošta se ne može poslati',
  mail_failed_en: 'mail cannot be sent',
})

/** A kind that is not known, of a newer gateway, by the name it has. */
export const alertKinds: Record<Language, (kind: string) => string> = {
  hr: (kind) => nameOf(KINDS.hr, kind),
  en: (kind) => nameOf(KINDS.en, kind),
}

function nameOf(names: Record<string, string>, kind: string): string {
  return Object.hasOwn(names, kind) ? (names[kind] ?? kind) : kind
}
