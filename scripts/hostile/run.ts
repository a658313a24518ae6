import { join } from 'node:path'
import { median } from '../bench/statistics.ts'
import { createChance } from '../chaos/chance.ts'
import { ask } from '../chaos/http.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { pause, tick } from '../chaos/wait.ts'
import { createJudge } from './judge.ts'
import type { HostileOptions } from './options.ts'
import { changesOf, rowsOf } from './rows.ts'
import { startSales } from './sales.ts'
import type { Attack, Stage } from './stage.ts'
import { crl, csv, pkcs12 } from './stages/files.ts'
import { floods } from './stages/floods.ts'
import { largest } from './stages/largest.ts'
import { pages } from './stages/pages.ts'
import { authority, central, printers } from './stages/peers.ts'
import { receipts } from './stages/receipts.ts'
import { heartbeats, sync } from './stages/sync.ts'
import { v1 } from './stages/v1.ts'
import { type Daemon, setUpWorld, type World } from './world.ts'

/** What a stage sent, and how sales went beside it. */
export interface Passed {
  name: string
  messages: number
  seconds: number
  /** Sales beside it at both daemons, and how long the middle one took in proportion to usual; NaN where nothing says. */
  sales: number
  slower: { gateway: number; server: number }
  /** Bytes in use afterwards. */
  memory: { gateway: number; server: number }
}

/** Everything that one run has to tell. */
export interface Outcome {
  passed: Passed[]
  usualMs: { gateway: number; server: number }
  ends: string[]
  answers: string[]
  /** What was wrong with the largest of each kind, and with what shows it. */
  sizes: string[]
  /** Turns of the loop that took long, by processor time. */
  held: { daemon: string; ms: number; beside: string }[]
  /** Bytes in use at both daemons, unless it has ended, after the first round of all stages, and at the end. */
  memory: { name: string; before: number; after: number }[]
  changed: string[]
  /** What a stranger could learn of links that show nothing, and how long the middle refusal of each kind took. */
  learned: string[]
  refusals: { kind: string; ms: number }[]
  refused: string[]
  /** Whether all that the gateway had to tell reached the server in the end. */
  caughtUp: boolean
  seconds: number
}

const STAGES: readonly Stage[] = [v1, sync, heartbeats, pages, printers, authority, pkcs12, csv, crl, receipts, central]
/** The share of all messages that goes out before memory is looked at: what is loaded once and remembered is there then. */
const FIRST_ROUND = 0.04
/** Requests of each kind of link whose time is taken. */
const TIMED = 2000
/** How long nothing is sent but sales, and how long a flood lasts, in a run of 50,000 messages. */
const LASTS_MS = 8000
const SETTLE_MS = 60_000
/** So many sales beside a stage say how long one takes. */
const ENOUGH_SALES = 10

