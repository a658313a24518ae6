import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import type { BenchEnvironment } from '../environment/environment.ts'

const CLIENTS = 8
const PATIENCE_MS = 120_000

/** Sales of an outage go out when it is over: so many in a second, beside what machines sell in a second. */
export async function backlog(bench: Bench): Promise<void> {
  const { figures, runs, stub, much } = bench
  const queue = much(1000, 300)
  const env = { FISKD_SWEEP_INTERVAL_S: '1' }
  const stand = await bench.stand({ name: 'backlog', machines: CLIENTS, env })
  await stand.sell(CLIENTS, much(600, 300))
  for (let run = 0; run < runs; run++) {
    const live = await stand.sell(CLIENTS, queue)
    await stub.goDown()
    const outage = await stand.sellAnyhow(CLIENTS, queue)
    if ((await waitingOf(stand)) !== queue) throw new Error(`of ${queue} sales of an outage not all wait`)
    await stub.comeBack()
    const drained = await drain(stand)
    figures.add(`sales, ${CLIENTS} clients`, '1/s', live.perSecond)
    figures.add(`sales while the authority is away, ${CLIENTS} clients`, '1/s', outage.perSecond)
    figures.add(`backlog of ${queue}, drained`, '1/s', drained)
    figures.add('drained / sold', '×', drained / live.perSecond)
  }
  await stand.close()
}

/** @returns how many went out in a second, from the first one on */
async function drain(stand: BenchEnvironment): Promise<number> {
  const whole = await waitingOf(stand)
  const giveUpAt = performance.now() + PATIENCE_MS
  let begun: { at: number; waiting: number } | undefined
  for (;;) {
    const waiting = await waitingOf(stand)
    const at = performance.now()
    if (waiting < whole) begun ??= { at, waiting }
    if (begun && waiting === 0) return (begun.waiting * 1000) / (at - begun.at)
    if (at > giveUpAt) throw new Error(`${waiting} sales still wait`)
    await pause(20)
  }
}

async function waitingOf({ daemon }: BenchEnvironment): Promise<number> {
  const { queue } = (await daemon.admin('GET', '/admin/sweep')) as { queue: { retrying: number; pending: number } }
  return queue.retrying + queue.pending
}
