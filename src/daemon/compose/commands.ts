import { hoursView, requestView } from '../../api/views/authority-request.ts'
import { certificateView, deviceView } from '../../api/views/fleet.ts'
import { sealedBoxes } from '../../certificates/sealed-box.ts'
import { conflict, invalidRequest } from '../../domain/errors.ts'
import { audit } from '../../fiscal/access/audit-log.ts'
import type { GatewayStatus } from '../../fiscal/doctor/status.ts'
import { type CommandUseCases, createCommandExecutors } from '../../fiscal/gateways/command-executors.ts'
import { type AdminCommands, GATEWAY_COMMANDS } from '../../fiscal/gateways/gateway-admin.ts'
import { createHeartbeat } from '../../fiscal/gateways/heartbeat.ts'
import { type GatewayCommandDeps, sendCommand } from '../../fiscal/gateways/queue-commands.ts'
import type { CertificateOpener } from '../../fiscal/ports/certificates.ts'
import type { KeepLinks } from '../../fiscal/ports/receipt-links.ts'
import { wired } from '../../fiscal/wired.ts'
import { createCommandLink } from '../../sync/gateway/command-link.ts'
import { createCommands } from '../../sync/gateway/commands.ts'
import { backoffMs } from '../../sync/gateway/failure.ts'
import { createPolling } from '../../sync/gateway/poll.ts'
import { SYNC_KEY } from '../../sync/gateway/secrets.ts'
import { bodyFault, isCommandType } from '../../sync/wire/command-bodies.ts'
import { runFisk } from '../fisk-program.ts'
import { VERSION } from '../version.ts'
import type { Base } from './base.ts'
import type { GatewaySync } from './gateway-sync.ts'

export function serverCommands(deps: GatewayCommandDeps & { opener: CertificateOpener }): AdminCommands {
  return {
    async sendCommand(principal, gatewayRef, { type, body }, keep) {
      if (!isCommandType(type)) throw invalidRequest('type', 'there is no such command')
      if (type === 'certificate.add') throw invalidRequest('type', 'a certificate is sent as a file')
      const fault = bodyFault(type, body)
      if (fault) throw invalidRequest(fault.field || 'body', fault.message)
      return sendCommand(deps, principal, gatewayRef, { type, body }, keep)
    },
    ...wired({ ...deps, boxes: sealedBoxes }, GATEWAY_COMMANDS),
  }
}

export type GatewayCommandsDeps = Base & {
  useCases: CommandUseCases
  gateway: GatewaySync
  links: KeepLinks
  status: () => Promise<GatewayStatus>
}

/** A megabyte below what the server takes. */
const MAX_BUNDLE_BYTES = 31 * 1024 * 1024

export function composeGatewayCommands(deps: GatewayCommandsDeps): ReturnType<typeof createPolling> {
  const { store, vault, clock, elapsed, useCases, gateway, status, log } = deps
  const { socketPath } = deps.config
  const { attach, ...link } = createCommandLink(gateway.connection)
  const executors = createCommandExecutors({
    useCases,
    views: { device: deviceView, certificate: certificateView, request: requestView, hours: hoursView },
    boxes: sealedBoxes,
    now: clock.now,
    async gatewayKey() {
      const enrolment = await store.enrolment.get()
      if (!enrolment) throw conflict('gateway', 'this gateway has left its server meanwhile')
      return vault.open(enrolment.sealedKey, SYNC_KEY)
    },
    supportBundle: (signal) =>
      runFisk({
        args: ['support-bundle', '-', '--socket', socketPath],
        env: { ...childEnvironment(deps.host.env), FISKD_SOCKET: socketPath },
        signal,
        mostBytes: MAX_BUNDLE_BYTES,
      }),
  })
  const commands = createCommands({
    store,
    executors,
    clock,
    log,
    attach,
    onDone: gateway.uplink.nudge,
    audit: (tx, { issuedBy, tenantId }, detail) =>
      audit(tx, { id: `server ${issuedBy}`, tenantId }, clock.now(), 'command.taken', detail),
  })
  const polling = createPolling({
    store,
    commands,
    link,
    greeted: gateway.uplink.greeted,
    links: deps.links,
    heartbeat: createHeartbeat({
      store,
      clock,
      elapsed,
      version: VERSION,
      status,
      backlog: gateway.backlog,
      predecessor: gateway.predecessor,
    }),
    clock,
    log,
    backoffMs,
  })
  gateway.onGreeted(polling.wake)
  return polling
}

/** Of whatever started us: only the daemon itself speaks to it. */
function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NOTIFY_SOCKET: _n, WATCHDOG_USEC: _u, WATCHDOG_PID: _p, LISTEN_FDS: _l, LISTEN_PID: _q, ...rest } = env
  return rest
}
