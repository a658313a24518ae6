import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { enter } from '../../src/domain/sale/journal.ts'
import { compareIssued, lacksSales } from '../../src/fiscal/numbering/lost-sales.ts'
import type { Invoice } from '../../src/fiscal/ports/model.ts'
import { type IssuedSale, issuedSale } from '../../src/fiscal/ports/rows/issued.ts'
import { DEFAULT_TENANT, openStore } from '../../src/store/store.ts'
import { fleet, withoutLogo } from './sync-rows.ts'

export type SellersShop = ReturnType<typeof fleet>

/** A process that sells on a database, without a tax authority, and remembers what it has acknowledged. */
export interface StoreSeller {
  /** What was told to a caller, the oldest first. */
  acknowledged: Invoice[]
  /** What its record says. */
  known: IssuedSale[]
  /** How often it has compared what it knows with the database. */
  compared(): number
  /** @throws DatabaseAway, and FiskError where the premises lacks sales */
  sell(shop: SellersShop, key?: string): Promise<Invoice>
  /** Stores a sale that nobody is told of, and that is not sent. */
  store(shop: SellersShop, key?: string): Promise<Invoice>
  close(): Promise<void>
}

interface SellerOptions {
  instance: string
  /** From an earlier start of the process. */
  known: IssuedSale[]
  compares: boolean
}

export async function openStoreSeller(
  url: string,
  { instance = randomUUID(), known = [], compares = true }: Partial<SellerOptions> = {},
): Promise<StoreSeller> {
  const store = await openStore(url, 1, { identity: { instance, version: '1.1.0' } })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= store.close()
    return closed
  }
  onTestFinished(close)
  const acknowledged: Invoice[] = []
  let compared = 0
  const compare = () =>
    store.witness(async (tx) => {
      compared++
      await compareIssued(tx, known)
    })
  if (compares) await compare()

  function storePending(shop: SellersShop, id: string, key: string): Promise<Invoice> {
    const { journalPosition: _position, seal: _seal, ...sold } = shop.invoice(1)
    const { companyId, device } = shop
    const { premisesCode } = device
    const sequence = { companyId, mode: 'test', premisesCode, year: sold.year, register: '' } as const
    return store.transaction(async (tx) => {
      const { last, highest, level, isBehind } = await tx.sales.take(sequence)
      if (isBehind) throw lacksSales(premisesCode)
      if (level === undefined) await tx.numbering.setLevel(sequence, 'P')
      const number = String(Number(highest ?? '0') + 1)
      const zki = randomUUID().replaceAll('-', '')
      const next: Invoice = enter(last, {
        ...{ ...sold, id, tenantId: DEFAULT_TENANT, gatewayId: '', status: 'pending', jir: null, confirmedAt: null },
        document: { ...sold.document, number, zki },
      })
      await tx.sales.insert({
        ...{ invoice: next, sequence, highest: number, keyTime: null, seenAt: 1 },
        use: { scope: 's', key, requestHash: 'h', invoiceId: id, response: null },
      })
      return next
    }, `${companyId} ${premisesCode}`)
  }

  return {
    acknowledged,
    known,
    compared: () => compared,
    close,
    store: (shop, key = randomUUID()) => storePending(shop, `inv_${key.replaceAll('-', '')}`, key),
    sell(shop, key = randomUUID()) {
      const id = `inv_${randomUUID().replaceAll('-', '')}`
      return store.invoiceLock.runNew(id, async () => {
        const invoice = await storePending(shop, id, key)
        known.push(issuedSale(invoice))
        await store.invoiceLock.requireHeld(id)
        const settled: Invoice = { ...invoice, status: 'confirmed', jir: randomUUID(), confirmedAt: 1 }
        await store.sales.storeOutcome({
          ...{ invoice: settled, isLast: true, device: null, receipt: null, message: null },
          response: { scope: 's', key, status: 200, body: JSON.stringify({ id }) },
        })
        known.push(issuedSale(settled))
        acknowledged.push(settled)
        return settled
      })
    },
  }
}

/** A company with a device, for sellers. */
export async function addSellersShop(url: string, premisesCode = 'KIOSK1', isuNumber = '101'): Promise<SellersShop> {
  const store = await openStore(url, 1)
  try {
    const shop = fleet({ premisesCode, isuNumber, label: premisesCode })
    const ours = { tenantId: DEFAULT_TENANT, gatewayId: '' }
    if (!(await store.companies.get(shop.companyId)))
      await store.companies.insert({ ...withoutLogo(shop.company), ...ours })
    await store.certificates.insert({ ...shop.certificate, sealedKey: Buffer.alloc(0), supersededAt: 1 })
    await store.devices.insert({ ...shop.device, ...ours })
    return shop
  } finally {
    await store.close()
  }
}
