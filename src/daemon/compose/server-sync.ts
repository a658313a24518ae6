import { createHash, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { audit } from '../../fiscal/access/audit-log.ts'
import { conflictProblem, type FleetProblem, raiseProblem } from '../../fiscal/alerts/fleet-rule.ts'
import {
  answerCommand,
  attachToCommand,
  createCommandSigner,
  requireAttachable,
  takeCommands,
} from '../../fiscal/gateways/command-delivery.ts'
import { GATEWAYS } from '../../fiscal/gateways/gateway-admin.ts'
import { createHeartbeats } from '../../fiscal/gateways/heartbeats.ts'
import { changingSellers } from '../../fiscal/gateways/tell-sellers.ts'
import type { CertificateOpener } from '../../fiscal/ports/certificates.ts'
import type { WatchedClock } from '../../fiscal/ports/clock.ts'
import type { GatewayRecord } from '../../fiscal/ports/gateways.ts'
import type { TellLinks } from '../../fiscal/receipt-links/links.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { wired } from '../../fiscal/wired.ts'
import { createCommandBell } from '../../sync/server/command-bell.ts'
import type { SyncServerDeps } from '../../sync/server/routes.ts'
import { certificateBlocks } from '../../x509/pem.ts'
import { clientNetwork } from '../http/connection-limit.ts'
import { caPath } from '../http/local-ca.ts'
import { tlsDir } from '../http/server-tls.ts'
import { VERSION } from '../version.ts'
import { logRaised } from './alerts.ts'
import type { Base } from './base.ts'
import { serverCommands } from './commands.ts'

export type ServerSyncDeps = Pick<Base, 'config' | 'store' | 'vault' | 'log' | 'newUuid' | 'liveSales'> & {
  clock: WatchedClock
  opener: CertificateOpener
  changeCompany: UseCases['changeCompany']
  links: TellLinks
}

/** A gateway that catches up sends a batch after the other; far above that it is broken or means harm. */
const REQUESTS_PER_MINUTE = 3000
/** So many refusals are logged of a push; the rest is counted. */
const REFUSALS_LOGGED = 20
const SERVER_ID = 'server_id'

export function composeServerSync(parts: ServerSyncDeps) {
  const { config, store, clock, log, newUuid, vault, opener } = parts
  /** The CA that the certificate of this server leads to: the local one, or the last of the operator's chain. */
  const caPem = async () => {
    const pem = await readFile(config.tls?.certPath ?? caPath(tlsDir(config.sharedDir)), 'utf8')
    return `${certificateBlocks(pem).at(-1) ?? ''}\n`
  }
  const signer = createCommandSigner(store.meta, vault)
  const bell = createCommandBell(() => store.gatewayCommands.awaited())
  const deps = { store, clock, newUuid, caHash: async () => hashOf(await caPem()) }
  const ordering = { store, clock, newUuid, opener, onCommand: bell.ring }
  async function raise(problem: FleetProblem): Promise<void> {
    if (await raiseProblem(deps, problem)) logRaised(log, problem)
  }
  const problemOf = (kind: FleetProblem['kind'], { id, tenantId, name }: GatewayRecord) => ({
    tenantId,
    kind,
    subject: id,
    detail: { gateway: name },
  })
  return {
    routes: {
      store,
      now: clock.now,
      program: VERSION,
      caPem,
      serverKey: signer.publicKey,
      signing: signer.signing,
      neighbourOf: clientNetwork,
      async serverId() {
        return (await store.meta.keep(SERVER_ID, Buffer.from(newUuid()))).toString()
      },
      async noteEnrolment(tx, { id, tenantId, name }, host) {
        await audit(tx, { id: `gateway ${name}`, tenantId }, clock.now(), 'gateway.enrolled', { id, name, host })
      },
      commands: {
        heard: createHeartbeats(deps),
        ...wired(deps, { take: takeCommands, answer: answerCommand, attach: attachToCommand }),
        ...wired(store, { requireAttachable }),
        signing: signer.signing,
        linksOf: parts.links.tell,
        bell,
      },
      perMinute: config.rateLimits.enabled ? REQUESTS_PER_MINUTE : Number.POSITIVE_INFINITY,
      wrongTokensPer15Minutes: config.rateLimits.signInsPer15Minutes,
      onDuplicated: (gateway) => raise(problemOf('gateway_duplicated', gateway)),
      quiet: parts.liveSales.quiet,
      async onRefused(gateway, refused) {
        for (const { kind, id, code } of refused.slice(0, REFUSALS_LOGGED)) {
          log.warn({ gateway: gateway.name, kind, id, code }, 'a record was refused')
        }
        if (refused.length > REFUSALS_LOGGED) {
          log.warn({ gateway: gateway.name, refused: refused.length }, 'so many records were refused')
        }
        await raise(problemOf('sync_refused', gateway))
      },
      async onConflicts({ tenantId }, conflicts) {
        for (const one of conflicts) await raise(conflictProblem(tenantId, one))
      },
    } satisfies SyncServerDeps,
    commands: serverCommands(ordering),
    changeCompany: changingSellers(ordering, parts.changeCompany),
    gateways: wired(deps, GATEWAYS),
    stop: () => bell.close(),
  }
}

const hashOf = (pem: string) => createHash('sha256').update(new X509Certificate(pem).raw).digest()