/** @param tell is called with each stage as soon as it is over */
export async function runHostile(
  options: HostileOptions,
  scratch: Scratch,
  tell: (passed: Passed) => void,
): Promise<Outcome> {
  const startedAt = tick()
  const lastsMs = Math.round(LASTS_MS * Math.min(1, Math.max(0.2, options.messages / 50_000)))
  const world = await setUpWorld(options, createChance(options.seed), scratch)
  const daemons = [world.gateway, world.server]
  const judge = createJudge(await documentOf(world))
  const sales = { gateway: startSales(world.gateway.shop), server: startSales(world.server.shop) }
  const before = ownRows(world)
  const outcome: Omit<Outcome, 'memory' | 'changed' | 'caughtUp' | 'seconds' | 'usualMs'> = {
    passed: [],
    ends: [],
    answers: [],
    sizes: [],
    held: [],
    learned: [],
    refusals: [],
    refused: [],
  }

  await pause(lastsMs / 4)
  const medians = () => {
    const taken = { gateway: sales.gateway.take(), server: sales.server.take() }
    for (const [name, sold] of Object.entries(taken)) {
      for (const { refusal } of sold) if (refusal !== null) outcome.refused.push(`${name}: ${refusal}`)
    }
    const { gateway, server } = taken
    const middleOf = (sold: typeof gateway) => median(sold.map(({ tookMs }) => tookMs))
    return { count: gateway.length + server.length, gateway: middleOf(gateway), server: middleOf(server) }
  }
  medians()
  await pause(lastsMs)
  const usualMs = medians()

  /** @param isFirst what was never done before takes its time, and says nothing of later */
  async function pass(stage: Stage, share: number, isFirst = false): Promise<void> {
    const [begunAt, heldBefore] = [tick(), daemons.map(({ probe }) => probe.held().length)]
    let messages = 0
    const attack: Attack = {
      world,
      lastsMs,
      seed: options.seed + Math.round(share * 1000),
      found: (problem) => void outcome.sizes.push(problem),
      sent(count) {
        messages += count
      },
      learned: (what) => void outcome.learned.push(what),
      timed: isFirst || !options.judgesTimes ? 0 : TIMED,
      took: (kind, ms) => void outcome.refusals.push({ kind, ms }),
      async send(daemon, question) {
        messages++
        const answer = await ask(daemon.network, question)
        const problem = judge.problemOf(question, answer)
        if (problem !== null) outcome.answers.push(`${daemon.name}: ${problem}`)
        return answer
      },
    }
    const all = stage.counts === 'tokens' ? options.tokens : options.messages * stage.share
    await stage.run(attack, Math.ceil(all * share))
    const { count, gateway, server } = medians()
    const isTelling = !isFirst && count >= ENOUGH_SALES
    const slower = (ms: number, usual: number) => (isTelling ? ms / usual : Number.NaN)
    const passed: Passed = {
      name: isFirst ? `first: ${stage.name}` : stage.name,
      messages,
      sales: count,
      seconds: (tick() - begunAt) / 1000,
      slower: { gateway: slower(gateway, usualMs.gateway), server: slower(server, usualMs.server) },
      memory: { gateway: await memoryOf(world.gateway), server: await memoryOf(world.server) },
    }
    outcome.passed.push(passed)
    tell(passed)
    daemons.forEach(({ name, probe }, i) => {
      const seen = probe.held().slice(heldBefore[i])
      outcome.held.push(...seen.map(({ heldMs }) => ({ daemon: name, ms: heldMs, beside: stage.name })))
    })
  }

  await pass(largest, 1)
  for (const stage of STAGES) await pass(stage, FIRST_ROUND, true)
  const memoryBefore = await Promise.all(daemons.map(memoryOf))
  for (const stage of STAGES) await pass(stage, 1 - FIRST_ROUND)
  // What was planted shows without them.
  if (options.sabotage.length === 0) for (const stage of floods) await pass(stage, 1)

  await Promise.all([sales.gateway.finish(), sales.server.finish()])
  // Nobody is told anything by a server that has ended.
  const caughtUp = world.server.mortal.pid() !== undefined && (await nothingWaits(world.gateway))
  const memoryAfter = await Promise.all(daemons.map(memoryOf))
  const changed = [
    ...changesOf(before.gateway, ownRows(world).gateway),
    ...changesOf(before.server, ownRows(world).server),
  ]
  for (const { name, mortal } of daemons) {
    for (const { code, signal, lastWords } of mortal.ownEnds)
      outcome.ends.push(`${name}: ${code ?? signal}\n${lastWords}`)
  }
  return {
    ...outcome,
    usualMs,
    changed,
    caughtUp,
    seconds: (tick() - startedAt) / 1000,
    memory: daemons.map(({ name }, i) => ({ name, before: memoryBefore[i] ?? 0, after: memoryAfter[i] ?? 0 })),
  }
}

/** Of whoever nobody attacks with a key of their own. */
function ownRows({ gateway, server, bystander, neighbour }: World) {
  const file = ({ mortal }: Daemon) => join(mortal.dataDir, 'fiskd.db')
  return {
    gateway: rowsOf(file(gateway), 'company_id', bystander.companyId),
    server: rowsOf(file(server), 'tenant_id', neighbour.tenantId),
  }
}

async function documentOf({ gateway }: World): Promise<object> {
  const answer = await ask(gateway.network, { path: '/docs/openapi.json' })
  return JSON.parse(answer?.text ?? '')
}

async function memoryOf({ mortal, probe }: Daemon): Promise<number> {
  const pid = mortal.pid()
  return pid === undefined ? Number.NaN : probe.memory(pid)
}

async function nothingWaits({ mortal }: Daemon): Promise<boolean> {
  const until = tick() + SETTLE_MS
  while (tick() < until) {
    const { sync } = (await mortal.admin('GET', '/admin/sync').catch(() => ({}))) as { sync?: { waiting: number } }
    if (sync?.waiting === 0) return true
    await mortal.admin('POST', '/admin/sync/now').catch(() => ({}))
    await pause(1000)
  }
  return false
}
