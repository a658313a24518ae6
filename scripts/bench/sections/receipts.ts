import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
import { median } from '../statistics.ts'
import { signIn } from './pages.ts'

/** In a second: rows and questions of gateways, pages of the office; tokens that somebody makes up, and phones. */
const [PUSHES, POLLS, PAGES, MADE_UP, GENUINE] = [30, 30, 6, 50, 2]
const SHOWN = ['/dashboard', '/dashboard/invoices', '/dashboard/devices']
const OIBS = ['1000000001', '1000000002', '1000000003'].map((ten) => `${ten}${oibCheckDigit(ten)}`)
const KINDS = { push: 'a push', poll: 'a poll', dashboard: 'a page' }
/** The daemon writes its times twice a second. */
const WRITTEN_MS = 700
const REQUEST_CPU = fileURLToPath(new URL('../environment/request-cpu.mjs', import.meta.url))
/** How often as much as alone the office may take beside strangers, and how long a turn of the loop. */
const MOST = { times: 1.1, turnMs: 50 }

/** Whether strangers who try links, and phones that open theirs, are in the way of gateways and the office at one server. */
export async function receipts({ figures, scratch, chance, dist, stub, runs, much }: Bench): Promise<void> {
  const listen = `127.0.0.1:${await freePort(chance)}`
  const probe = createProbe(join(scratch.dir, 'receipts.probe'), [], '')
  const shows = { FISKD_ROLE: 'server', FISKD_RECEIPTS_URL: RECEIPTS_URL, FISKD_RECEIPTS_LISTEN: listen }
  const times = join(scratch.dir, 'receipts.times')
  const env = {
    ...{ ...probe.env, ...shows, HOSTILE_PROBE_LEAST_MS: '30', RATE_LIMIT_ENABLED: 'false', BENCH_REQUEST_CPU: times },
    NODE_OPTIONS: `${probe.env.NODE_OPTIONS} --import=${REQUEST_CPU}`,
  }
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

  /** @returns processor time of the main thread in a second, and of each request by its kind */
  async function during(work: (() => Promise<unknown>)[], seconds: number) {
    const task = `/proc/${server.pid()}/task/${server.pid()}/schedstat`
    const busy = () => Number(readFileSync(task, 'utf8').split(' ')[0]) / 1e6
    await pause(WRITTEN_MS)
    const [before, seen] = [busy(), readFileSync(times, 'utf8').length]
    for (let second = 0; second < seconds; second++) {
      // Evenly over the second; on a busy machine it takes longer, and the work stays the same.
      const each = (act: () => Promise<unknown>, i: number) => pause((1000 / work.length) * i).then(act)
      await Promise.all([pause(1000), ...work.map(each)])
    }
    const busyMs = (busy() - before) / seconds
    await pause(WRITTEN_MS)
    const requests = new Map<string, number[]>()
    for (const line of readFileSync(times, 'utf8').slice(seen).trim().split('\n')) {
      const [kind = '', ms] = line.split(' ')
      requests.set(kind, [...(requests.get(kind) ?? []), Number(ms)])
    }
    return { busyMs, requests }
  }

  const placed = [...office, ...strangers].map((act) => ({ act, at: chance.next() }))
  const beside = placed.sort((a, b) => a.at - b.at).map(({ act }) => act)
  await during(beside, much(10, 2))
  const seconds = much(6, 2)
  for (let run = 0; run < Math.max(runs, much(10, 1)); run++) {
    const turns = probe.held().length
    const alone = await during(office, seconds)
    const both = await during(beside, seconds)
    for (const [kind, ms] of Object.entries(KINDS)) {
      const [without, with_] = [alone, both].map(({ requests }) => median(requests.get(kind) ?? [])) as [number, number]
      figures.add(ms, 'ms CPU', without)
      figures.add(`${ms} beside strangers / alone`, '×', with_ / without, { most: MOST.times })
    }
    figures.add('a stranger’s request', 'ms CPU', (both.busyMs - alone.busyMs) / strangers.length)
    figures.add('all of it / gateways and office alone', '×', both.busyMs / alone.busyMs)
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
