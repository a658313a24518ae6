import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../bundle.ts'
import { createChance } from '../../chaos/chance.ts'
import { freePort } from '../../chaos/ports.ts'
import { openScratch } from '../../chaos/scratch.ts'
import { OIB } from '../../chaos/shop.ts'
import { openBenchEnvironment } from '../environment/environment.ts'
import { startStub } from '../environment/stub.ts'
import { round } from '../statistics.ts'
import { nameSources, selfTimes } from './sources.ts'

/**
 * A CPU profile of a daemon at which eight clients sell for ten seconds, and a heap snapshot before and after them. The
 * daemon is the bundle, built with source maps so that the profile names the sources.
 */
const CLIENTS = 8
const WARM_UP = 1000
const SECONDS = 10
const ROUND = 200
const TOLD = 20

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const scratch = openScratch(false)
const dist = join(scratch.dir, 'dist')
for (const name of ['node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(scratch.dir, name))
await bundle(dist, { sourcemap: true })

const folder = resolve('profiles')
mkdirSync(folder, { recursive: true })
const at = new Date().toISOString().replace(/[:.]/g, '-')
const [profilePath, before, after] = ['.cpuprofile', '-before.heapsnapshot', '-after.heapsnapshot'].map((ending) =>
  join(folder, `fiskd-${at}${ending}`),
) as [string, string, string]

const chance = createChance(Date.now())
const stub = await startStub({ port: await freePort(chance), oib: OIB }, scratch)
const socketPath = join(scratch.dir, 'profiler.sock')
const stand = await openBenchEnvironment(
  {
    name: 'profile',
    dist,
    machines: CLIENTS,
    chance,
    stub,
    preloads: [fileURLToPath(new URL('profiler.mjs', import.meta.url))],
    env: { BENCH_PROFILER: socketPath },
  },
  scratch,
)
await stand.sell(CLIENTS, WARM_UP)
await order('snapshot', before)
await order('start')
const until = performance.now() + SECONDS * 1000
let sales = 0
for (; performance.now() < until; sales += ROUND) await stand.sell(CLIENTS, ROUND)
await order('stop', profilePath)
await order('snapshot', after)
await stand.close()

const profile = JSON.parse(readFileSync(profilePath, 'utf8'))
nameSources(profile, ROOT)
writeFileSync(profilePath, JSON.stringify(profile))
console.table(
  selfTimes(profile)
    .slice(0, TOLD)
    .map(({ what, ms }) => ({ 'spent in': what, 'ms per sale': round(ms / sales) })),
)
process.stdout.write(`${sales} sales\n${profilePath}\n${before}\n${after}\n`)
scratch.close()
process.exit()

/** @throws Error with what the daemon says is wrong */
async function order(name: 'start' | 'stop' | 'snapshot', path = ''): Promise<void> {
  const socket = connect(socketPath)
  socket.write(`${name} ${path}\n`)
  const problem = (await text(socket)).trim()
  if (problem !== '') throw new Error(`${name}: ${problem}`)
}
