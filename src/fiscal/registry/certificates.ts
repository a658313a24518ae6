import { type CertificateStatus, certificateStatus } from '../../domain/certificate.ts'
import { FiskError, type FiskErrorOptions, invalidRequest, notFound } from '../../domain/errors.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { nameOf } from '../../domain/texts/name.ts'
import { addTrust } from '../../domain/texts/trust-texts.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireReach, requireScope } from '../access/principal.ts'
import { boundCompanyOf } from '../access/realm.ts'
import type { Context } from '../context.ts'
import type { OpenedCertificate } from '../ports/certificates.ts'
import type { Certificate, Company } from '../ports/model.ts'
import type { RevocationLists } from '../ports/trust.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { OURS } from './active-devices.ts'
import { findCompany } from './companies.ts'
import type { CertificateContext, TrustingContext } from './context.ts'
import { requireOurs } from './owned-by-gateway.ts'

export interface CertificateUpload {
  companyId: string
  /** PKCS#12. */
  file: Buffer
  /** Used only to open the file. */
  passphrase: string
  label: string | null
  /** Aborts when the client disconnects; the file is then not opened. */
  signal?: AbortSignal
}

/**
 * Puts a company's new certificate into use and supersedes the previous one, in one transaction.
 * @throws FiskError 404 for an unknown company, `invalid_request` for a file that cannot be used,
 *   `certificate_expired`, `hr.certificate_oib_mismatch`, `rate_limited`; nothing is stored then
 */
export async function addCertificate(
  context: CertificateContext,
  principal: Principal,
  upload: CertificateUpload,
  keep?: Keep<Certificate>,
): Promise<Certificate> {
  const { store, opener, trust, vault, clock, newUuid } = context
  requireScope(principal, 'certificates:write')
  const company = await findCompany(store, principal, upload.companyId)
  requireOurs('company', company, 'company_id')
  const opened = await opener.open(upload.file, upload.passphrase, {
    requestedBy: principal.id,
    signal: upload.signal,
  })
  try {
    const now = clock.now()
    requireFit(opened, company, now)
    const { intermediates, certificate, privateKey, oibElsewhere: _, ...metadata } = opened
    const trustedIn = await trustingMode(context, company.mode, certificate, intermediates, now)
    const id = newUuid()
    const stored: Certificate = {
      ...metadata,
      id,
      companyId: company.id,
      label: upload.label?.trim() ? nameOf('label', upload.label) : null,
      subjectOib: company.oib,
      certificate,
      intermediates,
      sealedKey: vault.seal(privateKey, id),
      uploadedAt: now,
      supersededAt: null,
      revokedAt: null,
    }
    return await keeping(store, keep, async (tx) => {
      await tx.subjects.hold('companies')
      const present = await tx.companies.get(company.id)
      if (!present || !TRUST_OF[present.mode].includes(trustedIn)) {
        const message = 'the company has changed its mode meanwhile: upload the certificate again'
        throw invalidRequest('file', message, 'changed_meanwhile')
      }
      // Check inside the transaction: a revocation list that arrives meanwhile is then seen either here or by
      // `revokeListed`.
      const revokedAt = trust.revokedAt(trustedIn, certificate)
      if (revokedAt !== null) {
        const message = `the certificate was revoked by its issuer at ${formatInstant(revokedAt)}`
        throw invalidRequest('file', message, 'certificate_revoked')
      }
      const previous = await tx.certificates.current(company.id)
      await tx.certificates.supersedeCurrent(company.id, now)
      await tx.certificates.insert(stored)
      const about = ({ id, serial }: Certificate) => ({ id, oib: company.oib, serial })
      if (previous) await audit(tx, principal, now, 'certificate.superseded', about(previous))
      await audit(tx, principal, now, 'certificate.added', about(stored))
      return stored
    })
  } finally {
    opened.privateKey.fill(0)
  }
}

/** Whether a company signs with what a file holds; nothing is stored. @throws FiskError as `addCertificate` */
export async function checkCertificate(
  { store, opener, clock }: CertificateContext,
  principal: Principal,
  { companyId, file, passphrase, signal }: Omit<CertificateUpload, 'label'>,
): Promise<boolean> {
  requireScope(principal, 'certificates:write')
  const company = await findCompany(store, principal, companyId)
  const opened = await opener.open(file, passphrase, { requestedBy: principal.id, signal })
  opened.privateKey.fill(0)
  requireFit(opened, company, clock.now())
  return (await store.certificates.current(company.id))?.certificate.equals(opened.certificate) === true
}

