import { onTestFinished } from 'vitest'
import type { FiscalDocument } from '../../src/domain/sale/sale.ts'
import type { Principal } from '../../src/fiscal/access/principal.ts'
import { type Invoice, LOCAL_GATEWAY } from '../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../src/store/store.ts'
import { freshDatabase } from './database.ts'
import { fleet, withoutLogo } from './sync-rows.ts'

/** A company with a device in a store, whose sales are stored as a test says, without anybody being asked. */
export interface Shop {
  deviceId: string
  companyId: string
  /** The next number unless `document` has one. */
  sold(changes?: Partial<Invoice>, document?: Partial<FiscalDocument>): Promise<Invoice>
  /** Several of them in one transaction. */
  soldAll(sales: readonly [Partial<Invoice>, Partial<FiscalDocument>?][]): Promise<Invoice[]>
}

export async function freshStore(): Promise<OpenStore> {
  const store = await openStore(await freshDatabase(), 1)
  onTestFinished(() => store.close())
  return store
}

export async function openShop(
  store: OpenStore,
  {
    tenantId = DEFAULT_TENANT,
    gatewayId = LOCAL_GATEWAY,
    ...of
  }: { tenantId?: string; gatewayId?: string } & Parameters<typeof fleet>[0] = {},
): Promise<Shop> {
  const { company, certificate, device, invoice } = fleet(of)
  if (!(await store.companies.get(company.id))) {
    await store.companies.insert({ ...withoutLogo(company), tenantId, gatewayId })
  }
  // Another one of this company may be in use already.
  await store.certificates.insert({ ...certificate, sealedKey: Buffer.alloc(0), supersededAt: 1 })
  await store.devices.insert({ ...device, tenantId, gatewayId })
  let last = 0
  const shop: Shop = {
    deviceId: device.id,
    companyId: company.id,
    sold: async (changes = {}, document = {}) => (await shop.soldAll([[changes, document]]))[0] as Invoice,
    soldAll: (sales) =>
      store.transaction(async (tx) => {
        const all: Invoice[] = []
        for (const [changes, document] of sales) {
          const row = invoice(++last, changes)
          const issued = { ...row, tenantId, gatewayId, document: { ...row.document, ...document } }
          await tx.invoices.insert(issued)
          const { number, premisesCode, sequenceMark, registerMark } = issued.document
          const register = sequenceMark === 'N' ? registerMark : ''
          const { companyId, mode, year } = issued
          await tx.numbering.setHighest({ companyId, mode, premisesCode, year, register }, number)
          all.push(issued)
        }
        return all
      }),
  }
  return shop
}

/** Whoever works at the office of a tenant. */
export function clerkOf(tenantId: string = DEFAULT_TENANT): Principal {
  return {
    ...{ id: 'clerk', tenantId, mode: null, deviceId: null, companyIds: null, isPlatformAdmin: false },
    scopes: ['invoices:read', 'invoices:write', 'fleet:read'],
  }
}
