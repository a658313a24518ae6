import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { oibCheckDigit } from '../../src/domain/oib.ts'
import { addGateway, type Speaker } from '../../test/support/sync-gateway.ts'
import { type Fleet, fleet as fleetOf } from '../../test/support/sync-rows.ts'
import type { Chance } from '../chaos/chance.ts'
import { startChild } from '../chaos/child.ts'
import { ask, JSON_TYPE, type Question, type Target } from '../chaos/http.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { made, type Shop, setUpShop } from '../chaos/shop.ts'
import { createKillableProcess, type KillableProcess } from '../chaos-sync/machine.ts'
import { type Front, openFront } from './front.ts'
import type { Defect, HostileOptions } from './options.ts'
import { createProbe, type Probe } from './probe.ts'
import { saleAt } from './sales.ts'

/** A daemon under attack: over the network, over its admin socket, and what its probe sees. */
export interface Daemon {
  name: string
  mortal: KillableProcess
  probe: Probe
  network: Target
  /** Honest machines that sell at it. */
  shop: Shop
  /** @throws Error for what is no success */
  admin(question: Question): Promise<Record<string, unknown>>
}

export interface World {
  gateway: Daemon
  server: Daemon
  authority: {
    /** Whether answers of the live service are changed on their way. */
    change(on: boolean): Promise<void>
    changed(): Promise<number>
    issuing: { certPem: string; keyPem: string }
    issue(oib: string): Promise<Issued>
  }
  /** Between the gateway and the server, with the server's own TLS key. */
  front: Front
  /** A company at the gateway that nobody attacks with a key of its own. */
  bystander: Shop
  /** The attacker's own: a company with machines, a key bound to its first one, one for the fleet. */
  hostile: { shop: Shop; boundKey: string; fleetKey: string; p12: Buffer; passphrase: string }
  /** Machines of the live mode, whose authority changes its answers. */
  live: Shop
  /** Gateways at the server: the attacker's, and one of a tenant that nobody attacks. */
  attacker: { speaker: Speaker; fleet: Fleet }
  neighbour: { speaker: Speaker; fleet: Fleet; tenantId: string }
}

interface Issued {
  p12: string
  passphrase: string
}

const oib = (firstTen: string) => `${firstTen}${oibCheckDigit(firstTen)}`

const OIBS = {
  gateway: '02994650199',
  hostile: '18683136487',
  live: '85821130368',
  bystander: oib('1000000001'),
  server: oib('1000000002'),
  attacker: oib('1000000003'),
  neighbour: oib('1000000004'),
}
/** Planted into the server; the others into the gateway. */
const OF_SERVER: readonly Defect[] = ['crash', 'size']
const SCOPES = ['invoices:write', 'invoices:read', 'fleet:read', 'fleet:write', 'certificates:write']

