import { createCertificateOpener } from '../../certificates/opener.ts'
import { getThrough } from '../../cis/transport/proxy.ts'
import { fetchKnownAuthorities } from '../../cis/trust/trust-fetch.ts'
import { companyCertificates } from '../../fiscal/doctor/status.ts'
import type { RegistryContext } from '../../fiscal/registry/context.ts'
import { mustAnswer } from '../../fiscal/registry/new-premises.ts'
import { REGISTRY, REGISTRY_ADMIN, REGISTRY_COMMANDS } from '../../fiscal/registry/registry.ts'
import { createTrustAdmin } from '../../fiscal/registry/trust-admin.ts'
import type { AdminUseCases, UseCases } from '../../fiscal/use-cases.ts'
import { wired } from '../../fiscal/wired.ts'
import { pemOf } from '../../x509/pem.ts'
import type { Authority } from './authority.ts'
import type { Base } from './base.ts'

/** Bundles that another process has changed are in force within a minute. */
const REREAD_TRUST_MS = 20_000

export function composeRegistry(deps: Base & Pick<RegistryContext, 'premises'> & { authority: Authority }) {
  const { config, store, vault, clock, log, newUuid, premises, authority } = deps
  const { chains, trust, probe } = authority
  const opener = createCertificateOpener()
  const context: RegistryContext = { store, clock, newUuid, vault, opener, chains, trust, premises }
  const reportFault = (error: unknown) => log.error({ err: error }, 'changed trust bundles could not be applied')
  const trustAdmin = createTrustAdmin({
    store,
    clock,
    trust,
    paths: config.trustPaths,
    download: async (mode) => {
      const through = config.cisProxy ? { get: getThrough(config.cisProxy) } : {}
      return Buffer.from(pemOf(await fetchKnownAuthorities(mode, through)))
    },
    onChange(mode) {
      authority.authority.reload(mode)
      probe.forget()
      // It may be the first one that can tell the time.
      authority.ask().catch(reportFault)
    },
    onRevoked: (mode, revoked) => log.error({ mode, revoked }, 'certificates were revoked by their issuer'),
  })
  let rereading: NodeJS.Timeout | undefined
  return {
    useCases: {
      ...wired(context, REGISTRY),
      companyCertificates: (ids) => companyCertificates(store, ids, clock.now()),
    } satisfies Partial<UseCases>,
    adminUseCases: {
      ...wired(context, REGISTRY_ADMIN),
      devicesNamed: (principal, labelOrId) => store.devices.named(principal.tenantId, labelOrId),
      trust: trustAdmin,
    } satisfies Partial<AdminUseCases>,
    commandUseCases: wired({ ...context, premises: premises && mustAnswer(premises) }, REGISTRY_COMMANDS),
    opener,
    revokeAllListed: trustAdmin.revokeAllListed,
    start() {
      rereading = setInterval(() => void trustAdmin.reread().catch(reportFault), REREAD_TRUST_MS)
    },
    stop: () => clearInterval(rereading),
  }
}
