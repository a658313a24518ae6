import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { FiskError } from '../../../src/domain/errors.ts'
import { createKeyedLock } from '../../../src/domain/keyed-lock.ts'
import { NO_SEAL } from '../../../src/domain/sale/journal.ts'
import { createApiKey } from '../../../src/fiscal/access/api-keys.ts'
import { healNumbers } from '../../../src/fiscal/numbering/heal-numbers.ts'
import type { Invoice } from '../../../src/fiscal/ports/model.ts'
import type { StoreTransaction } from '../../../src/fiscal/ports/store.ts'
import { addCompany } from '../../../src/fiscal/registry/companies.ts'
import { createExpiry } from '../../../src/fiscal/sales/expire.ts'
import { createOnce, type IdempotencyUse } from '../../../src/fiscal/sales/idempotency.ts'
import { checkJournals } from '../../../src/fiscal/sales/journal-check.ts'
import { takeOverInterrupted } from '../../../src/fiscal/sales/recover-pending.ts'
import { requeueFailed } from '../../../src/fiscal/sales/requeue-failed.ts'
import { createRetry } from '../../../src/fiscal/sales/retry-by-hand.ts'
import { createSubmitter, progressOf } from '../../../src/fiscal/sales/submit.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { forBoth } from '../../support/clocks.ts'
import { OIBS } from '../../support/oibs.ts'
import { type Overlapped, overlap, processOn } from '../../support/overlap.ts'
import { OPERATOR } from '../../support/people.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { openShop } from '../../support/shop.ts'

const NOW = Date.UTC(2026, 10, 24)
const now = () => NOW
const clock = forBoth({
  now,
  proven: now,
  keyTime: now,
  present: () => ({ now: NOW, earliest: NOW, latest: NOW }) as never,
})
const UNSENT = { status: 'retrying', jir: null, confirmedAt: null } as const
const CONFIRMED = { status: 'confirmed', jir: randomUUID(), confirmedAt: NOW } as const

async function selling() {
  const url = await postgresDatabase()
  const store = await processOn(url)
  const shop = await openShop(store)
  const journal = { companyId: shop.companyId, mode: 'test' as const, premisesCode: 'KIOSK1' }
  return { url, store, shop, journal, sequence: { ...journal, year: 2026, register: '' } }
}

/** Stores what became of an invoice, as a process does that has sent it. */
const outcome = (invoice: Invoice, changes: Partial<Invoice>) => (on: OpenStore) =>
  on.transaction((tx) => tx.invoices.progress(invoice.id, progressOf({ ...invoice, ...changes })))

const nobodySends = createKeyedLock()

