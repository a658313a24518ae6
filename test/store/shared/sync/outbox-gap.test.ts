import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../../../src/store/store.ts'
import { enrolment } from '../../../support/enrolments.ts'
import { fleet, withoutLogo } from '../../../support/sync-rows.ts'
import { tempDir } from '../../../support/temp-dir.ts'

const OWNER = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
const EVERYTHING = 100_000

/** What happens in a shop, to a sale that is chosen by `pick`. */
const SALE = ['sell', 'confirm', 'print', 'begin', 'copy', 'tell', 'rename', 'see', 'raise', 'resolve'] as const
const SHOP = fc.record({ what: fc.constantFrom(...SALE), pick: fc.nat() })
/** What happens to the outbox: one step of filling it, one that is cut off, a new start, the server is left. */
const CARE = fc.record({ what: fc.constantFrom('place', 'place', 'cut', 'restart', 'leave', 'enrol'), pick: fc.nat() })
type Event = { what: (typeof SALE)[number] | 'place' | 'cut' | 'restart' | 'leave' | 'enrol'; pick: number }

test('whoever enrols later tells exactly the rows of somebody who has always noted them, wherever it is cut off', async () => {
  const runs = fc.asyncProperty(
    fc.array(SHOP, { maxLength: 25 }),
    fc.array(fc.oneof({ arbitrary: SHOP, weight: 2 }, CARE), { maxLength: 40 }),
    async (before, later) => {
      const always = await openShop()
      const late = await openShop()
      await always.store().enrolment.put(enrolment())
      await place(always, EVERYTHING)
      const shop = createShop([always, late])
      await shop.open()
      for (const event of before) await shop.live(event)
      await enrol(late)
      for (const event of later) await happen(late, shop, event)
      await enrol(late)
      await place(late, EVERYTHING)

      expect(await rowsOf(late.store())).toEqual(await rowsOf(always.store()))
      expect(await late.store().outbox.waiting(0)).toBe(await always.store().outbox.waiting(0))
      // A server that knew them from before takes no version that is not newer.
      expect((await late.store().outbox.after(0, 1))[0]?.position).toBeGreaterThan(late.mark)
      await Promise.all([always, late].map(({ store }) => store().close()))
    },
  )
  await fc.assert(runs, { numRuns: 12 })
})

type Shop = Awaited<ReturnType<typeof openShop>>

async function openShop() {
  const path = join(await tempDir(), 'fiskd.db')
  let store = await openStore(path, 1)
  return {
    /** The last place that the server before may know. */
    mark: 0,
    store: () => store,
    async restart() {
      await store.close()
      store = await openStore(path, 1)
    },
  }
}

async function place({ store }: Shop, rows: number): Promise<void> {
  while (!(await store().transaction((tx) => tx.outbox.addOlder(rows))));
}

/** The same rows in every store. */
function createShop(shops: Shop[]) {
  const rows = fleet()
  const sold: ReturnType<typeof rows.invoice>[] = []
  const copies = new Map<string, number>()
  const messages = new Map<string, number>()
  const raised: ReturnType<typeof rows.alert>[] = []
  const inAll = async (work: (store: OpenStore) => Promise<unknown>) => {
    for (const { store } of shops) await work(store())
  }
  /** What cannot happen to this row any more does not happen. */
  const ifPossible = (work: Promise<unknown>) => work.catch(() => {})

  async function live({ what, pick }: Event): Promise<void> {
    const invoice = sold[pick % (sold.length || 1)]
    const alert = raised[pick % (raised.length || 1)]
    if (what === 'sell') {
      const next = rows.invoice(sold.length + 1, { status: 'retrying', jir: null, confirmedAt: null })
      sold.push(next)
      await inAll((store) => store.invoices.insert({ ...next, ...OWNER }))
    } else if (what === 'rename') {
      await inAll((store) => store.companies.update(rows.company.id, { name: `Kava ${pick}` }))
    } else if (what === 'see') {
      await inAll((store) => store.devices.update(rows.device.id, { lastSeenAt: pick }))
    } else if (what === 'raise') {
      const next = rows.alert({ subject: `disk ${raised.length}` })
      raised.push(next)
      await inAll((store) => store.alerts.raise({ ...next, tenantId: DEFAULT_TENANT }))
    } else if (what === 'resolve' && alert) {
      await inAll((store) => store.alerts.resolve(alert.kind, alert.subject, pick))
    } else if (invoice) {
      await liveWith(invoice, what)
    }
  }

  async function liveWith(invoice: (typeof sold)[number], what: Event['what']): Promise<void> {
    const { id } = invoice
    const copy = copies.get(id) ?? 0
    if (what === 'confirm') {
      const progress = { ...invoice, status: 'confirmed', jir: id.slice(4), confirmedAt: 5, attempts: 2 } as const
      await inAll((store) => ifPossible(store.invoices.progress(id, progress)))
    } else if (what === 'print' || what === 'copy') {
      copies.set(id, copy + 1)
      await inAll((store) => store.printJobs.insert(rows.printJob(id, { copy })))
    } else if (what === 'begin') {
      await inAll((store) => ifPossible(store.printJobs.begin(id, Math.max(0, copy - 1), 7)))
    } else if (what === 'tell') {
      const attemptNo = (messages.get(id) ?? 0) + 1
      messages.set(id, attemptNo)
      const message = rows.message(id, { attemptNo })
      await inAll((store) => store.messages.insert({ ...message, requestXml: '<a/>', responseXml: null }))
    }
  }

  return {
    live,
    open: () =>
      inAll(async (store) => {
        await store.companies.insert({ ...withoutLogo(rows.company), logoHash: null, ...OWNER })
        await store.certificates.insert({ ...rows.certificate, sealedKey: Buffer.from('secret') })
        await store.devices.insert({ ...rows.device, ...OWNER })
      }),
  }
}

async function happen(late: Shop, shop: ReturnType<typeof createShop>, event: Event): Promise<void> {
  const { store } = late
  if (event.what === 'place') await store().transaction((tx) => tx.outbox.addOlder(1 + (event.pick % 7)))
  else if (event.what === 'cut') await cutOff(store(), 1 + (event.pick % 7))
  else if (event.what === 'restart') await late.restart()
  else if (event.what === 'leave') await store().enrolment.remove()
  else if (event.what === 'enrol') await enrol(late)
  else await shop.live(event)
}

async function enrol(shop: Shop): Promise<void> {
  if (await shop.store().enrolment.get()) return
  shop.mark = await shop.store().outbox.last()
  await shop.store().enrolment.put(enrolment())
}

/** Power goes before the step is on the disk. */
async function cutOff(store: OpenStore, rows: number): Promise<void> {
  const step = store.transaction(async (tx) => {
    await tx.outbox.addOlder(rows)
    throw new Error('power cut')
  })
  await expect(step).rejects.toThrow('power cut')
}

/** Every row that would be told, without its version. */
async function rowsOf(store: OpenStore) {
  const entries = await store.outbox.after(0, EVERYTHING)
  const records = await store.outbox.read(entries, DEFAULT_TENANT)
  expect(records).toHaveLength(entries.length)
  return records
    .map(({ version: _version, ...record }) => record)
    .toSorted((one, other) => (`${one.kind} ${one.id}` < `${other.kind} ${other.id}` ? -1 : 1))
}
