import { generateKeyPair, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { createApp } from '../../api/app.ts'
import type { TaxAuthorityClient } from '../../cis/client.ts'
import { createKeyedLock } from '../../domain/keyed-lock.ts'
import { DEFAULT_SCOPES, UNLIMITED } from '../../fiscal/access/principal.ts'
import { NOTHING_ISSUED } from '../../fiscal/numbering/lost-sales.ts'
import type { BelievedAnswer, RehearsalStore } from '../../fiscal/ports/rehearsal.ts'
import type { NewSale } from '../../fiscal/ports/rows/sales.ts'
import { localInvoiceLock, type StoreTransaction } from '../../fiscal/ports/store.ts'
import type { SigningIdentities } from '../../fiscal/registry/signing-identities.ts'
import type { LookAtDisk } from '../../fiscal/sales/disk-space.ts'
import { createFiscalize, type Fiscalize, type FiscalizeDeps } from '../../fiscal/sales/fiscalize.ts'
import { createSubmitter } from '../../fiscal/sales/submit.ts'
import { timeOrderedId } from '../../fiscal/time-ordered-id.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import type { OpenStore } from '../../store/store.ts'
import { withLog } from '../lifecycle/log.ts'
import { VERSION } from '../version.ts'
import type { Step } from './warm-up.ts'

export interface RehearsedSaleDeps {
  store: OpenStore
  clock: FiscalizeDeps['clock']
  authority: Pick<TaxAuthorityClient, 'sign' | 'rehearse'>
  identities: SigningIdentities
  lookAtDisk: LookAtDisk
  log: Logger
  useCases: UseCases
}

/** The engine and the statements are as quick after so many sales as they get. */
const ROUNDS = 4

/** Too short to prove anything, and made in a moment: what it signs is thrown away. */
const THROWAWAY_BITS = 1024

/**
 * A sale's way from the bytes of the request to those of the answer, on made-up data: the database takes it all back,
 * and the latest stored answer of the authority stands for the one to this sale, so that its signer is known later.
 * Nothing is sent, logged, counted or printed. Without an earlier sale there is nothing to do.
 */
export async function* rehearsedSale(deps: RehearsedSaleDeps): AsyncGenerator<Step> {
  const { store, identities, clock } = deps
  const { rehearsal } = store
  if (!rehearsal) return
  const answer = await rehearsal.latestAnswer()
  const origin = answer && (await store.sales.origin(answer.deviceId))
  const certificate = origin?.certificate
  if (!answer || !origin || !certificate) return
  const { company } = origin
  // The key that the next sale signs with is unsealed; nothing is signed with it.
  identities.of(company, certificate, clock.of(company.mode).present(), 'device_id')
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: THROWAWAY_BITS })
  const fiscalize = rehearsedFiscalize(deps, rehearsal, answer, privateKey)
  const app = await createApp({
    useCases: { ...deps.useCases, fiscalize, noteSeen: async () => {} },
    identify: async () => ({ ...UNLIMITED, id: randomUUID(), tenantId: company.tenantId, scopes: DEFAULT_SCOPES }),
    log: deps.log.child({}, { level: 'silent' }),
    underLog: withLog,
    docsUrl: () => '',
    version: VERSION,
    open: null,
    countUpload: () => {},
  })
  try {
    await app.ready()
    const sell = () => {
      const sale = saleOf(answer.deviceId, clock.of(company.mode).now())
      return postInMemory((request, response) => app.routing(request, response), '/v1/invoices', sale)
    }
    for (let round = 0; round < ROUNDS; round++) yield sell
  } finally {
    await app.close()
  }
  yield collectGarbage
}

/** They fill the old generation up to where the first sale would have to share its processor with the collection. */
const collectGarbage = async () => globalThis.gc?.()

const saleOf = (deviceId: string, at: number) => ({
  device_id: deviceId,
  total: '1.00',
  payment_method: 'G',
  occurred_at: new Date(at).toISOString(),
})

function rehearsedFiscalize(
  { store, clock, authority, lookAtDisk }: RehearsedSaleDeps,
  rehearsal: RehearsalStore,
  answer: BelievedAnswer,
  privateKey: KeyObject,
): Fiscalize {
  const invoiceLock = localInvoiceLock()
  const sales = salesTakenBack(store, rehearsal)
  const rehearsed: FiscalizeDeps['store'] = { ...store, ...sales, invoiceLock }
  const submitter = createSubmitter({
    store: rehearsed,
    authority: {
      expect() {},
      sign: authority.sign,
      async submit(message, sent) {
        sent?.()
        const exchange = await authority.rehearse(message, answer)
        // The JIR of a sale exists once.
        return { ...exchange, outcome: { kind: 'confirmed', jir: randomUUID() } }
      },
      echo: () => Promise.reject(new Error('nothing is asked in a rehearsal')),
    },
    clock,
    newUuid: randomUUID,
    reportFault: () => {},
    keepsXml: async () => true,
    observe: () => {},
    onStored: () => {},
  })
  return createFiscalize({
    store: rehearsed,
    identities: {
      of(_company, certificate) {
        if (!certificate) throw new Error('the company has no certificate any more')
        return { certificateId: certificate.id, privateKey, certificateDer: certificate.certificate }
      },
    },
    submitter,
    keyLock: createKeyedLock(),
    clock,
    newInvoiceId: () => `inv_${timeOrderedId(Date.now())}`,
    issued: NOTHING_ISSUED,
    lookAtDisk,
    beforeNumber: async () => {},
    spool: { prepare() {}, wake() {} },
    links: { maker: async () => null },
  })
}

/** What a sale stores in two transactions, each of them rolled back: so the second one does the first one's work again. */
function salesTakenBack(store: OpenStore, rehearsal: RehearsalStore) {
  let inserted: NewSale | undefined
  /** The transaction is this rehearsal's own. */
  function remembering(tx: StoreTransaction): StoreTransaction {
    const { sales } = tx
    tx.sales = {
      ...sales,
      async insert(sale) {
        inserted = sale
        await sales.insert(sale)
      },
    }
    return tx
  }
  return {
    transaction: <T>(work: (tx: StoreTransaction) => Promise<T>) => rehearsal.rolledBack((tx) => work(remembering(tx))),
    sales: {
      ...store.sales,
      storeOutcome: (attempt: Parameters<OpenStore['sales']['storeOutcome']>[0]) =>
        rehearsal.rolledBack(async (tx) => {
          if (inserted) await tx.sales.insert(inserted)
          await tx.sales.storeOutcome(attempt)
        }),
    },
  }
}

const END_MS = 10_000

/** Over a connection in memory, with an idempotency key of its own. @returns the status @throws without an answer */
async function postInMemory(listener: RequestListener, path: string, body: object): Promise<number> {
  const text = JSON.stringify(body)
  const [client, connection] = duplexPair()
  const server = createServer({ requireHostHeader: false }, listener)
  server.emit('connection', connection)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `Idempotency-Key: ${randomUUID()}`,
  ]
  // Left open: a caller that has ended its side gets no answer.
  client.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  const patience = setTimeout(() => client.destroy(new Error('no answer')), END_MS)
  let answer = ''
  try {
    for await (const chunk of client) answer += chunk
  } finally {
    clearTimeout(patience)
    connection.destroy()
    server.close()
  }
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? []
  if (status === undefined) throw new Error('there was no answer')
  return Number(status)
}
