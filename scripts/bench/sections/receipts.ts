import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { createClient } from '../../../src/cli/daemon/client.ts'
import { oibCheckDigit } from '../../../src/domain/oib.ts'
import { encodeRecord } from '../../../src/sync/wire/records.ts'
import { HEARTBEAT } from '../../../test/support/commands.ts'
import { fleet, record } from '../../../test/support/sync-rows.ts'
import { ask } from '../../chaos/http.ts'
import { freePort } from '../../chaos/ports.ts'
import { pause } from '../../chaos/wait.ts'
import { createKillableProcess } from '../../chaos-sync/machine.ts'
import { riseOrThrow } from '../../chaos-sync/servers.ts'
import { RECEIPTS_URL, setUpLinks } from '../../hostile/links.ts'
import { createProbe } from '../../hostile/probe.ts'
import { speaks } from '../../hostile/stages/sync.ts'
import { speakerAt } from '../../hostile/world.ts'
import type { Bench } from '../bench.ts'
import { signIn } from './pages.ts'

/** In a second: rows and questions of gateways, pages of the office; tokens that somebody makes up, and phones. */
const [PUSHES, POLLS, PAGES, MADE_UP, GENUINE] = [30, 30, 6, 50, 2]
const SHOWN = ['/dashboard', '/dashboard/invoices', '/dashboard/devices']
const OIBS = ['1000000001', '1000000002', '1000000003'].map((ten) => `${ten}${oibCheckDigit(ten)}`)
/** How often as much as alone the office may take beside strangers, and how long a turn of the loop. */
const MOST = { times: 1.1, turnMs: 50 }

/** Whether strangers who try links, and phones that open theirs, are in the way of gateways and the office at one server. */
export async function receipts({ figures, scratch, chance, dist, stub, runs, much }: Bench): Promise<void> {
  const listen = `127.0.0.1:${await freePort(chance)}`
  const probe = createProbe(join(scratch.dir, 'receipts.probe'), [], '')
  const shows = { FISKD_ROLE: 'server', FISKD_RECEIPTS_URL: RECEIPTS_URL, FISKD_RECEIPTS_LISTEN: listen }
  const env = { ...probe.env, ...shows, HOSTILE_PROBE_LEAST_MS: '30', RATE_LIMIT_ENABLED: 'false' }
  const order = { name: 'receipts', dist, authority: stub, port: await freePort(chance), env }
  const server = createKillableProcess(order, scratch)
  await riseOrThrow(server)
  const { speaker: seller } = await speakerAt(server, 'seller')
  const { speaker: stranger } = await speakerAt(server, 'stranger')
  const links = await setUpLinks({ server, listen, seller, oibs: [OIBS[0] ?? '', OIBS[1] ?? ''], stranger })
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(server.dataDir, 'tls', 'ca.pem')) })
  const page = await signIn(createClient(server.socketPath), server.base, agent)
  const machine = fleet({ oib: OIBS[2] ?? '', premisesCode: 'KIOSK9', isuNumber: '9001' })
  await stranger.push(machine.parents())

  const say = async (path: string, body: object) => {
    const answer = await ask({ base: server.base, agent }, speaks(stranger, path, JSON.stringify(body), true))
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.text}`)
    return JSON.parse(answer.text)
  }
  let number = 0
  const pushOne = async () => {
    const invoice = machine.invoice(++number)
    const rows = [record('invoice', invoice), record('message', machine.message(invoice.id))]
    const position = Math.max(...rows.map(({ version }) => version))
    const { refused } = await say('/push', { after: 0, position, records: rows.map(encodeRecord) })
    if (refused.length > 0) throw new Error(JSON.stringify(refused))
  }
  let pushed: Promise<void> = Promise.resolve()
  // As a gateway does it, one after another.
  const push = () => {
    pushed = pushed.then(pushOne)
    return pushed
  }
  const poll = () => say('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 })
  const office = [
    ...Array(PUSHES).fill(push),
    ...Array(POLLS).fill(poll),
    ...Array.from({ length: PAGES }, (_, i) => () => page(SHOWN[i % SHOWN.length] ?? '')),
  ]
  const open = (path: () => string) => () => ask(links.target, { path: path() })
  const strangers = [
    ...Array(MADE_UP).fill(open(links.refused['made up'] as () => string)),
    ...Array(GENUINE).fill(open(() => links.shown)),
  ]

  /** @returns processor time of the main thread, ms in a second */
  async function during(work: (() => Promise<unknown>)[], seconds: number): Promise<number> {
    const file = `/proc/${server.pid()}/task/${server.pid()}/schedstat`
    const busyMs = () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
    const before = busyMs()
    for (let second = 0; second < seconds; second++) {
      // Evenly over the second; on a busy machine it takes longer, and the work stays the same.
      const each = (act: () => Promise<unknown>, i: number) => pause((1000 / work.length) * i).then(act)
      await Promise.all([pause(1000), ...work.map(each)])
    }
    return (busyMs() - before) / seconds
  }

  const mixed = (acts: (typeof office)[]) => {
    const placed = acts.flat().map((act) => ({ act, at: chance.next() }))
    return placed.sort((a, b) => a.at - b.at).map(({ act }) => act)
  }
  const [beside, besideTwice] = [mixed([office, strangers]), mixed([office, strangers, strangers])]
  await during(besideTwice, much(10, 2))
  const seconds = much(8, 1)
  for (let run = 0; run < Math.max(runs, much(7, 1)); run++) {
    const turns = probe.held().length
    const [alone, both, twice] = [
      await during(office, seconds),
      await during(beside, seconds),
      await during(besideTwice, seconds),
    ]
    // What as many strangers again add is what they cost on a loop that is as busy; the others have the rest.
    const cost = twice - both
    figures.add('gateways and office, a second', 'ms CPU', alone)
    figures.add('a stranger’s request', 'ms CPU', cost / strangers.length)
    figures.add('gateways and office beside strangers / alone', '×', (both - cost) / alone, { most: MOST.times })
    figures.add('all of it / gateways and office alone', '×', both / alone)
    const longest = Math.max(
      0,
      ...probe
        .held()
        .slice(turns)
        .map(({ heldMs }) => heldMs),
    )
    figures.add('longest turn of the loop', 'ms CPU', longest, { most: MOST.turnMs })
  }
  await server.stop()
}