/** @throws FiskError `certificate_expired`, `hr.certificate_oib_mismatch`, `invalid_request` for one not valid yet */
export function requireFit(
  opened: Pick<OpenedCertificate, 'notBefore' | 'notAfter' | 'subjectOib' | 'oibElsewhere'>,
  company: Pick<Company, 'oib'>,
  now: EpochMs,
): void {
  if (now > opened.notAfter) {
    const message = `the certificate has expired: it was valid until ${formatInstant(opened.notAfter)}`
    throw new FiskError('certificate_expired', message, { param: 'file' })
  }
  if (now < opened.notBefore) {
    const message = `the certificate is valid from ${formatInstant(opened.notBefore)} on, and it is ${formatInstant(now)} here: check the clock`
    throw invalidRequest('file', message, 'certificate_before_its_time')
  }
  if (opened.subjectOib === company.oib) return
  const refuse = (message: string, options: FiskErrorOptions = {}) =>
    new FiskError('hr.certificate_oib_mismatch', message, { param: 'file', ...options })
  if (opened.subjectOib !== null)
    throw refuse(
      `the certificate was issued to the OIB ${opened.subjectOib}, and the company has the OIB ${company.oib}`,
    )
  if (opened.oibElsewhere === null) {
    const message = 'the certificate names no OIB in its subject: it is not a fiscal certificate'
    throw refuse(message, { reason: 'certificate_of_nobody' })
  }
  const message =
    'the certificate has no single OIB where certificates for fiscalization have it, in organizationIdentifier ' +
    `(VATHR-${company.oib}) or, as FINA writes it, in O behind the name (HR${company.oib}), but ` +
    `${opened.oibElsewhere}: ask its issuer for a certificate for fiscalization`
  throw refuse(message, { reason: 'certificate_oib_elsewhere', about: opened.oibElsewhere })
}

/**
 * The trust bundles that a company's certificate may chain to. A company in test mode may upload its live certificate,
 * because going live requires it, and the authority's test certificates have a different issuer.
 */
const TRUST_OF: Record<Mode, readonly Mode[]> = { test: ['test', 'live'], live: ['live'] }

/** The mode whose bundle the certificate chains to. @throws FiskError `invalid_request` when there is none */
async function trustingMode(
  { chains, trust }: TrustingContext,
  mode: Mode,
  certificate: Buffer,
  intermediates: Buffer[],
  now: EpochMs,
): Promise<Mode> {
  let reason = ''
  for (const candidate of TRUST_OF[mode]) {
    const verdict = await chains.validate(certificate, intermediates, trust.certificates(candidate, 'uploads'), now)
    if (verdict.trusted) return candidate
    reason ||= verdict.reason
  }
  const hint = `add its issuer with \`${addTrust(mode, 'uploads')}\``
  const message = `the certificate is not trusted in ${mode} mode: ${reason}; ${hint}`
  throw invalidRequest('file', message, 'certificate_not_trusted')
}

/** The certificates that the principal may see, the newest first. @throws FiskError `insufficient_scope` */
export async function listCertificates(
  { store, clock }: Context,
  principal: Principal,
  filter: { companyId?: string | undefined; status?: CertificateStatus | undefined; ours?: true },
): Promise<Certificate[]> {
  requireScope(principal, 'fleet:read')
  const { tenantId, mode, companyIds } = principal
  const now = clock.now()
  const boundTo = await boundCompanyOf(store, principal)
  const companyId = filter.companyId && (await store.companies.idWithin(tenantId, filter.companyId))
  const all = await store.certificates.list({ tenantId, mode, companyIds, companyId, ours: filter.ours })
  return all
    .filter((one) => !boundTo || one.companyId === boundTo)
    .filter((certificate) => !filter.status || certificateStatus(certificate, now) === filter.status)
}

/** It signs nothing from now on. @throws FiskError 404 for an unknown certificate */
export async function revokeCertificate(
  { store, clock }: Context,
  principal: Principal,
  certificateId: string,
  keep?: Keep<Certificate>,
): Promise<Certificate> {
  requireScope(principal, 'certificates:write')
  return keeping(store, keep, async (tx) => {
    await tx.subjects.hold('companies')
    const certificate = await tx.certificates.get(certificateId)
    const company = certificate && (await tx.companies.get(certificate.companyId))
    if (!certificate || company?.tenantId !== principal.tenantId) throw notFound('id', 'there is no such certificate')
    requireReach(principal, company.id, 'certificate')
    requireOurs('company', { gatewayId: await tx.certificates.ownerOf(certificateId) }, 'id')
    if (certificate.revokedAt !== null) return certificate
    const revokedAt = clock.now()
    const { id, serial } = certificate
    await tx.certificates.revoke(id, revokedAt)
    await audit(tx, principal, revokedAt, 'certificate.revoked', { id, oib: company.oib, serial })
    return { ...certificate, revokedAt }
  })
}

/**
 * Revokes, with the date of the list, every certificate that a revocation list of the mode names: it signs nothing from
 * now on. Calling it again revokes only new ones. @returns the number of revoked certificates
 */
export async function revokeListed(
  { store, trust, clock }: Context & { trust: RevocationLists },
  mode: Mode,
): Promise<number> {
  return store.transaction(async (tx) => {
    await tx.subjects.hold('companies')
    let count = 0
    for (const { id, companyId, serial, certificate, revokedAt } of await tx.certificates.list({ ...OURS, mode })) {
      const since = revokedAt === null ? trust.revokedAt(mode, certificate) : null
      const company = since !== null && (await tx.companies.get(companyId))
      if (since === null || !company) continue
      await tx.certificates.revoke(id, since)
      const { oib, tenantId } = company
      await audit(tx, { id: 'crl', tenantId }, clock.now(), 'certificate.revoked', { id, oib, serial })
      count++
    }
    return count
  })
}