export async function setUpWorld(options: HostileOptions, chance: Chance, scratch: Scratch): Promise<World> {
  const child = startChild(new URL('authority-process.ts', import.meta.url), { seed: options.seed }, scratch)
  const facts = await child.order<AuthorityFacts>('facts')
  const issue = (of: string) => child.order<Issued>('issue', of)

  async function start(name: string, env: Record<string, string>, defects: readonly Defect[]) {
    const probe = createProbe(join(scratch.dir, `${name}.probe`), defects, env.HOSTILE_BYSTANDER ?? '')
    const authority = { facts: { ...facts, p12: '', passphrase: '' } }
    const live = { FISKD_CIS_LIVE_URL: facts.liveUrl, RATE_LIMIT_AUTH_PER_15MIN: '100000' }
    const order = {
      name,
      port: await freePort(chance),
      dist: options.dist,
      authority,
      env: { ...live, ...env, ...probe.env },
    }
    const mortal = createKillableProcess(order, scratch)
    writeFileSync(join(mortal.dataDir, 'trust', 'live.pem'), facts.bundlePem)
    if (!(await mortal.rise())) throw new Error(`${name} did not start:\n${mortal.ownEnds[0]?.lastWords}`)
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 32,
      ca: readFileSync(join(mortal.dataDir, 'tls', 'ca.pem')),
    })
    const admin = async (question: Question) =>
      made(await ask({ socketPath: join(mortal.dataDir, 'fiskd.sock') }, question))
    return { name, mortal, probe, network: { base: mortal.base, agent }, admin }
  }
  type Started = Awaited<ReturnType<typeof start>>

  let sold = 0
  async function shopAt(daemon: Started, of: string, devices: number, mode: 'test' | 'live' = 'test'): Promise<Shop> {
    const { dataDir, base } = daemon.mortal
    sold += 20
    return setUpShop({ dataDir, base, devices, authority: await issue(of), oib: of, mode, after: sold })
  }

  const gateway = await start(
    'gateway',
    { HOSTILE_BYSTANDER: companyIdOf(OIBS.bystander) },
    options.sabotage.filter((defect) => !OF_SERVER.includes(defect)),
  )
  const server = await start(
    'server',
    { FISKD_ROLE: 'server' },
    options.sabotage.filter((defect) => OF_SERVER.includes(defect)),
  )
  const front = await openFront(server.mortal, scratch)
  const bystander = await shopAt(gateway, OIBS.bystander, 1)
  for (let sale = 0; sale < 3; sale++) made(await ask(bystander.target, saleAt(bystander)))
  const hostile = await shopAt(gateway, OIBS.hostile, 8)
  const post = (daemon: Started, path: string, body: object, headers = {}) =>
    daemon.admin({ method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
  const keyOf = async (body: object) => String((await post(gateway, '/admin/keys', { mode: 'test', ...body })).key)
  const { p12, passphrase } = await issue(OIBS.hostile)
  const speakers = {
    attacker: await speakerAt(server, 'attacker', post),
    neighbour: await speakerAt(server, 'neighbour', post),
  }
  const neighbour = {
    ...speakers.neighbour,
    fleet: fleetOf({ oib: OIBS.neighbour, premisesCode: 'KIOSK2', isuNumber: '7002' }),
  }
  const { token } = await post(server, '/admin/gateways', { name: 'gateway' })
  await post(gateway, '/admin/sync/enroll', { url: `https://127.0.0.1:${front.port}`, token })
  return {
    gateway: { ...gateway, shop: await shopAt(gateway, OIBS.gateway, 2) },
    server: { ...server, shop: await shopAt(server, OIBS.server, 2) },
    authority: {
      change: (on) => child.order('change', on),
      changed: () => child.order('changed'),
      issuing: facts.issuing,
      issue,
    },
    front,
    bystander,
    hostile: {
      shop: hostile,
      boundKey: await keyOf({ device_id: hostile.machines[0]?.id }),
      fleetKey: await keyOf({ scopes: SCOPES }),
      p12: Buffer.from(p12, 'base64'),
      passphrase,
    },
    live: await shopAt(gateway, OIBS.live, 8, 'live'),
    attacker: {
      ...speakers.attacker,
      fleet: fleetOf({ oib: OIBS.attacker, premisesCode: 'KIOSK1', isuNumber: '7001' }),
    },
    neighbour,
  }
}

interface AuthorityFacts {
  url: string
  liveUrl: string
  bundlePem: string
  issuing: { certPem: string; keyPem: string }
}

type Post = (
  daemon: never,
  path: string,
  body: object,
  headers?: Record<string, string>,
) => Promise<Record<string, unknown>>

/** Somebody who speaks `/sync/v1` as a gateway of a tenant of its own. */
async function speakerAt(server: { mortal: KillableProcess }, name: string, post: Post) {
  const tenant = await post(server as never, '/admin/tenants', { name })
  const { dataDir, base } = server.mortal
  const admin = async (path: string, { body, headers = {} }: { body: object; headers?: Record<string, string> }) => {
    const made = await post(server as never, path, body, headers)
    return { status: 201, body: made, text: '' }
  }
  const speaker = await addGateway({ admin, dataDir, url: base } as never, name, name)
  for (const answer of [await speaker.enroll(), await speaker.hello()]) {
    if (answer.status !== 200) throw new Error(answer.text)
  }
  return { speaker, tenantId: String(tenant.id) }
}
