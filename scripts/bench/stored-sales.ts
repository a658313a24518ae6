import { createHash, randomUUID } from 'node:crypto'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { deadlineOf, type InvoiceStatus } from '../../src/domain/sale/invoice.ts'
import { enter } from '../../src/domain/sale/journal.ts'
import { LOCAL_GATEWAY } from '../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, type OpenStore } from '../../src/store/store.ts'

const OIB = '02994650199'
const MACHINES = 10

/** What is there before the sales: a company with a certificate that signs nothing, and machines at premises of their own. */
export interface Fleet {
  companyId: string
  certificateId: string
  deviceIds: string[]
}

export async function storeFleet(store: OpenStore, now: number): Promise<Fleet> {
  const companyId = companyIdOf(OIB)
  const certificateId = randomUUID()
  await store.companies.insert({
    id: companyId,
    gatewayId: LOCAL_GATEWAY,
    tenantId: DEFAULT_TENANT,
    name: 'Samoposluga d.o.o.',
    oib: OIB,
    vatRegistered: true,
    address: {},
    fiscalConfig: {},
    mode: 'test',
    status: 'active',
    createdAt: now,
  })
  await store.certificates.insert({
    id: certificateId,
    companyId,
    label: null,
    subjectOib: OIB,
    subjectCn: 'bench',
    issuer: 'CN=bench',
    serial: '01',
    notBefore: now,
    notAfter: now,
    certificate: Buffer.alloc(0),
    intermediates: [],
    sealedKey: Buffer.alloc(0),
    uploadedAt: now,
    supersededAt: null,
    revokedAt: null,
  })
  return { companyId, certificateId, deviceIds: await storeMachines(store, companyId, now) }
}

/** Machines of a company, each at premises of its own. @returns their ids */
async function storeMachines(store: OpenStore, companyId: string, now: number): Promise<string[]> {
  const deviceIds = Array.from({ length: MACHINES }, () => randomUUID())
  for (const [i, id] of deviceIds.entries()) {
    await store.devices.insert({
      id,
      gatewayId: LOCAL_GATEWAY,
      tenantId: DEFAULT_TENANT,
      companyId,
      premisesCode: `POSL${i}`,
      premisesAddress: null,
      label: `machine ${i}`,
      isuNumber: String(i + 1),
      isuStatus: 'assigned',
      deviceConfig: {},
      status: 'active',
      installedAt: now,
      lastSeenAt: null,
      lastSuccessAt: null,
      createdAt: now,
    })
  }
  return deviceIds
}

export interface StoredSale {
  occurredAt: number
  status: InvoiceStatus
}

/** Stores sales as they would lie there after they were made, in transactions of a thousand. */
export async function storeSales(store: OpenStore, fleet: Fleet, count: number, saleOf: (i: number) => StoredSale) {
  for (let start = 0; start < count; start += 1000) {
    await store.transaction(async (tx) => {
      for (let i = start; i < Math.min(start + 1000, count); i++) {
        const sale = saleOf(i)
        const machine = i % MACHINES
        const premises = { companyId: fleet.companyId, mode: 'test', premisesCode: `POSL${machine}` } as const
        const last = await tx.invoices.lastOf(premises)
        const invoice = enter(last, { ...invoiceOf(i, machine, sale, fleet), mode: 'test' as const })
        await tx.invoices.insert(invoice)
      }
    })
  }
}

function invoiceOf(i: number, machine: number, { occurredAt, status }: StoredSale, fleet: Fleet) {
  const confirmed = status === 'confirmed'
  return {
    id: `inv_${String(i).padStart(8, '0')}`,
    gatewayId: LOCAL_GATEWAY,
    tenantId: DEFAULT_TENANT,
    companyId: fleet.companyId,
    deviceId: fleet.deviceIds[machine] as string,
    certificateId: fleet.certificateId,
    status,
    jir: confirmed ? randomUUID() : null,
    occurredAtText: new Date(occurredAt).toISOString(),
    occurredAt,
    year: new Date(occurredAt).getUTCFullYear(),
    document: documentOf(i, machine, occurredAt),
    receipt: null,
    numberSupplied: true,
    lateDelivery: false,
    attempts: 1,
    deadlineAt: deadlineOf(occurredAt),
    confirmedAt: confirmed ? occurredAt : null,
    createdAt: occurredAt,
    lastErrorClass: confirmed || status === 'pending' ? null : ('transient' as const),
    errorCode: confirmed || status === 'pending' ? null : ('upstream_unavailable' as const),
    errorMessage: null,
    deliveryFindings: null,
  }
}

/** What a sale said: one rate of VAT, paid in cash. */
export function documentOf(i: number, machine: number, occurredAt: number) {
  return {
    companyOib: OIB,
    vatRegistered: true,
    occurredAt,
    sequenceMark: 'P' as const,
    number: String(i + 1),
    premisesCode: `POSL${machine}`,
    registerMark: String(machine + 1),
    vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }],
    consumptionTax: [],
    otherTaxes: [],
    vatExemptAmount: null,
    marginAmount: null,
    nonTaxableAmount: null,
    fees: [],
    total: '2.50',
    paymentMethod: 'G' as const,
    operatorOib: OIB,
    zki: createHash('md5').update(String(i)).digest('hex'),
    paragonNumber: null,
    specialPurpose: null,
    recipientOib: null,
  }
}
