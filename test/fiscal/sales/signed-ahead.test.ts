import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { unavailable } from '../../../src/cis/answer/outcome.ts'
import { createKeyedLock } from '../../../src/domain/keyed-lock.ts'
import { NOTHING_ISSUED } from '../../../src/fiscal/numbering/lost-sales.ts'
import type { Invoice } from '../../../src/fiscal/ports/model.ts'
import { DatabaseAway } from '../../../src/fiscal/ports/store.ts'
import type { FiscalMessage, TaxAuthority } from '../../../src/fiscal/ports/tax-authority.ts'
import { createFiscalize } from '../../../src/fiscal/sales/fiscalize.ts'
import { createSubmitter } from '../../../src/fiscal/sales/submit.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { sellingIn } from '../../support/alerting.ts'
import { forBoth, presentAt } from '../../support/clocks.ts'
import { OPERATOR } from '../../support/people.ts'
import { freshStore } from '../../support/shop.ts'

const NOW = Date.parse('2026-11-27T09:00:00Z')
const now = () => NOW
const clock = forBoth({ now, proven: now, keyTime: now, present: () => presentAt(NOW) }) as never
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })

/** A sale whose steps are written down; what signs and sends fails when a test says so. */
async function selling({
  sign = async () => {},
  storing = (store: OpenStore) => store.transaction,
  lost = false,
  preparing = () => {},
} = {}) {
  const store = await freshStore()
  const { device, certificate } = await sellingIn(store, NOW)
  const steps: string[] = []
  const faults: string[] = []
  const authority: Pick<TaxAuthority, 'expect' | 'sign' | 'submit'> = {
    expect: () => void steps.push('connects'),
    async sign(message: FiscalMessage) {
      steps.push(`signs ${message.lateDelivery ? 'again' : message.document.number}`)
      await sign()
      return { ...message, xml: Buffer.from('<signed/>') }
    },
    async submit({ xml: requestXml, messageId }, sent) {
      steps.push(`sends ${messageId}`)
      if (!lost) sent?.()
      const outcome = unavailable('nobody answers')
      return {
        requestXml,
        responseXml: null,
        httpStatus: null,
        durationMs: 1,
        outcome,
        signature: null,
        answeredAt: null,
      }
    },
  }
  const messages: string[] = []
  const transaction: OpenStore['transaction'] = async (work, queue) => {
    const result = await storing(store)(work, queue)
    steps.push('is stored')
    return result
  }
  const submitter = createSubmitter({
    store: { ...store, transaction },
    authority: authority as TaxAuthority,
    clock,
    keepsXml: async () => true,
    observe() {},
    onStored() {},
    newUuid() {
      messages.push(randomUUID())
      return messages.at(-1) as string
    },
    reportFault: ({ error }) => faults.push((error as Error).message),
  })
  const fiscalize = createFiscalize({
    store: { ...store, transaction },
    submitter,
    clock,
    keyLock: createKeyedLock(),
    identities: { of: () => ({ certificateId: certificate.id, privateKey, certificateDer: Buffer.alloc(0) }) },
    newInvoiceId: () => `inv_${randomUUID()}`,
    issued: NOTHING_ISSUED,
    lookAtDisk: async () => ({ freeBytes: null, room: 'everything' }),
    beforeNumber: async () => {},
    spool: {
      prepare() {
        steps.push('prepares')
        preparing()
      },
      wake() {},
    },
  } as never)
  const sell = () =>
    fiscalize({
      principal: { ...OPERATOR, mode: 'test' },
      request: { device_id: device.id, total: '1.00', payment_method: 'G', occurred_at: new Date(NOW).toISOString() },
      idempotency: { scope: 'x', mode: null, key: randomUUID(), requestHash: 'x' },
      render: ({ status }: Invoice) => status,
    } as never)
  return { steps, faults, messages, sell }
}

test('the first message is signed while the sale is stored, and sent once it is', async () => {
  const { steps, messages, sell } = await selling()
  expect(await sell()).toMatchObject({ body: 'retrying' })
  const [first, second] = messages
  expect(steps).toEqual([
    ...['connects', 'signs 1', 'is stored', `sends ${first}`, 'prepares'],
    ...['signs again', `sends ${second}`, 'prepares'],
  ])
})

test('a fault while the answer is waited for is reported, and the sale goes on', async () => {
  const preparing = () => {
    throw new Error('no memory')
  }
  const { faults, messages, steps, sell } = await selling({ preparing })
  expect(await sell()).toMatchObject({ body: 'retrying' })
  expect(faults).toEqual(['no memory', 'no memory'])
  expect(steps).toContain(`sends ${messages[1]}`)
})

test('for a message that could not leave no receipt is begun', async () => {
  const { steps, messages, sell } = await selling({ lost: true })
  expect(await sell()).toMatchObject({ body: 'retrying' })
  expect(steps.slice(-2)).toEqual(['signs again', `sends ${messages[1]}`])
  expect(steps).not.toContain('prepares')
})

test('what was signed for a sale that could not be stored is never sent, and its failure disturbs nobody', async () => {
  const unhandled: unknown[] = []
  const hear = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  const { steps, sell } = await selling({
    sign: () => Promise.reject(new Error('the key is gone')),
    storing: (store) => (work, queue) =>
      store.transaction(async (tx) => {
        await work(tx)
        throw new Error('the disk is full')
      }, queue),
  })
  await expect(sell()).rejects.toThrow('the disk is full')
  expect(steps).toEqual(['connects', 'signs 1'])
  await new Promise(setImmediate)
  expect(unhandled).toEqual([])
})

test('a message is signed anew when the database was away meanwhile, because it says when it is sent', async () => {
  const { steps, messages, sell } = await selling({
    storing: (store) => async (work, queue) => {
      await store.transaction(work, queue)
      throw new DatabaseAway()
    },
  })
  expect(await sell()).toMatchObject({ body: 'retrying' })
  expect(steps.slice(0, 4)).toEqual(['connects', 'signs 1', 'signs 1', `sends ${messages[1]}`])
})

test('a sale that cannot be signed is stored, and the fault is reported', async () => {
  const { faults, steps, sell } = await selling({ sign: () => Promise.reject(new Error('the key is gone')) })
  expect(await sell()).toMatchObject({ body: 'retrying' })
  expect(faults).toEqual(['the key is gone', 'the key is gone'])
  expect(steps).toEqual(['connects', 'signs 1', 'is stored', 'signs again'])
})
