import { companyIdOf } from '../../domain/company-id.ts'
import { conflict, FiskError, notFound, type Reason } from '../../domain/errors.ts'
import { oibFault } from '../../domain/oib.ts'
import { nameOf } from '../../domain/texts/name.ts'
import { audit, changesBetween } from '../access/audit-log.ts'
import { type Principal, requireAllCompanies, requireMode, requireReach, requireScope } from '../access/principal.ts'
import { boundCompanyOf, realmOf } from '../access/realm.ts'
import type { Context } from '../context.ts'
import { type Page, pageOf } from '../list-page.ts'
import { learnNumbersOf } from '../numbering/learned-numbers.ts'
import { type Company, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { CompanyFilter } from '../ports/rows/registry.ts'
import { Duplicate, type StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { requireShortParts, requireSmall, requireValidSettings } from './config-limits.ts'
import type { TrustingContext } from './context.ts'
import { type Expected, requireExpected } from './expected-fields.ts'
import { requireOurs } from './owned-by-gateway.ts'

export type NewCompany = Pick<Company, 'name' | 'oib' | 'vatRegistered' | 'address' | 'fiscalConfig' | 'mode'>

const FIELDS = ['name', 'vatRegistered', 'address', 'fiscalConfig', 'mode', 'status'] as const

/** Only the given fields change; `address` and `fiscalConfig` are replaced as a whole. */
export type CompanyChanges = Partial<Pick<Company, (typeof FIELDS)[number]>>

/** Adds or takes over from a gateway. @throws FiskError `hr.invalid_oib`, 409, `mode_mismatch`, `insufficient_scope` */
export async function addCompany(
  { store, clock }: Context,
  principal: Principal,
  company: NewCompany,
  keep?: Keep<Company>,
): Promise<Company> {
  requireScope(principal, 'fleet:write')
  requireMode(principal, company.mode, 'mode')
  requireAllCompanies(principal)
  requireSmall({ address: company.address, fiscal_config: company.fiscalConfig })
  requireValidSettings('fiscal_config', company.fiscalConfig)
  requireShortParts(company.address)
  const name = nameOf('name', company.name)
  const fault = oibFault(company.oib)
  if (fault !== null) throw new FiskError('hr.invalid_oib', fault, { param: 'oib' })
  const { tenantId } = principal
  const now = clock.now()
  const owner = { gatewayId: LOCAL_GATEWAY, tenantId }
  try {
    return await keeping(store, keep, async (tx) => {
      // What other tenants' gateways claimed for this OIB ends, so `premises` is held, too.
      await tx.subjects.hold('companies', 'premises')
      await requireFreeOib(tx, tenantId, company.oib)
      // A gateway of another tenant may have sent a company with this OIB, which does not reserve it.
      const companyId = await tx.companies.idWithin(tenantId, companyIdOf(company.oib))
      const told = await tx.companies.get(companyId)
      const logoHash = told?.logoHash ?? null
      const stored: Company = { ...company, ...owner, name, id: companyId, status: 'active', createdAt: now, logoHash }
      // The company came from a gateway. From now on the gateway's version is only compared with ours.
      const isTakenOver = told !== undefined && told.gatewayId !== LOCAL_GATEWAY
      if (isTakenOver) await takeOver(tx, stored)
      else await tx.companies.insert(stored)
      const { id, oib, mode } = stored
      await audit(tx, principal, stored.createdAt, 'company.added', { id, oib, name, mode })
      await learnNumbersOf(tx, principal, id, stored.createdAt)
      return stored
    })
  } catch (error) {
    if (!(error instanceof Duplicate)) throw error
    throw oibTaken(company.oib)
  }
}

/** An OIB is unique among the companies registered here (docs/spec/interface.md, Company). */
async function requireFreeOib(tx: StoreTransaction, tenantId: string, oib: string): Promise<void> {
  if (await tx.companies.isOursElsewhere(tenantId, oib)) throw oibTaken(oib)
}

const oibTaken = (oib: string) => conflict('oib', `a company with the OIB ${oib} exists already`, 'oib_taken')

async function takeOver(tx: StoreTransaction, { id, tenantId: _t, oib: _o, createdAt: _c, ...company }: Company) {
  await tx.companies.update(id, company)
}

/**
 * Changes a company. A key can change it if the company is in the key's mode now; the new mode may be the other one.
 * @throws FiskError 404 for an unknown company, `mode_mismatch`, `company_missing_certificate` when it is to go live
 *   without a certificate that is valid, trusted and not revoked there, 409 when it differs from `seen`
 */
export async function changeCompany(
  context: TrustingContext,
  principal: Principal,
  companyId: string,
  wanted: CompanyChanges,
  keep?: Keep<Company>,
  seen?: Expected<Company>,
): Promise<Company> {
  requireScope(principal, 'fleet:write')
  const changes = wanted.name === undefined ? wanted : { ...wanted, name: nameOf('name', wanted.name) }
  requireSmall({ address: changes.address, fiscal_config: changes.fiscalConfig })
  requireShortParts(changes.address)
  const { store, clock } = context
  return keeping(store, keep, async (tx) => {
    await tx.subjects.hold('companies')
    const company = await findCompany(tx, principal, companyId, 'id')
    requireOurs('company', company, 'id')
    requireExpected(company, seen)
    requireValidSettings('fiscal_config', changes.fiscalConfig, company.fiscalConfig)
    const after = { ...company, ...changes }
    const refusal = after.mode === 'live' && company.mode !== 'live' && (await liveRefusal(context, tx, after))
    if (refusal) throw refusal
    // Another tenant may have registered the OIB while the company was archived.
    const returns = company.status === 'archived' && after.status !== 'archived'
    if (returns) await requireFreeOib(tx, company.tenantId, company.oib)
    await tx.companies.update(company.id, changes)
    const changed = changesBetween(company, after, FIELDS, ['name', 'vatRegistered', 'mode', 'status'])
    const { id, oib } = company
    if (changed) await audit(tx, principal, clock.now(), 'company.changed', { id, oib, changed })
    return after
  })
}

/** Why a company has no certificate to go live with; undefined when it has one. */
export async function liveRefusal(
  { chains, trust, clock }: Omit<TrustingContext, 'store' | 'newUuid'>,
  tx: StoreTransaction,
  company: Company,
): Promise<FiskError | undefined> {
  const refuse = (why: string, reason: Reason) =>
    new FiskError('company_missing_certificate', why, { param: 'mode', reason })
  const certificate = await tx.certificates.current(company.id)
  if (!certificate) return refuse(`${company.name} has no certificate in use`, 'certificate_missing')
  const now = clock.now()
  if (now < certificate.notBefore || now > certificate.notAfter)
    return refuse(`the certificate of ${company.name} is not valid now`, 'certificate_not_valid_now')
  const bundle = trust.certificates('live', 'uploads')
  const verdict = await chains.validate(certificate.certificate, [...certificate.intermediates], bundle, now)
  if (!verdict.trusted) {
    const why = `the certificate of ${company.name} is not trusted in live mode: ${verdict.reason}`
    return refuse(why, 'certificate_not_trusted')
  }
  if (trust.revokedAt('live', certificate.certificate) === null) return undefined
  return refuse(`the certificate of ${company.name} was revoked by its issuer`, 'certificate_revoked')
}

/** The companies that the principal may see, the oldest first. @throws FiskError `insufficient_scope` */
export async function listCompanies(
  { store, clock }: Context,
  principal: Principal,
  { allTenants, ...filter }: Pick<CompanyFilter, 'status'> & { allTenants: boolean },
  slice: Slice,
): Promise<Page<Company>> {
  requireScope(principal, 'fleet:read')
  const realm = await realmOf({ store, clock }, principal, allTenants, 'companies')
  const id = await boundCompanyOf(store, principal)
  return pageOf(
    slice,
    (wanted) => store.companies.list({ ...realm, ...filter, id }, wanted),
    (company) => ({ at: company.createdAt, id: company.id }),
  )
}

/**
 * @param companyId the id of the tenant's company, or the id derived from its OIB
 * @throws FiskError 404 when the tenant has no such company or the principal is limited to others, `mode_mismatch`
 */
export async function findCompany(
  tx: Pick<StoreTransaction, 'companies'>,
  principal: Principal,
  companyId: string,
  param = 'company_id',
): Promise<Company> {
  const company = await tx.companies.get(await tx.companies.idWithin(principal.tenantId, companyId))
  if (company?.tenantId !== principal.tenantId) throw notFound(param, 'there is no such company')
  requireReach(principal, company.id, 'company', param)
  requireMode(principal, company.mode, param)
  return company
}
