import { type CertificateStatus, certificateStatus, daysUntil } from '../domain/certificate.ts'
import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import type { ClockState } from './clock-state.ts'
import type { Company } from './model.ts'
import type { Clock, TrustBundles } from './ports.ts'
import type { FiscalHealth } from './probe.ts'
import type { Queue, Store } from './store-port.ts'

/** Why this gateway cannot sell, and what to do about it. */
export interface Problem {
  subject: string
  problem: string
  fix: string
}

export interface CompanyStatus {
  company: Company
  certificate: CompanyCertificate
}

export interface CompanyCertificate {
  status: 'missing' | Extract<CertificateStatus, 'valid' | 'expiring' | 'expired'>
  notAfter: EpochMs | null
  daysLeft: number | null
}

export interface GatewayStatus {
  /** Some company with a certificate, and some device, can sell and get a JIR. A problem of others does not stop it. */
  canSell: boolean
  problems: Problem[]
  companies: CompanyStatus[]
  devices: { total: number; withoutIsu: number }
  queue: Queue
  oldestAt: EpochMs | null
  lastJirAt: EpochMs | null
  cis: FiscalHealth
  clock: ClockState
}

/** What these companies sign with now, by their ids. */
export async function companyCertificates(
  store: Store,
  companyIds: string[],
  now: EpochMs,
): Promise<(companyId: string) => CompanyCertificate> {
  const found = new Map<string, CompanyCertificate>()
  for (const id of companyIds) found.set(id, await companyCertificate(store, id, now))
  return (companyId) => found.get(companyId) ?? NO_CERTIFICATE
}

const NO_CERTIFICATE: CompanyCertificate = { status: 'missing', notAfter: null, daysLeft: null }

/** The certificate a company signs with, as it is read now. */
export async function companyCertificate(store: Store, companyId: string, now: EpochMs): Promise<CompanyCertificate> {
  const certificate = await store.certificates.current(companyId)
  if (!certificate) return NO_CERTIFICATE
  const status = certificateStatus(certificate, now)
  return {
    status: status === 'superseded' || status === 'revoked' ? 'missing' : status,
    notAfter: certificate.notAfter,
    daysLeft: daysUntil(certificate.notAfter, now),
  }
}

/** Can this gateway sell right now, and if not, why. An unreachable tax authority does not stop a sale. */
export async function gatewayStatus(deps: {
  store: Store
  trust: TrustBundles
  probe: () => Promise<FiscalHealth>
  clock: Clock & { state(): ClockState }
}): Promise<GatewayStatus> {
  const { store, trust, probe, clock } = deps
  const now = clock.now()
  const companies = await Promise.all(
    (await store.companies.all()).map(async (company) => ({
      company,
      certificate: await companyCertificate(store, company.id, now),
    })),
  )
  const { lastSuccessAt, ...devices } = await store.devices.summary()
  const queue = await store.invoices.queue()
  const oldest = await Promise.all(
    (['retrying', 'failed', 'pending'] as const).map((status) => store.invoices.byDeadline(status, 1)),
  )
  const oldestAt = oldest.flat().map(({ occurredAt }) => occurredAt)
  const sellers = companies.filter(
    ({ company, certificate }) =>
      company.status === 'active' &&
      (certificate.status === 'valid' || certificate.status === 'expiring') &&
      trust.certificates(company.mode).length > 0,
  )
  return {
    canSell: sellers.length > 0 && devices.total > devices.withoutIsu,
    problems: [...companyProblems(companies, trust), ...deviceProblems(devices)],
    companies,
    devices,
    queue,
    oldestAt: oldestAt.length === 0 ? null : Math.min(...oldestAt),
    lastJirAt: lastSuccessAt,
    cis: await probe(),
    clock: clock.state(),
  }
}

function companyProblems(companies: CompanyStatus[], trust: TrustBundles): Problem[] {
  const active = companies.filter(({ company }) => company.status === 'active')
  if (active.length === 0) {
    return [
      { subject: 'company', problem: 'there is no active company', fix: 'fisk company add --oib OIB --name NAME' },
    ]
  }
  const modes = new Set<Mode>(active.map(({ company }) => company.mode))
  const untrusted = [...modes].filter((mode) => trust.certificates(mode).length === 0)
  const blocked = active.filter(({ certificate }) => ['missing', 'expired'].includes(certificate.status))
  return [
    ...untrusted.map((mode) => ({
      subject: `trust ${mode}`,
      problem: `the CA certificates of the ${mode} service are not installed`,
      fix: `fisk trust fetch --mode ${mode}`,
    })),
    ...blocked.map(({ company, certificate }) => ({
      subject: company.name,
      problem: certificate.status === 'missing' ? 'it has no certificate' : 'its certificate has expired',
      fix: `fisk cert add --company ${company.oib} --file FILE.p12`,
    })),
  ]
}

function deviceProblems({ total, withoutIsu }: GatewayStatus['devices']): Problem[] {
  if (total === 0) {
    const fix = 'fisk device add --company OIB --premises CODE --label LABEL'
    return [{ subject: 'device', problem: 'there is no active device', fix }]
  }
  if (total > withoutIsu) return []
  return [{ subject: 'device', problem: 'no device has an ISU number', fix: 'fisk isu set LABEL NUMBER' }]
}
