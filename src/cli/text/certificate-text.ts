import type { CertificateView } from '../../contract/v1/fleet.ts'
import { fields } from './columns.ts'
import { inEnglish, type Screen } from './screen.ts'
import { localTime } from './times.ts'

export function certificateText(certificate: CertificateView, screen: Screen): string {
  return fields(
    [
      ['certificate', certificate.subject_cn],
      ['label', certificate.label],
      ['OIB', certificate.subject_oib],
      ['issuer', certificate.issuer],
      ['serial', certificate.serial],
      ['valid until', `${localTime(certificate.not_after)} (${certificate.days_until_expiry} days)`],
      ['status', certificate.status],
      ['id', certificate.id],
    ],
    inEnglish(screen),
  )
}
