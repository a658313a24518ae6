import { FiskError, notFound } from '../../domain/errors.ts'
import { RECEIPT_LOGO_BYTES } from '../../domain/upload.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { Company } from '../ports/model.ts'
import type { ReceiptDrawing } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { findCompany } from './companies.ts'
import { requireOurs } from './owned-by-gateway.ts'

export interface NewLogo {
  /** A PNG picture as it was uploaded. */
  file: Buffer
  /** How wide it is printed; undefined: at most 15 mm high. */
  widthMm?: number | undefined
}

/**
 * Sets the logo on the receipts of a company, from the next sale on; null for none.
 * @throws FiskError 404 for an unknown company; `file_too_large`; `invalid_request` (`file`, `width_mm`)
 */
export async function setLogo(
  { store, clock, drawing }: Context & { drawing: Pick<ReceiptDrawing, 'logo'> },
  principal: Principal,
  companyId: string,
  logo: NewLogo | null,
  keep?: Keep<Company>,
): Promise<Company> {
  requireScope(principal, 'fleet:write')
  requireOurs('company', await findCompany(store, principal, companyId, 'id'), 'id')
  if (logo && logo.file.length > RECEIPT_LOGO_BYTES) {
    throw new FiskError('file_too_large', `the logo is larger than ${RECEIPT_LOGO_BYTES / 1024} KB`, { param: 'file' })
  }
  const file = logo && (await drawing.logo(logo.file, logo.widthMm))
  return keeping(store, keep, async (tx) => {
    await tx.subjects.hold('companies')
    const company = await findCompany(tx, principal, companyId, 'id')
    requireOurs('company', company, 'id')
    const logoHash = file && (await tx.logos.put(file))
    await tx.companies.update(company.id, { logoHash })
    const { id, oib } = company
    await audit(tx, principal, clock.now(), 'company.logo', { id, oib, logo: logoHash ?? 'none' })
    return { ...company, logoHash }
  })
}

/** The logo as it is printed, a PNG picture. @throws FiskError 404 for an unknown company, or one without a logo */
export async function logoOf(
  { store }: { store: StoreTransaction },
  principal: Principal,
  companyId: string,
): Promise<Buffer> {
  requireScope(principal, 'fleet:read')
  const { logoHash, name } = await findCompany(store, principal, companyId, 'id')
  const file = logoHash === null ? undefined : await store.logos.get(logoHash)
  if (!file) throw notFound('id', `${name} has no logo`)
  return file
}
