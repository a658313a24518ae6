import { EXPIRING_UNDER_DAYS } from './certificate.ts'
import { DAY_MS, type EpochMs } from './instant.ts'

/** The severities of alerts, the most severe first. */
export const SEVERITIES = ['urgent', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

interface Kind {
  severity: Severity
  /** Whether recipients get a mail; the dashboard shows every alert. */
  mailed: boolean
}

const told = (severity: Severity): Kind => ({ severity, mailed: true })
const shown = (severity: Severity): Kind => ({ severity, mailed: false })

const ALERTS = {
  /** Two working days after the day on which the connection broke, or of a sale that lacks its JIR for another reason. */
  unconfirmed_legal: told('warning'),
  unconfirmed_21: shown('warning'),
  unconfirmed_25: told('warning'),
  unconfirmed_28: told('urgent'),
  invoices_expired: told('urgent'),
  invoices_failed: told('warning'),
  /** Sales parked because of an untrusted JIR can be sent again. */
  answers_believed: told('warning'),
  isu_mismatch: told('warning'),
  /** The tax authority will find the same mistake in several of the latest sales of a device. */
  sale_findings: told('warning'),
  certificate_60: told('info'),
  certificate_30: told('warning'),
  certificate_14: told('warning'),
  certificate_7: told('urgent'),
  certificate_1: told('urgent'),
  certificate_expired: told('urgent'),
  cis_down: told('warning'),
  printer_error: told('warning'),
  printer_out_of_paper: told('warning'),
  /** The paper is near its end; receipts still come out. */
  printer_paper_low: told('warning'),
  disk_short: told('warning'),
  /** Writes take seconds to be on the disk; sales wait for them. */
  disk_slow: told('warning'),
  clock_untrusted: told('warning'),
  /** The counting does not follow a number that a caller supplied; sales continue. */
  number_far_ahead: told('warning'),
  /** A sequence of receipt numbers is close to its end or has reached it; then its premises cannot sell. */
  numbers_used_up: told('urgent'),
  /** Numbers of a year that has not begun, by what the tax authority says of the time. */
  numbers_of_future: told('urgent'),
  /** The daemon does not listen at a configured address. */
  address_missing: told('warning'),
  backup_overdue: told('warning'),
  gateway_silent: told('warning'),
  gateway_duplicated: told('urgent'),
  sync_refused: told('warning'),
  /** A gateway has not fetched a command in time: what it should have changed there is as it was. */
  command_lapsed: told('warning'),
  fleet_conflict: told('warning'),
  machine_silent: told('warning'),
  numbers_doubtful: told('warning'),
  /** The central server has heard of sales that this database no longer has. */
  records_lost: told('urgent'),
  /** The database lacks sales that this process has issued: nothing is sold at their premises. */
  sales_lost: told('urgent'),
  /** The record of issued sales, by which a database that went back in time is found, is missing or cannot be written. */
  issued_record: told('warning'),
  /** The database runs on another machine than before: a copied card, or a new board. */
  machine_changed: told('urgent'),
  sign_ins_failed: told('warning'),
  /** A schedule of closings by mail is stopped, or its latest mail did not arrive. */
  closings_not_mailed: told('warning'),
  /** Not mailed, because mailing is what has failed. */
  mail_failed: shown('warning'),
} as const satisfies Record<string, Kind>
export type AlertKind = keyof typeof ALERTS

export const ALERT_KINDS = Object.keys(ALERTS) as AlertKind[]
export const NOT_MAILED = ALERT_KINDS.filter((kind) => !ALERTS[kind].mailed)

/** Newer gateways may send kinds that are unknown here. */
export function isAlertKind(kind: string): kind is AlertKind {
  return Object.hasOwn(ALERTS, kind)
}

/** Both may come from a gateway, so the types in `detail` are not guaranteed. */
interface Said {
  kind: string
  detail: Readonly<Record<string, unknown>>
}

export function severityOf({ kind, detail }: Said): Severity {
  // Only a silent gateway can send its sales without a JIR, and their deadline approaches.
  if (kind === 'gateway_silent' && Number(detail.without_jir) > 0) return 'urgent'
  if (kind === 'disk_short' && (detail.left_out === 'sales' || detail.left_out === 'messages')) return 'urgent'
  return isAlertKind(kind) ? ALERTS[kind].severity : 'warning'
}

/** Whether sales can be sent again now. The alert stays for a while when answers become untrusted again. */
export function offersToSend({ kind, detail }: Said): boolean {
  return kind === ('answers_believed' satisfies AlertKind) && detail.may_send !== false
}

/** Whether an alert offered to send sales again, and does not offer it at the moment. */
export function isOfferWithdrawn(alert: Said): boolean {
  return alert.kind === ('answers_believed' satisfies AlertKind) && !offersToSend(alert)
}

export const ALERT_STATES = ['open', 'acknowledged', 'resolved'] as const
/** `acknowledged`: the problem still exists, and a user has acknowledged it. */
export type AlertState = (typeof ALERT_STATES)[number]

export function alertState(alert: { acknowledgedAt: EpochMs | null; resolvedAt: EpochMs | null }): AlertState {
  if (alert.resolvedAt !== null) return 'resolved'
  return alert.acknowledgedAt === null ? 'open' : 'acknowledged'
}

export const UNCONFIRMED = ['unconfirmed_28', 'unconfirmed_25', 'unconfirmed_21', 'unconfirmed_legal'] as const
export type UnconfirmedStage = (typeof UNCONFIRMED)[number]

/** The latest alert stage of an invoice without JIR (see `legalDeadlineIn`); undefined for a young one. */
export function unconfirmedStage(
  occurredAt: EpochMs,
  now: EpochMs,
  legalDeadline: EpochMs,
): UnconfirmedStage | undefined {
  const days = (now - occurredAt) / DAY_MS
  if (days >= 28) return 'unconfirmed_28'
  if (days >= 25) return 'unconfirmed_25'
  if (days >= 21) return 'unconfirmed_21'
  return now >= legalDeadline ? 'unconfirmed_legal' : undefined
}

const CERTIFICATE = [
  [1, 'certificate_1'],
  [7, 'certificate_7'],
  [14, 'certificate_14'],
  [30, 'certificate_30'],
  [EXPIRING_UNDER_DAYS, 'certificate_60'],
] as const

/** The alert stage of a certificate: only the latest stage; undefined while it is valid for long. */
export function certificateStage(notAfter: EpochMs, now: EpochMs) {
  if (now > notAfter) return 'certificate_expired'
  return CERTIFICATE.find(([days]) => notAfter - now <= days * DAY_MS)?.[1]
}