describe.skipIf(skipWithoutPostgres)('of two processes on one database', () => {
  describe('numbers:', () => {
    test('those of a premises are taken one after another, also the first one', async () => {
      const { url, journal, sequence } = await selling()
      const take = (on: OpenStore) =>
        on.transaction(async (tx) => {
          await tx.numbering.lockPremises(journal)
          const number = String(Number((await tx.numbering.highest(sequence)) ?? 0) + 1)
          await tx.numbering.setHighest(sequence, number)
          return number
        })
      expect(await overlap(url, 'numbering.highest', take, take)).toMatchObject([{ value: '1' }, { value: '2' }])
    })

    test('the row that sales lock begins at the end of the journal, without what a gateway sold there', async () => {
      const { url, store, shop, journal } = await selling()
      await shop.sold()
      await shop.sold({ seal: 'the last one' })
      const theirs = await openShop(store, { gatewayId: 'g', label: 'Theirs', isuNumber: '7' })
      await theirs.soldAll([[{ journalPosition: 9 }, { number: '9' }]])
      const empty = { ...journal, premisesCode: 'KIOSK2' }
      await store.transaction((tx) => tx.numbering.lockPremises(empty, journal, journal))
      expect(await query(url, 'SELECT premises_code, position, seal FROM journals ORDER BY 1')).toEqual([
        { premises_code: 'KIOSK1', position: '2', seal: 'the last one' },
        { premises_code: 'KIOSK2', position: '0', seal: NO_SEAL },
      ])
    })

    test('a sequence that is set back waits for the sale that takes its next number', async () => {
      const { url, store, shop, journal, sequence } = await selling()
      await shop.soldAll([[{}, { number: '1' }]])
      await store.numbering.setHighest(sequence, '90000000000')
      const sale = (on: OpenStore) =>
        on.transaction(async (tx) => {
          await tx.numbering.lockPremises(journal)
          const next = String(BigInt((await tx.numbering.highest(sequence)) ?? 0) + 1n)
          await tx.numbering.setHighest(sequence, next)
        })
      const order = { companyId: shop.companyId, premisesCode: 'KIOSK1', mode: null, year: null, register: null }
      const heal = (on: OpenStore) =>
        healNumbers({ store: on, clock, issued: { known: () => [] } }, OPERATOR, {
          ...order,
          after: null,
          dryRun: false,
        })
      const settled = await overlap(url, 'numbering.highest', sale, heal)
      expect(settled).toMatchObject([{ status: 'fulfilled' }, { value: [{ from: '90000000001', to: '1' }] }])
      expect(await store.numbering.aheadAmong(sequence, ['90000000001'])).toEqual(['90000000001'])
    })

    test('a sale while the journals are checked is no fault', async () => {
      const { url, store, shop, journal } = await selling()
      await store.numbering.setLevel({ ...journal, year: 2026 }, 'P')
      await shop.sold()
      const settled = await overlap(
        url,
        'invoices.lastOf',
        (on) => checkJournals(on),
        () => shop.sold(),
      )
      expect(settled[0]).toMatchObject({ value: { entries: 1, wrongNumbers: [] } })
    })
  })

  describe('invoices:', () => {
    test('one that is confirmed as its deadline passes is not said to have expired', async () => {
      const { url, store, shop } = await selling()
      const invoice = await shop.sold({ ...UNSENT, deadlineAt: 1 })
      const expired: string[] = []
      const settled = await overlap(url, 'invoices.progress', outcome(invoice, CONFIRMED), (on) =>
        createExpiry({ store: on, invoiceLock: nobodySends, clock, onExpired: ({ id }) => void expired.push(id) })(),
      )
      expect(settled[1]).toMatchObject({ status: 'fulfilled' })
      expect([expired, (await store.invoices.get(invoice.id))?.status]).toEqual([[], 'confirmed'])
    })

    test('one that another process has begun to send is not said to have expired', async () => {
      const { url, store, shop } = await selling()
      const invoice = await shop.sold({ ...UNSENT, deadlineAt: 1 })
      const other = await processOn(url)
      expect(await other.invoiceLock.claim([invoice.id], 1)).toEqual([invoice.id])
      // It was asked just before whether anybody sends the invoice.
      await createExpiry({ store, invoiceLock: nobodySends, clock, onExpired: () => {} })()
      expect((await store.invoices.get(invoice.id))?.status).toBe('retrying')
    })

    test('one that is sent again as it is put back into the queue keeps its attempts', async () => {
      const { url, store, shop } = await selling()
      const failed = { ...UNSENT, status: 'failed', lastErrorClass: 'certificate', deadlineAt: NOW * 2 } as const
      const invoice = await shop.sold(failed)
      await overlap(url, 'invoices.progress', outcome(invoice, { attempts: 2 }), (on) =>
        requeueFailed({ store: on, invoiceLock: nobodySends, clock }, OPERATOR),
      )
      expect(await store.invoices.get(invoice.id)).toMatchObject({ status: 'retrying', attempts: 2 })
    })

    test('one whose outcome is being stored is not taken over', async () => {
      const { url, shop } = await selling()
      const invoice = await shop.sold({ ...UNSENT, status: 'pending' })
      const settled = await overlap(url, 'invoices.progress', outcome(invoice, CONFIRMED), (on) =>
        takeOverInterrupted(on, invoice.id),
      )
      expect(settled[1]).toMatchObject({ value: { status: 'confirmed', jir: CONFIRMED.jir } })
    })
  })

  describe('idempotency keys:', () => {
    const use: IdempotencyUse = { scope: 'operator', mode: null, key: 'k', requestHash: 'h' }
    const once = (store: OpenStore) => createOnce({ store, keyLock: createKeyedLock(), clock })
    type Kept = (tx: StoreTransaction, result: { id: string }) => Promise<void>
    /** One request that may come twice, as routes answer it. */
    const request = (work: (on: OpenStore, keep: Kept) => Promise<{ id: string }>) => (on: OpenStore) =>
      once(on)(use, async (keep) => {
        const response = ({ id }: { id: string }) => ({ status: 200, body: id })
        return response(await work(on, (tx, result) => keep(tx, response(result))))
      })
    const bodies = (settled: PromiseSettledResult<unknown>[]) =>
      settled.map((one) => (one.status === 'fulfilled' ? (one.value as { body: string }).body : String(one.reason)))

    test('a request that comes to both has one effect and one response', async () => {
      const { url } = await selling()
      const wanted = { mode: 'test' as const, scopes: ['invoices:read'], deviceId: null, name: null }
      const create = request((store, keep) =>
        createApiKey({ store, clock, newUuid: randomUUID }, OPERATOR, wanted, keep),
      )
      const settled = await overlap(url, 'apiKeys.insert', create, create)
      const stored = await query<{ id: string }>(url, 'SELECT id FROM api_keys')
      expect(bodies(settled)).toEqual([stored[0]?.id, stored[0]?.id])
      expect(stored).toHaveLength(1)
      expect(settled.map((one) => one.status === 'fulfilled' && (one.value as { replayed: boolean }).replayed)).toEqual(
        expect.arrayContaining([true, false]),
      )
    })

    test('a request that is refused because of itself at the other gets the response from there', async () => {
      const { url } = await selling()
      const company = { name: 'Kava', oib: OIBS[1] as string, vatRegistered: true, address: {}, fiscalConfig: {} }
      const add = request((store, keep) => addCompany({ store, clock }, OPERATOR, { ...company, mode: 'test' }, keep))
      const [one, other] = bodies(await overlap(url, 'companies.insert', add, add))
      expect(other).toBe(one)
    })

    test('the response that was stored first stays, and is what the other answers', async () => {
      const { store } = await selling()
      const { mode: _, ...asked } = use
      await store.idempotency.insert({ ...asked, invoiceId: null, response: null }, null)
      const complete = (body: string) => store.idempotency.complete(use.scope, use.key, { status: 200, body })
      expect([await complete('first'), await complete('late')]).toEqual(['first', 'first'])
      expect((await store.idempotency.get(use.scope, use.key, null))?.response).toEqual({ status: 200, body: 'first' })
    })

    test('another request with the key of one at the other is refused', async () => {
      const { url } = await selling()
      const store = (hash: string) => (on: OpenStore) =>
        once(on)({ ...use, requestHash: hash }, (keep) =>
          on.transaction(async (tx) => {
            const response = { status: 200, body: hash }
            await keep(tx, response)
            return response
          }),
        )
      const settled = await overlap(url, 'idempotency.insert', store('one'), store('other'))
      expect(settled).toMatchObject([{ value: { body: 'one' } }, { reason: { code: 'idempotency_key_reused' } }])
    })

    test('what was sent by hand is stored, also when the other has answered the same request', async () => {
      const { url, shop } = await selling()
      const { id } = await shop.sold({ ...UNSENT, deadlineAt: NOW * 2 })
      const retry = request(async (on, keep) => {
        const submitter = createSubmitter({ store: on, clock, onStored: () => {} } as never)
        const waiting = {
          identityOf: async () => new FiskError('company_missing_certificate', 'it has none'),
          withUnsentInvoice: (_id: string, work: (invoice: Invoice) => unknown) =>
            on.invoiceLock.run(id, async () => work((await on.invoices.get(id)) as Invoice)),
        } as never
        const answer = { id: randomUUID() }
        await createRetry({ store: on, submitter, waiting, clock })(OPERATOR, id, (tx) => keep(tx, answer))
        return answer
      })
      // Both have looked for the key before either may send.
      const third = await processOn(url)
      const both = third.invoiceLock.run(id, async () => {
        const asked = Promise.allSettled([retry(await processOn(url)), retry(await processOn(url))])
        await setTimeout(300)
        return { asked }
      })
      const [one, other] = bodies((await (await both).asked) as Overlapped)
      expect(other).toBe(one)
      expect(await query(url, `SELECT 1 FROM audit_log WHERE action = 'invoice.retried'`)).toHaveLength(2)
    })
  })
})
