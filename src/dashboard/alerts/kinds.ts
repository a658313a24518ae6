import type { AlertKind } from '../../domain/alert.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { inBoth } from '../language.ts'

/** Kinds of alerts in few words, such as for a filter. */
const KINDS = inBoth(
  {
    unconfirmed_legal: 'računi bez potvrde dulje od dva radna dana',
    unconfirmed_21: 'računi bez potvrde 21 dan',
    unconfirmed_25: 'računi bez potvrde 25 dana',
    unconfirmed_28: 'računi bez potvrde 28 dana',
    invoices_expired: 'računi kojima je istekao rok',
    invoices_failed: 'odbijeni računi',
    answers_believed: 'računi se mogu ponovno poslati',
    isu_mismatch: 'ISU broj ne odgovara',
    certificate_60: 'certifikat istječe za 60 dana',
    certificate_30: 'certifikat istječe za 30 dana',
    certificate_14: 'certifikat istječe za 14 dana',
    certificate_7: 'certifikat istječe za 7 dana',
    certificate_1: 'certifikat istječe za jedan dan',
    certificate_expired: 'certifikat je istekao',
    cis_down: 'Porezna uprava nije dostupna',
    printer_error: 'pisač ne radi',
    printer_out_of_paper: 'pisač je bez papira',
    disk_short: 'malo mjesta na disku',
    clock_untrusted: 'sat nije pouzdan',
    address_missing: 'adresa nije dostupna',
    number_far_ahead: 'prevelik broj računa',
    numbers_used_up: 'brojevi računa gotovo su potrošeni',
    backup_overdue: 'nema svježe sigurnosne kopije',
    gateway_silent: 'pristupnik se ne javlja',
    gateway_duplicated: 'pristupnik je udvostručen',
    sync_refused: 'odbijeni zapisi pristupnika',
    fleet_conflict: 'isti naziv ili ISU broj na više uređaja',
    numbers_doubtful: 'dvojbeni brojevi računa',
    sign_ins_failed: 'mnogo neuspjelih prijava',
    mail_failed: 'e-pošta se ne može poslati',
  } satisfies Record<AlertKind, string>,
  {
    unconfirmed_legal: 'invoices unconfirmed for more than two working days',
    unconfirmed_21: 'invoices unconfirmed for 21 days',
    unconfirmed_25: 'invoices unconfirmed for 25 days',
    unconfirmed_28: 'invoices unconfirmed for 28 days',
    invoices_expired: 'invoices past their deadline',
    invoices_failed: 'refused invoices',
    answers_believed: 'invoices can be sent again',
    isu_mismatch: 'ISU number does not match',
    certificate_60: 'certificate ends within 60 days',
    certificate_30: 'certificate ends within 30 days',
    certificate_14: 'certificate ends within 14 days',
    certificate_7: 'certificate ends within 7 days',
    certificate_1: 'certificate ends within one day',
    certificate_expired: 'certificate has ended',
    cis_down: 'tax authority cannot be reached',
    printer_error: 'printer does not work',
    printer_out_of_paper: 'printer is out of paper',
    disk_short: 'disk is short',
    clock_untrusted: 'clock is not trusted',
    address_missing: 'address is not there',
    number_far_ahead: 'receipt number far too high',
    numbers_used_up: 'receipt numbers nearly used up',
    backup_overdue: 'backup overdue',
    gateway_silent: 'gateway is silent',
    gateway_duplicated: 'gateway runs twice',
    sync_refused: 'refused records of a gateway',
    fleet_conflict: 'same name or ISU number on several devices',
    numbers_doubtful: 'doubtful receipt numbers',
    sign_ins_failed: 'many failed sign-ins',
    mail_failed: 'mail cannot be sent',
  },
)

/** A kind that is not known, of a newer gateway, by the name it has. */
export const alertKinds: Record<Language, (kind: string) => string> = {
  hr: (kind) => nameOf(KINDS.hr, kind),
  en: (kind) => nameOf(KINDS.en, kind),
}

function nameOf(names: Record<string, string>, kind: string): string {
  return Object.hasOwn(names, kind) ? (names[kind] ?? kind) : kind
}
