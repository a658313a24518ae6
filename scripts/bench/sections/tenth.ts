import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'undici'
import { type Machine, startTcpPrinter } from '../../../src/simulator/index.ts'
import { freePort } from '../../chaos/ports.ts'
import { OIB } from '../../chaos/shop.ts'
import type { Bench } from '../bench.ts'
import type { BenchEnvironment } from '../environment/environment.ts'
import { threadsCpuMs } from '../environment/process-use.ts'
import { startStub } from '../environment/stub.ts'
import { openCgroup } from '../weak/cgroup.ts'

const SHARE = 0.1

/** What a sale takes beyond the authority's own delay, and when its receipt begins after the answer to the machine. */
const MOST = { ownMs: 60, firstByteMs: 10 }

/** Shorter than in service: the processor that a share leaves unused in a slice is not kept for later. */
const ANSWER_MS = 300

/** Sales that are measured. */
const [LONG, SHORT] = [30, 12]

/** So many sales go before them, at full speed: the engine compiles what has run some hundred times. */
const WARM_UP = { long: 1000, short: 400, clients: 8 }
/** And so many with a receipt. */
const SETTLING = 10

/** The initialization that each receipt begins with. */
const ESC_AT = Buffer.from([0x1b, 0x40])
const RECEIPT_MS = 30_000

/** Between two customers, when the receipt is cut: what follows is over, too. A printer at work takes no other receipt. */
const BETWEEN_MS = 700

/**
 * One machine with a printer and a connection that is kept, at a daemon that has a tenth of a core, as on a small board.
 * A share comes in slices of 1 ms every 10: nothing takes less than its processor time, ten times.
 */
export async function tenth(bench: Bench): Promise<void> {
  const { figures, runs, scratch, chance, much, dist } = bench
  const stub = await startStub({ port: await freePort(chance), oib: OIB, answerMs: ANSWER_MS }, scratch)
  const group = openCgroup('tenth', scratch)
  let cuts = 0
  const printer = await startTcpPrinter({ onPaper: () => cuts++ })
  const receipts = watch(printer, () => cuts)
  const stand = await bench.stand({ name: 'tenth', machines: 1, dist, stub, env: { NODE_OPTIONS: '' } })
  await stand.sell(WARM_UP.clients, much(WARM_UP.long, WARM_UP.short))
  // One that says at once when a receipt is out, and so takes the next one.
  const line = `tcp:127.0.0.1:${printer.port}`
  await stand.daemon.admin('PATCH', `/admin/printers/${stand.shop.machines[0]?.id}`, { line, profile: 'epson-tm-t20' })
  const client = new Client(stand.daemon.base, { connect: { ca: stand.ca } })
  const pid = stand.daemon.pid() ?? 0
  for (let i = 0; i < SETTLING; i++) await sell(stand, client, receipts)
  group.limitCpu(SHARE)
  group.add(pid)
  for (let run = 0; run < runs; run++) {
    for (let i = 0; i < much(LONG, SHORT); i++) {
      const { ownMs, firstByteMs, cpuMs } = await sell(stand, client, receipts)
      figures.add("a tenth of a core: own time of a sale, without the authority's", 'ms', ownMs, { most: MOST.ownMs })
      figures.add('a tenth of a core: processor time until the answer', 'ms', cpuMs)
      figures.add('a tenth of a core: first byte of the receipt after the answer', 'ms', firstByteMs, {
        most: MOST.firstByteMs,
      })
    }
  }
  await client.close()
  await stand.close()
  await printer.close()
}

interface Receipts {
  /** Forgets the last one. */
  expect(): void
  /** Waits until it is cut. @returns when the first byte came. @throws Error when there is none */
  begun(): Promise<number>
}

function watch(printer: Machine, cuts: () => number): Receipts {
  const receive = printer.receive.bind(printer)
  let at = 0
  let before = 0
  printer.receive = (bytes) => {
    if (at === 0 && Buffer.from(bytes).includes(ESC_AT)) at = performance.now()
    receive(bytes)
  }
  return {
    expect() {
      at = 0
      before = cuts()
    },
    async begun() {
      const since = performance.now()
      while (cuts() === before && performance.now() - since < RECEIPT_MS) await pause(5)
      if (at === 0 || cuts() === before) throw new Error('no receipt came')
      return at
    },
  }
}

async function sell({ post, daemon }: BenchEnvironment, client: Client, receipts: Receipts) {
  const pid = daemon.pid() ?? 0
  receipts.expect()
  const used = threadsCpuMs(pid)
  const began = performance.now()
  const { status } = JSON.parse(await post(client, 0)) as { status?: string }
  const answeredAt = performance.now()
  const cpuMs = threadsCpuMs(pid) - used
  if (status !== 'confirmed') throw new Error(`a sale is ${status}`)
  const firstByteMs = (await receipts.begun()) - answeredAt
  await pause(BETWEEN_MS)
  return { ownMs: answeredAt - began - ANSWER_MS, firstByteMs, cpuMs }
}
