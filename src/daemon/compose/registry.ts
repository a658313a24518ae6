import type { Logger } from 'pino'
import { createCertificateOpener } from '../../certificates/opener.ts'
import { getThrough } from '../../cis/transport/proxy-download.ts'
import { fetchKnownAuthorities } from '../../cis/trust/trust-fetch.ts'
import { companyCertificates } from '../../fiscal/doctor/status.ts'
import type { CommandUseCases } from '../../fiscal/gateways/command-executors.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import { addCertificate, listCertificates, revokeCertificate } from '../../fiscal/registry/certificates.ts'
import { addCompany, changeCompany, listCompanies } from '../../fiscal/registry/companies.ts'
import { importDevices } from '../../fiscal/registry/device-import.ts'
import { addDevice, changeDevice, listDevices } from '../../fiscal/registry/devices.ts'
import { mustAnswer } from '../../fiscal/registry/new-premises.ts'
import { createTrustAdmin } from '../../fiscal/registry/trust-admin.ts'
import type { AdminUseCases, UseCases } from '../../fiscal/use-cases.ts'
import type { OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import type { Authority } from './authority.ts'
import type { RunningClock } from './clocks.ts'
import type { GatewaySync } from './gateway-sync.ts'

export interface RegistryDeps {
  config: Pick<Config, 'trustPaths' | 'cisProxy'>
  store: OpenStore
  vault: Vault
  clock: RunningClock
  log: () => Pick<Logger, 'error'>
  newUuid: () => string
  authority: Pick<Authority, 'authority' | 'ask' | 'chains' | 'trust' | 'probe'>
  /** Null where no server decides who sells where. */
  gateway: Pick<GatewaySync, 'premises'> | null
}

/** Bundles that another process has changed are in force within a minute. */
const REREAD_TRUST_MS = 20_000

export type Registry = ReturnType<typeof composeRegistry>

/** Companies, devices, certificates and the trust bundles. */
export function composeRegistry({ config, store, vault, clock, log, newUuid, authority, gateway }: RegistryDeps) {
  const premises = gateway?.premises
  const { chains, trust, probe } = authority
  const opener = createCertificateOpener()
  const deps = { store, clock, newUuid, chains, trust, revocations: trust, vault, opener }
  const placing = { store, clock, newUuid, premises }
  const commanded = { store, clock, newUuid, premises: premises && mustAnswer(premises) }
  const reportFault = (error: unknown) => log().error({ err: error }, 'changed trust bundles could not be applied')
  const trustAdmin = createTrustAdmin({
    store,
    clock,
    trust,
    paths: config.trustPaths,
    download: (mode) => fetchKnownAuthorities(mode, config.cisProxy ? { get: getThrough(config.cisProxy) } : {}),
    onChange(mode) {
      authority.authority.reload(mode)
      probe.forget()
      // It may be the first one that can tell the time.
      authority.ask().catch(reportFault)
    },
    onRevoked: (mode, revoked) => log().error({ mode, revoked }, 'certificates were revoked by their issuer'),
  })
  const useCases = {
    addCompany: (principal, company, keep) => addCompany(deps, principal, company, keep),
    changeCompany: (principal, id, changes, keep, seen) => changeCompany(deps, principal, id, changes, keep, seen),
    listCompanies: (principal, filter, slice) => listCompanies(deps, principal, filter, slice),
    companyCertificates: (ids) => companyCertificates(store, ids, clock.now()),
    addDevice: (principal, device, keep) => addDevice(placing, principal, device, keep),
    changeDevice: (principal, id, changes, keep, seen) => changeDevice(placing, principal, id, changes, keep, seen),
    listDevices: (principal, filter, slice) => listDevices(deps, principal, filter, slice),
    importDevices: (principal, file, keep) => importDevices(placing, principal, file, keep),
    addCertificate: (principal, certificate, keep) => addCertificate(deps, principal, certificate, keep),
    listCertificates: (principal, filter) => listCertificates(deps, principal, filter),
  } satisfies Partial<UseCases>
  const adminUseCases = {
    revokeCertificate: (principal, id, keep) => revokeCertificate(deps, principal, id, keep),
    devicesNamed: (principal, labelOrId) => store.devices.named(principal.tenantId, labelOrId),
    trust: trustAdmin,
  } satisfies Partial<AdminUseCases>
  /** For commands of the server, which asks for new premises itself. */
  const commandUseCases = {
    changeDevice: (by, id, changes, keep) => changeDevice(commanded, by, id, changes, keep),
    addDevice: (by, device, keep) => addDevice(commanded, by, device, keep),
    addCertificate: useCases.addCertificate,
  } satisfies Partial<CommandUseCases>
  let rereading: NodeJS.Timeout | undefined
  return {
    useCases,
    adminUseCases,
    commandUseCases,
    opener,
    revokeAllListed: trustAdmin.revokeAllListed,
    /** Rereads the trust bundles from now on. */
    start() {
      rereading = setInterval(() => void trustAdmin.reread().catch(reportFault), REREAD_TRUST_MS)
    },
    stop: () => clearInterval(rereading),
  }
}
