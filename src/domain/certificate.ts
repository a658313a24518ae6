import { DAY_MS, type EpochMs } from './instant.ts'

export const CERTIFICATE_STATUSES = ['valid', 'expiring', 'expired', 'superseded', 'revoked'] as const
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number]

/** `expiring` means under 60 days remain. */
export const EXPIRING_UNDER_DAYS = 60

/** Whole days until a certificate expires; negative afterwards. */
export function daysUntil(notAfter: EpochMs, now: EpochMs): number {
  return Math.floor((notAfter - now) / DAY_MS)
}

/** See docs/spec/interface.md, Certificate status. */
export function certificateStatus(
  certificate: { notAfter: EpochMs; supersededAt: EpochMs | null; revokedAt: EpochMs | null },
  now: EpochMs,
): CertificateStatus {
  if (certificate.revokedAt !== null) return 'revoked'
  if (certificate.supersededAt !== null) return 'superseded'
  return statusInUse(certificate.notAfter, now)
}

/** Of a certificate that was neither replaced nor revoked. */
export function statusInUse(notAfter: EpochMs, now: EpochMs): 'valid' | 'expiring' | 'expired' {
  if (now > notAfter) return 'expired'
  return notAfter - now < EXPIRING_UNDER_DAYS * DAY_MS ? 'expiring' : 'valid'
}

/** What a CA is trusted for: the service's TLS and its answers, or the certificates that companies upload. */
export const TRUST_PURPOSES = ['service', 'uploads'] as const
export type TrustPurpose = (typeof TRUST_PURPOSES)[number]

/** The lists of CAs of a mode: the base counts for both purposes, each of the others for its own only. */
export const TRUST_LISTS = ['base', ...TRUST_PURPOSES] as const
export type TrustList = (typeof TRUST_LISTS)[number]
