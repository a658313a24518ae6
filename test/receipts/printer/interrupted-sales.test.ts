import { beforeAll, expect, test } from 'vitest'
import type { PtyPrinter } from '../../../src/simulator/index.ts'
import { eventually } from '../../support/eventually.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../../support/gateway.ts'
import { codesIn, startVirtualPrinterForFile, withoutBlanks } from '../../support/printer.ts'
import { skipWithout } from '../../support/tools.ts'

/** A printer is interrupted after so many bytes, the next one after twice as many, and so on to the end of the receipt. */
const EVERY = 64

interface Place {
  printer: PtyPrinter
  deviceId: string
  byte: number
}

interface Ended {
  status: string
  printed_at: string | null
}

let gateway: Gateway
let places: Place[]

beforeAll(async () => {
  gateway = await startSharedGateway()
  const first = await place(0)
  await sell([first])
  const bytes = first.printer.printedBytes
  // The last place is interrupted while its printer still has something to do.
  const rest = Array.from({ length: Math.floor(bytes / EVERY) - 2 }, (_, index) => place(index + 1))
  places = [first, ...(await Promise.all(rest))].map((one, index) => ({ ...one, byte: (index + 1) * EVERY }))
})

async function place(index: number): Promise<Place> {
  const printer = await startVirtualPrinterForFile({ rowsPerMs: 5 })
  const deviceId = await gateway.addDevice({ label: `place ${index}`, isu_number: String(1000 + index) })
  const settings = { answer_timeout_ms: 400, confirm_timeout_ms: 2000 }
  const body = { line: `serial:${printer.path}`, profile: 'epson-tm-t20', settings }
  await gateway.admin(`/admin/printers/${deviceId}`, { method: 'PATCH', body })
  await isReady(deviceId)
  return { printer, deviceId, byte: 0 }
}

async function conditionOf(deviceId: string): Promise<string | undefined> {
  const { body } = await gateway.admin<{ data: { device: { id: string }; condition: { state: string } }[] }>(
    '/admin/printers',
  )
  return body.data.find(({ device }) => device.id === deviceId)?.condition.state
}

async function isReady(deviceId: string): Promise<void> {
  await eventually(async () => expect(await conditionOf(deviceId)).toBe('ready'))
}

/** How long a receipt that waits for its printer is still wanted. */
async function expireAfter(seconds: number): Promise<void> {
  const body = { expire_after_s: seconds }
  await Promise.all(
    places.map(({ deviceId }) => gateway.admin(`/admin/printers/${deviceId}`, { method: 'PATCH', body })),
  )
  for (const { deviceId } of places) await isReady(deviceId)
}

/** A sale at each place at once. @returns what became of their receipts, when that is settled */
async function sell(where: Place[]): Promise<{ place: Place; sold: InvoiceBody; print: Ended }[]> {
  const sold = await Promise.all(where.map(({ deviceId }) => gateway.sell({ device_id: deviceId })))
  return Promise.all(
    sold.map(async (sale, index) => ({ place: where[index] as Place, sold: sale, print: await settled(sale.id) })),
  )
}

async function settled(id: string): Promise<Ended> {
  const read = async () => ((await gateway.invoice(id)) as unknown as { receipt_print: Ended }).receipt_print
  await eventually(async () => expect((await read()).status).not.toMatch(/queued|sending/))
  return read()
}

const begins = ({ printer }: Place, { number }: InvoiceBody) =>
  printer.papers.filter(({ text }) => text.includes(`Račun br.: ${number}/POSL1/`)).length
/** Whole, and cut off. */
const wholes = ({ printer }: Place, { number, zki, jir, qr_payload }: InvoiceBody) =>
  printer.papers.filter(
    ({ text, cut, png }) =>
      cut &&
      text.includes(`Račun br.: ${number}/POSL1/`) &&
      withoutBlanks(text).includes(zki) &&
      withoutBlanks(text).includes(String(jir)) &&
      text.trimEnd().endsWith('OVO NIJE FISKALIZIRANI RAČUN') &&
      codesIn(png()).includes(qr_payload),
  ).length

interface Interruption {
  what: string
  begin: (place: Place) => void
  end: (place: Place) => Promise<void> | void
}

const INTERRUPTIONS: Interruption[] = [
  {
    what: 'the power, and comes back',
    // Flow control holds the rest of every second one until then.
    begin: ({ printer, byte }) => printer.powerCycle({ offMs: 1500, held: (byte / EVERY) % 2 === 0 }),
    end() {},
  },
  { what: 'the cable', begin: ({ printer }) => printer.unplug(), end: ({ printer }) => printer.plugIn() },
  { what: 'the paper', begin: ({ printer }) => printer.runOutOfPaper(), end: ({ printer }) => printer.loadPaper() },
]

test.skipIf(skipWithout('zbarimg')).each(INTERRUPTIONS)(
  'a receipt that loses $what, at every 64th byte: no second original, nothing called printed that is not, and the next one comes out',
  async ({ begin, end }) => {
    await expireAfter(5)
    for (const place of places) place.printer.at(place.printer.printedBytes + place.byte, () => begin(place))
    const sales = await sell(places)
    await Promise.all(places.map(end))
    await expect.poll(() => places.every(({ printer }) => printer.idle)).toBe(true)

    const told = sales.map(({ place, sold, print }) => ({
      byte: place.byte,
      status: print.status,
      begun: begins(place, sold),
      whole: wholes(place, sold),
    }))
    expect(told.filter(({ begun }) => begun > 1)).toEqual([])
    expect(told.filter(({ status, whole }) => status === 'printed' && whole !== 1)).toEqual([])
    // The interruptions did interrupt.
    expect(told.filter(({ status }) => status !== 'printed').length).toBeGreaterThan(places.length / 2)

    // A machine that is busy with all of them may be slow.
    await expireAfter(60)
    for (const { place, sold, print } of await sell(places)) {
      // And miss an answer.
      expect(print.status).toMatch(/^(printed|unconfirmed)$/)
      expect({ byte: place.byte, whole: wholes(place, sold) }).toEqual({ byte: place.byte, whole: 1 })
    }
  },
)
