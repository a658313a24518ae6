import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../bundle.ts'
import { count, parse, runScript, say } from '../../chaos/arguments.ts'
import { createChance } from '../../chaos/chance.ts'
import { freePort } from '../../chaos/ports.ts'
import { openScratch, type Scratch } from '../../chaos/scratch.ts'
import { OIB } from '../../chaos/shop.ts'
import { openBenchEnvironment } from '../environment/environment.ts'
import { startStub } from '../environment/stub.ts'
import { round } from '../statistics.ts'
import { allocations, type HeapProfile, heapNodes } from './allocations.ts'
import { type CallFrame, type CpuProfile, nameSources, selfTimes } from './sources.ts'

const HELP = `npm run bench:profile [-- --clients 8] [--seconds 10] [--snapshots]

A daemon sells, and profiles/ gets what its main thread does and what it allocates.
  --clients    how many sell at a time
  --seconds    how long each of the two profiles takes
  --snapshots  heap snapshots before and after as well
`

const WARM_UP = 1000
const ROUND = 200
const TOLD = 30

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

await runScript(HELP, async () => {
  const { clients, seconds, snapshots, help } = parse(process.argv.slice(2), {
    clients: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '10' },
    snapshots: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  })
  if (help) {
    say(HELP)
    return 0
  }
  const scratch = openScratch(false)
  await profile({ clients: count('clients', clients), seconds: count('seconds', seconds), snapshots }, scratch)
  scratch.close()
  return 0
})

/** The daemon is the bundle, built with source maps so that the profiles name the sources. */
async function profile(
  { clients, seconds, snapshots }: { clients: number; seconds: number; snapshots: boolean },
  scratch: Scratch,
): Promise<void> {
  const dist = join(scratch.dir, 'dist')
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(scratch.dir, name))
  await bundle(dist, { sourcemap: true })
  const folder = resolve('profiles')
  mkdirSync(folder, { recursive: true })
  const at = new Date().toISOString().replace(/[:.]/g, '-')
  const pathOf = (ending: string) => join(folder, `fiskd-${at}${ending}`)

  const chance = createChance(Date.now())
  const stub = await startStub({ port: await freePort(chance), oib: OIB }, scratch)
  const socketPath = join(scratch.dir, 'profiler.sock')
  const stand = await openBenchEnvironment(
    {
      name: 'profile',
      dist,
      machines: clients,
      chance,
      stub,
      preloads: [fileURLToPath(new URL('profiler.mjs', import.meta.url))],
      env: { BENCH_PROFILER: socketPath },
    },
    scratch,
  )

  /** @throws Error with what the daemon says is wrong */
  async function order(name: 'start' | 'stop' | 'allocate' | 'allocated' | 'snapshot', path = ''): Promise<void> {
    const socket = connect(socketPath)
    socket.write(`${name} ${path}\n`)
    const problem = (await text(socket)).trim()
    if (problem !== '') throw new Error(`${name}: ${problem}`)
  }

  async function sell(): Promise<number> {
    const until = performance.now() + seconds * 1000
    let sales = 0
    for (; performance.now() < until; sales += ROUND) await stand.sell(clients, ROUND)
    return sales
  }

  function named<P>(path: string, nodesOf: (profile: P) => { callFrame: CallFrame }[]): P {
    const profile: P = JSON.parse(readFileSync(path, 'utf8'))
    nameSources(nodesOf(profile), ROOT)
    writeFileSync(path, JSON.stringify(profile))
    return profile
  }

  await stand.sell(clients, WARM_UP)
  if (snapshots) await order('snapshot', pathOf('-before.heapsnapshot'))
  await order('start')
  const sales = await sell()
  await order('stop', pathOf('.cpuprofile'))
  await order('allocate')
  const others = await sell()
  await order('allocated', pathOf('.heapprofile'))
  if (snapshots) await order('snapshot', pathOf('-after.heapsnapshot'))
  await stand.close()

  const spent = selfTimes(named<CpuProfile>(pathOf('.cpuprofile'), ({ nodes }) => nodes))
  console.table(
    spent.slice(0, TOLD).map(({ what, ms }) => ({ 'spent in': what, 'µs per sale': round((1000 * ms) / sales) })),
  )
  const allocated = allocations(named<HeapProfile>(pathOf('.heapprofile'), heapNodes))
  const kb = (bytes: number) => round(bytes / 1000 / others)
  console.table(allocated.slice(0, TOLD).map(({ what, bytes }) => ({ 'allocated in': what, 'KB per sale': kb(bytes) })))
  say(
    `allocated, all: ${kb(allocated.reduce((sum, { bytes }) => sum + bytes, 0))} KB per sale, without what lies outside the heap`,
  )
  say(`${clients} clients, ${sales} and ${others} sales: ${pathOf('')}*`)
}
