import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJsonBodies } from '../../../src/api/json-body.ts'
import { compileWhenUsed } from '../../../src/api/validation.ts'
import { saleView } from '../../../src/api/views/invoice.ts'
import { SaleBody } from '../../../src/contract/v1/invoice.ts'
import { createKeyedLock } from '../../../src/domain/keyed-lock.ts'
import { resolveSale, type SaleRequest } from '../../../src/domain/sale/resolve-sale.ts'
import { DEFAULT_SCOPES, type Principal } from '../../../src/fiscal/access/principal.ts'
import { NOTHING_ISSUED } from '../../../src/fiscal/numbering/lost-sales.ts'
import type { SigningIdentity } from '../../../src/fiscal/ports/certificates.ts'
import type { TaxAuthority } from '../../../src/fiscal/ports/tax-authority.ts'
import { computeZki } from '../../../src/fiscal/sales/compute-zki.ts'
import { createFiscalize } from '../../../src/fiscal/sales/fiscalize.ts'
import { createSubmitter } from '../../../src/fiscal/sales/submit.ts'
import { timeOrderedId } from '../../../src/fiscal/time-ordered-id.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../../src/store/store.ts'
import type { Bench } from '../bench.ts'
import { idOf } from '../environment/sequence.ts'
import { median } from '../statistics.ts'
import { type Fleet, OIB, storeFleet } from '../stored-sales.ts'
import { authorityInSteps, identityOf } from './authority-in-steps.ts'
import { createStopwatch, type Stopwatch } from './stopwatch.ts'

const WARM_UP = 300

const WHOLE = 'all of it, without HTTP'
const PHASES = [
  ...['parse', 'validate', 'number and store', 'ZKI', 'build', 'wait', 'verify', 'store outcome'],
  'between them',
]

/**
 * Where the time of a sale goes: the real use case with the real store and the real client of the authority, one sale
 * after another in one process, from the sources; the clock is read between the phases. Not in it: HTTP, API keys and
 * limits, which is what is left of the latency of one client. The message is signed while the sale is stored; what is waited
 * for it afterwards is between the phases. "wait" is the way to the stub and back. Medians of phases add
 * up to the median of all of it on a quiet machine only.
 */
export async function phases(bench: Bench): Promise<void> {
  const { figures, runs, scratch, stub, much } = bench
  const store = await openStore(join(scratch.dir, 'phases.db'), Date.now())
  const fleet = await storeFleet(store, Date.now())
  const identity = await identityOf(stub.facts, fleet.certificateId)
  const sales = much(600, 200)
  const watch = createStopwatch()
  const sell = await createSeller({ store, fleet, identity, authority: authorityInSteps(stub.facts, watch), watch })
  await stub.sign(WARM_UP + runs * sales)
  for (let i = 0; i < WARM_UP; i++) await sell()
  for (let run = 0; run < runs; run++) {
    watch.taken.clear()
    for (let i = 0; i < sales; i++) await sell()
    for (const phase of [...PHASES, WHOLE]) figures.add(phase, 'ms', median(watch.taken.get(phase) ?? []))
  }
  await store.close()
}

interface Parts {
  store: OpenStore
  fleet: Fleet
  identity: SigningIdentity
  authority: TaxAuthority
  watch: Stopwatch
}

async function createSeller({ store, fleet, identity, authority, watch }: Parts): Promise<() => Promise<void>> {
  const device = await store.devices.get(fleet.deviceIds[0] ?? '')
  if (!device) throw new Error('there is no machine')
  const shown = {
    now: Date.now,
    proven: Date.now,
    keyTime: Date.now,
    present: () => ({ now: Date.now(), earliest: Date.now(), latest: Date.now() }),
  }
  const clock = { ...shown, of: () => shown }
  let sent = 0
  const timedStore: OpenStore = {
    ...store,
    transaction: (work) => watch.during('number and store', () => store.transaction(work)),
    sales: { ...store.sales, settle: (attempt) => watch.during('store outcome', () => store.sales.settle(attempt)) },
  }
  const submitter = createSubmitter({
    store: timedStore,
    authority,
    clock,
    newUuid: () => idOf(sent++),
    reportFault({ error }) {
      throw error
    },
    keepsXml: async () => true,
    observe() {},
    onStored() {},
  })
  const fiscalize = createFiscalize({
    store: timedStore,
    submitter,
    clock,
    keyLock: createKeyedLock(),
    identities: { of: () => identity },
    newInvoiceId: () => `inv_${timeOrderedId(Date.now())}`,
    issued: NOTHING_ISSUED,
    lookAtDisk: async () => ({ freeBytes: null, room: 'everything' }),
    beforeNumber: async () => {},
    spool: { prepare() {}, wake() {} },
  })
  const principal: Principal = {
    id: randomUUID(),
    tenantId: DEFAULT_TENANT,
    mode: null,
    scopes: DEFAULT_SCOPES,
    deviceId: null,
    companyIds: null,
    isPlatformAdmin: false,
  }
  const origin = { company: { oib: OIB, vatRegistered: true, fiscalConfig: {} }, device }
  const parse = jsonParser()
  const isValid = compileWhenUsed({ schema: SaleBody, method: 'POST', url: '/v1/invoices', httpPart: 'body' })

  return async () => {
    const bytes = Buffer.from(
      JSON.stringify({
        device_id: device.id,
        total: '2.50',
        payment_method: 'G',
        occurred_at: new Date().toISOString(),
      }),
    )
    const request = (await watch.during('parse', () => parse(bytes))) as SaleRequest
    let formMs = 0
    const sale = await watch.during('validate', async () => {
      formMs = await watch.measure(() => {
        if (!isValid(request)) throw new Error('the sale is not valid')
      })
      return resolveSale(request, origin, clock.present())
    })
    const { document, totalCents } = sale
    const zki = { ...document, occurredAt: sale.occurredAt, number: '1', totalCents }
    const zkiMs = await watch.measure(() => computeZki(zki, identity.privateKey))
    const idempotency = { scope: principal.id, mode: null, key: randomUUID(), requestHash: randomUUID() }
    const whole = await watch.measure(() =>
      fiscalize({ principal, request, idempotency, render: (invoice) => JSON.stringify(saleView(invoice)) }),
    )
    watch.note('ZKI', zkiMs)
    // Both are made inside that transaction.
    watch.shorten('number and store', zkiMs + watch.last('build'))
    // The use case has neither of them in it; what is valid it resolves once more.
    const all = whole + watch.last('parse') + formMs
    watch.note(
      'between them',
      all - PHASES.reduce((sum, phase) => sum + watch.last(phase), 0) + watch.last('between them'),
    )
    watch.note(WHOLE, all)
  }
}

/** What the API has fastify parse bodies with. */
function jsonParser(): (body: Buffer) => Promise<unknown> {
  let parser: ((request: FastifyRequest, body: Buffer) => Promise<unknown>) | undefined
  const ignored = () => {}
  parseJsonBodies({
    decorateRequest: ignored,
    addHook: ignored,
    removeContentTypeParser: ignored,
    addContentTypeParser: (_type: unknown, _options: unknown, given: typeof parser) => {
      parser = given
    },
  } as unknown as FastifyInstance)
  if (!parser) throw new Error('the API parses no JSON')
  const parseBody = parser
  return (body) => parseBody({} as FastifyRequest, body)
}
