import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { PRINTER_PROFILES, type PrinterProfile } from '../../../src/domain/printer.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { RECEIPT_KINDS } from '../../support/receipt-kinds.ts'
import { IMPATIENT, startHost, startKind } from '../../support/receipt-printer.ts'

type AtTheEnd = Parameters<typeof startHost>[2]

/** Something that is no printer, at the address of one. */
async function startCheat(behave: (socket: Socket) => void, atTheEnd: AtTheEnd): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    behave(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(() => void server.close())
  return (server.address() as AddressInfo).port
}

const toAll = (answer: Uint8Array) => (socket: Socket) => void socket.on('data', () => socket.write(answer))

const CHEATS = {
  'answers 0x12 to everything': toAll(Uint8Array.of(0x12)),
  'answers 0x12 and 0x00 to everything': toAll(Uint8Array.of(0x12, 0)),
  'answers a full status to everything': toAll(Uint8Array.of(0x10, 0x0f, 0, 0, 0, 0)),
  'answers a status of Star to everything': toAll(Uint8Array.of(0x23, 6, 0, 0, 0, 0, 0, 0x24, 0)),
  'answers counters of Custom to everything': toAll(Buffer.from('\x10\x0f\0\0\0\x007on41 cuts', 'latin1')),
  'sends back what it gets': (socket: Socket) => void socket.pipe(socket),
  'is a modem': toAll(Buffer.from('\r\nERROR\r\n')),
}

const cases = Object.entries(CHEATS).flatMap(([name, cheat]) =>
  PRINTER_PROFILES.map((profile): [string, PrinterProfile, typeof cheat] => [name, profile, cheat]),
)

test.concurrent.for(cases)(
  'a peer that %s and prints nothing never makes a receipt `printed`: %s',
  async ([_, profile, cheat], { onTestFinished }) => {
    const port = await startCheat(cheat, onTestFinished)
    const host = startHost({ kind: 'tcp', host: '127.0.0.1', port }, settingsOf(profile, IMPATIENT), onTestFinished)
    const result = await host.print({ waitMs: 700 })
    expect(result.begun && result.status === 'printed').toBe(false)
  },
)

const [, GS_R] = RECEIPT_KINDS

test('an answer to GS r that comes ahead of the paper proves nothing until the paper can be out', async ({
  onTestFinished,
}) => {
  const options = { answersAhead: true, rowsPerMs: 1, timing: { mmPerS: 100 }, settings: { confirmTimeoutMs: 400 } }
  const { machine, print, when, onPaper } = await startKind(GS_R, options, onTestFinished)
  expect(await print()).toMatchObject({ status: 'printed' })
  expect(onPaper()).toBe(1)
  const begin = async () => {
    when(0.9, () => machine.runOutOfPaper())
    return true
  }
  expect(await print('TWO', { begin, waitMs: 2500 })).toMatchObject({ status: 'failed', reason: 'paper_out' })
  expect(onPaper('TWO')).toBe(0)
})
