import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { enter } from '../../src/fiscal/sales/journal.ts'
import { makeDefaultTenant } from '../../src/store/open-store.ts'
import { lockId } from '../../src/store/postgres/advisory-locks.ts'
import { migrations } from '../../src/store/postgres/migrate.ts'
import { openPool } from '../../src/store/postgres/pool.ts'
import { applyChanges } from '../../src/store/postgres/schema-change.ts'
import { aggregates } from '../../src/store/shared/aggregates.ts'
import type { Db } from '../../src/store/sqlite/connection.ts'
import { salesOnSqlite } from '../../src/store/sqlite/sales.ts'
import { DEFAULT_TENANT, openStore } from '../../src/store/store.ts'
import { postgresDatabase } from './postgres.ts'
import { fleet } from './sync-rows.ts'

/** A process that sells at one premises. */
export interface Seller {
  sell(): Promise<void>
  stop(): Promise<void>
}

/** A database as fiskd 1.0 made it, with a shop in it. */
export async function olderDatabase() {
  const url = await postgresDatabase({ empty: true })
  const db = pool(url)
  const { '005-sync': sync, '006-office': office } = migrations
  if (!sync || !office) throw new Error('the changes of fiskd 1.0 have other names')
  await applyChanges(db, { '005-sync': sync, '006-office': office })
  await makeDefaultTenant(db, 1)
  const shop = fleet()
  const tx = aggregates(db, salesOnSqlite)
  const ours = { tenantId: DEFAULT_TENANT, gatewayId: '' }
  await tx.companies.insert({ ...shop.company, ...ours })
  await tx.certificates.insert({ ...shop.certificate, sealedKey: Buffer.alloc(0) })
  await tx.devices.insert({ ...shop.device, ...ours })
  const { companyId } = shop
  const journal = { companyId, mode: 'test', premisesCode: shop.device.premisesCode } as const
  const sequence = { ...journal, year: 2026, register: '' }
  await tx.numbering.setLevel(sequence, 'P')
  const invoiceOf = (number: number) => {
    const { journalPosition: _position, seal: _seal, ...invoice } = shop.invoice(number)
    return { ...invoice, ...ours, status: 'pending', jir: null, confirmedAt: null } as const
  }
  const settled = (id: string) => ({
    progress: {
      ...({ status: 'confirmed', jir: randomUUID(), confirmedAt: 1, lateDelivery: false, attempts: 1 } as const),
      ...{ lastErrorClass: null, errorCode: null, errorMessage: null },
    },
    message: { ...shop.message(id, { createdAt: Date.now() }), requestXml: '<a/>', responseXml: '<b/>' },
  })

  return {
    url,
    db,
    journal,
    /** Sells as fiskd 1.0 does, with its locks. */
    async olderProcess(): Promise<Seller> {
      const holder = new pg.Client({ connectionString: url, application_name: 'fiskd locks' })
      await holder.connect()
      const own = pool(url)
      const underLock = <T>(work: (trx: Db) => Promise<T>) =>
        own.transaction().execute(async (trx) => {
          await sql`SELECT pg_advisory_xact_lock(${lockId('fiskd', 'transaction')}::bigint)`.execute(trx)
          return work(trx)
        })
      return {
        async sell() {
          const id = await underLock(async (trx) => {
            const { numbering, invoices } = aggregates(trx, salesOnSqlite)
            const number = Number((await numbering.highest(sequence)) ?? '0') + 1
            const invoice = enter(await invoices.lastOf(journal), invoiceOf(number))
            await invoices.insert(invoice)
            await numbering.setHighest(sequence, String(number))
            return invoice.id
          })
          const { progress, message } = settled(id)
          await underLock(async (trx) => {
            const { invoices, messages } = aggregates(trx, salesOnSqlite)
            await messages.insert(message)
            await invoices.progress(id, progress)
          })
        },
        stop: () => holder.end(),
      }
    },
    /** Sells as this fiskd does. */
    async newProcess(): Promise<Seller> {
      const store = await openStore(url, 1, { identity: { instance: randomUUID(), version: '1.1.0' } })
      await store.witness(async () => {})
      return {
        async sell() {
          const { id, ...sold } = invoiceOf(0)
          await store.invoiceLock.runNew(id, async () => {
            const key = randomUUID()
            const invoice = await store.transaction(async (tx) => {
              const { last, highest } = await tx.sales.take(sequence)
              const number = Number(highest ?? '0') + 1
              const next = enter(last, { ...sold, id, document: { ...sold.document, number: String(number) } })
              await tx.sales.insert({
                ...{ invoice: next, sequence, highest: String(number), keyTime: 1, seenAt: 1 },
                use: { scope: 's', key, requestHash: 'h', invoiceId: next.id, response: null },
              })
              return next
            })
            const { progress, message } = settled(id)
            await store.invoiceLock.requireHeld(id)
            await store.sales.settle({
              invoice: { ...invoice, ...progress },
              isLast: true,
              device: null,
              receipt: null,
              message: { ...message, requestXml: store.sales.packed(Buffer.from(message.requestXml)) },
              response: { scope: 's', key, status: 200, body: '{}' },
            })
          })
        },
        stop: () => store.close(),
      }
    },
  }
}

/** Connections that end with the test. */
export function pool(url: string): Db {
  const { db } = openPool(url)
  onTestFinished(() => db.destroy())
  return db
}
