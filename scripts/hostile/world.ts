import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { oibCheckDigit } from '../../src/domain/oib.ts'
import { addGateway, type Speaker } from '../../test/support/sync-gateway.ts'
import { type Fleet, fleet as fleetOf } from '../../test/support/sync-rows.ts'
import type { Chance } from '../chaos/chance.ts'
import { startChild } from '../chaos/child.ts'
import { ask, made, type Target } from '../chaos/http.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type Shop, setUpShop } from '../chaos/shop.ts'
import { createKillableProcess, type KillableProcess } from '../chaos-sync/machine.ts'
import { riseOrThrow } from '../chaos-sync/servers.ts'
import { changedJson, endless } from './changes.ts'
import { type ChangingProxy, openChangingProxy } from './changing-proxy.ts'
import { type Links, RECEIPTS_URL, setUpLinks } from './links.ts'
import type { Defect, HostileOptions } from './options.ts'
import { createProbe, type Probe } from './probe.ts'
import { saleAt } from './sales.ts'

/** A daemon under attack: over the network, and what its probe sees. */
export interface Daemon {
  name: string
  mortal: KillableProcess
  probe: Probe
  network: Target
  /** Honest machines that sell at it. */
  shop: Shop
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
  front: ChangingProxy
  /** A company at the gateway that nobody attacks with a key of its own. */
  bystander: Shop
  /** The attacker's own: a company with machines, a key bound to its first one, one for the fleet. */
  hostile: { shop: Shop; boundKey: string; fleetKey: string; p12: Buffer; passphrase: string }
  /** Machines of the live mode, whose authority changes its answers. */
  live: Shop
  /** Gateways at the server: the attacker's, and one of a tenant that nobody attacks. */
  attacker: { speaker: Speaker; fleet: Fleet }
  neighbour: { speaker: Speaker; fleet: Fleet; tenantId: string }
  /** To receipts at the server, of a gateway of a tenant of its own. */
  links: Links
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
const LINKED = [oib('1000000005'), oib('1000000006')] as const
/** Planted into the server; the others into the gateway. */
const OF_SERVER: readonly Defect[] = ['crash', 'size', 'links']
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
    await riseOrThrow(mortal)
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 32,
      ca: readFileSync(join(mortal.dataDir, 'tls', 'ca.pem')),
    })
    return { name, mortal, probe, network: { base: mortal.base, agent } }
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
  const receiptsListen = `127.0.0.1:${await freePort(chance)}`
  const server = await start(
    'server',
    {
      ...{ FISKD_ROLE: 'server', FISKD_RECEIPTS_URL: RECEIPTS_URL, FISKD_RECEIPTS_LISTEN: receiptsListen },
      // All strangers come from one address here.
      RATE_LIMIT_ENABLED: 'false',
    },
    options.sabotage.filter((defect) => OF_SERVER.includes(defect)),
  )
  const tls = (name: string) => readFileSync(join(server.mortal.dataDir, 'tls', name))
  const front = await openChangingProxy({
    tls: { cert: tls('server.pem'), key: tls('server.key') },
    base: server.mortal.base,
    ca: tls('ca.pem'),
    spoil: (json, n) => ({ body: endless(changedJson(JSON.parse(json)), n * 13).next().value }),
  })
  scratch.atTheEnd(front.close)
  const bystander = await shopAt(gateway, OIBS.bystander, 1)
  for (let sale = 0; sale < 3; sale++) made(await ask(bystander.target, saleAt(bystander)))
  const hostile = await shopAt(gateway, OIBS.hostile, 8)
  const keyOf = async (body: object) =>
    String((await gateway.mortal.admin('POST', '/admin/keys', { mode: 'test', ...body })).key)
  const { p12, passphrase } = await issue(OIBS.hostile)
  const attacker = await speakerAt(server.mortal, 'attacker')
  const neighbour = await speakerAt(server.mortal, 'neighbour')
  const { speaker: seller } = await speakerAt(server.mortal, 'seller')
  const order = { server: server.mortal, listen: receiptsListen, seller, oibs: LINKED, stranger: attacker.speaker }
  const links = await setUpLinks(order)
  const { token } = await server.mortal.admin('POST', '/admin/gateways', { name: 'gateway' })
  await gateway.mortal.admin('POST', '/admin/sync/enroll', { url: `https://127.0.0.1:${front.port}`, token })
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
    attacker: { ...attacker, fleet: fleetOf({ oib: OIBS.attacker, premisesCode: 'KIOSK1', isuNumber: '7001' }) },
    neighbour: { ...neighbour, fleet: fleetOf({ oib: OIBS.neighbour, premisesCode: 'KIOSK2', isuNumber: '7002' }) },
    links,
  }
}

interface AuthorityFacts {
  url: string
  liveUrl: string
  bundlePem: string
  issuing: { certPem: string; keyPem: string }
}

/** Somebody who speaks `/sync/v1` as a gateway of a tenant of its own. */
export async function speakerAt({ admin, dataDir, base }: KillableProcess, name: string) {
  const tenant = await admin('POST', '/admin/tenants', { name })
  const post = async (path: string, { body, headers }: { body: object; headers?: Record<string, string> }) => ({
    status: 201,
    body: await admin('POST', path, body, headers),
    text: '',
  })
  const speaker = await addGateway({ admin: post, dataDir, url: base } as never, name, name)
  for (const answer of [await speaker.enroll(), await speaker.hello()]) {
    if (answer.status !== 200) throw new Error(answer.text)
  }
  return { speaker, tenantId: String(tenant.id) }
}
