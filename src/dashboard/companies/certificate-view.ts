import { type CertificateStatus, certificateStatus, daysUntil } from '../../domain/certificate.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { CompanyCertificate } from '../../fiscal/doctor/status.ts'
import type { Certificate, Language } from '../../fiscal/ports/model.ts'
import { texts } from './texts.ts'

const KINDS = {
  missing: 'bad',
  expired: 'bad',
  revoked: 'bad',
  expiring: 'warn',
  valid: 'ok',
  superseded: 'plain',
} as const satisfies Record<CertificateStatus | 'missing', string>

/** What a company signs with, in a word and with the days that are left. */
export function certificateBadge({ status, daysLeft }: CompanyCertificate, language: Language) {
  const t = texts[language]
  const left = daysLeft === null || status === 'missing' || status === 'expired' ? '' : `, ${t.daysLeft(daysLeft)}`
  return { kind: KINDS[status], text: `${t.certificateStates[status]}${left}` }
}

/** @param users whether it is one of those here, and how many gateways use it */
export function certificateRow(
  certificate: Certificate,
  now: EpochMs,
  language: Language,
  users: { isHere: boolean; gateways: number },
) {
  const { id, label, subjectCn, issuer, serial, notAfter, uploadedAt } = certificate
  const status = certificateStatus(certificate, now)
  const days = daysUntil(notAfter, now)
  const isUsed = status === 'valid' || status === 'expiring'
  const left = isUsed ? texts[language].daysLeft(days) : status === 'expired' ? texts[language].daysAgo(-days) : ''
  return {
    id,
    name: label ?? subjectCn,
    subjectCn,
    issuer,
    serial,
    notAfter,
    uploadedAt,
    left,
    badge: { kind: KINDS[status], text: texts[language].certificateStates[status] },
    mayRevoke: users.isHere && status !== 'revoked',
    usedBy: texts[language].usedBy(users.gateways, users.isHere && isUsed),
  }
}

/** One of each certificate, as this database has it or, without, as a gateway that uses it. @param own ids of those here */
export function onceEach(all: readonly Certificate[], own: ReadonlySet<string>): Certificate[] {
  const found = new Map<string, Certificate>()
  for (const one of all) {
    const key = `${one.issuer} ${one.serial}`
    const before = found.get(key)
    if (!before || own.has(one.id) || (before.supersededAt !== null && !own.has(before.id))) found.set(key, one)
  }
  return [...found.values()]
}
