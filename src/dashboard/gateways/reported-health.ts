import type { Mode } from '../../domain/sale/sale.ts'
import type { BlockerCause } from '../../fiscal/doctor/blocker.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { blockerText } from '../overview/blocker-texts.ts'

export interface Reported {
  what: string
  /** Null when it was said in words that this version does not know: then `what` is English. */
  todo: string | null
}

/** How gateways say it, whose words are English (see `fiscal/doctor/*-blockers.ts`). */
const WORDS: [RegExp, BlockerCause][] = [
  [/^the disk is full/, 'disk_full'],
  [/^the database takes no writes/, 'no_writes'],
  [/^there is no active company/, 'no_company'],
  [/^the CA certificates of the (?<mode>test|live) service are not installed/, 'no_trust'],
  [/^the company is /, 'company_inactive'],
  [/^it has no certificate/, 'certificate_missing'],
  [/^its certificate was revoked/, 'certificate_revoked'],
  [/^its certificate was issued to another OIB/, 'certificate_of_other_oib'],
  [/^its certificate is not valid yet/, 'certificate_early'],
  [/^its certificate has expired/, 'certificate_expired'],
  [/^its certificate is not trusted/, 'certificate_untrusted'],
  [/^the private key of its certificate cannot be opened/, 'key_unreadable'],
  [/^the receipt numbers of \d{4} are used up/, 'numbers_used_up'],
  [/^the database lacks sales that were issued/, 'sales_lost'],
  [/^there is no active device/, 'no_device'],
  [/^the device is archived/, 'device_archived'],
  [/^((?<count>\d{1,6}) devices are|the device is) suspended/, 'device_suspended'],
  [/^((?<count>\d{1,6}) devices have|it has) no ISU number/, 'isu_missing'],
  [/^((?<count>\d{1,6}) devices have an ISU number of which )?the tax authority knows other data/, 'isu_mismatch'],
]

/** What a gateway has said of itself, in the reader's language where its words are known. */
export function sayReported({ code, message }: { code: string; message: string }, language: Language): Reported {
  for (const [words, cause] of WORDS) {
    const found = words.exec(message)
    if (!found) continue
    const { count, mode } = found.groups ?? {}
    const { what, todo } = blockerText(
      {
        cause,
        subject: code,
        problem: message,
        fix: '',
        ...(count !== undefined && { count: Number(count) }),
        ...(mode !== undefined && { mode: mode as Mode }),
      },
      language,
    )
    return { what, todo }
  }
  return { what: `${code}: ${message}`, todo: null }
}
