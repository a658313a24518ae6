import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { AdminUseCases, UseCases } from '../api/use-cases.ts'
import { createChainValidator } from '../certificates/chain.ts'
import { createCertificateOpener } from '../certificates/opener.ts'
import { createTaxAuthority } from '../cis/client.ts'
import { createTrustBundles } from '../cis/trust-bundles.ts'
import type { SessionUseCases } from '../dashboard/session-routes.ts'
import type { Mode } from '../domain/sale.ts'
import { createApiKey, revokeApiKey } from '../fiscal/api-keys.ts'
import { addCertificate, listCertificates, revokeCertificate, revokeListed } from '../fiscal/certificates.ts'
import { addCompany, changeCompany, listCompanies } from '../fiscal/companies.ts'
import { importDevices } from '../fiscal/device-import.ts'
import { addDevice, changeDevice, listDevices } from '../fiscal/devices.ts'
import { createExpiry } from '../fiscal/expire.ts'
import { createFiscalize, greetDevice } from '../fiscal/fiscalize.ts'
import { serviceHealth } from '../fiscal/health.ts'
import { createOnce } from '../fiscal/idempotent.ts'
import { findInvoice, listInvoices } from '../fiscal/invoices.ts'
import { createKeyedLock } from '../fiscal/keyed-lock.ts'
import { pageOf } from '../fiscal/page.ts'
import type { Clock, Vault } from '../fiscal/ports.ts'
import { createFiscalProbe } from '../fiscal/probe.ts'
import { createRetry } from '../fiscal/retry.ts'
import { findSession, signIn, signOut } from '../fiscal/sessions.ts'
import { createSigningIdentities } from '../fiscal/signing-identities.ts'
import { companyCertificates, gatewayStatus } from '../fiscal/status.ts'
import type { Store } from '../fiscal/store-port.ts'
import { createSubmitter } from '../fiscal/submit.ts'
import { addTenant } from '../fiscal/tenants.ts'
import { addUser, removeUser } from '../fiscal/users.ts'
import type { Config } from './config.ts'
import { createTrustAdmin } from './trust-admin.ts'

export interface House {
  useCases: UseCases
  adminUseCases: AdminUseCases
  sessions: SessionUseCases
  sweep(signal: AbortSignal): Promise<{ sent: number; confirmed: number }>
  /** Takes certificates out of use that the revocation lists of the trust bundles name. */
  revokeListed(): Promise<void>
  close(): Promise<void>
}

export interface WireDeps {
  config: Config
  store: Store
  vault: Vault
  clock: Clock
  log: Logger
  newUuid: () => string
  newInvoiceId: () => string
}

const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000

/** Puts the rooms together: the one place that knows them all. */
export function wire({ config, store, vault, clock, log, newUuid, newInvoiceId }: WireDeps): House {
  const chains = createChainValidator()
  const trust = createTrustBundles(config.trustPaths, clock.now)
  const authority = createTaxAuthority({ urls: config.cisUrls, trust, chains, now: clock.now })
  const identities = createSigningIdentities(store, vault)
  const reportFault = ({ invoiceId, error }: { invoiceId: string; error: unknown }) =>
    log.error({ err: error, invoiceId }, 'an invoice could not be sent')
  const submitter = createSubmitter({ store, authority, clock, newUuid, reportFault })
  const invoiceLock = createKeyedLock()
  const { retry, sweep } = createRetry({ store, submitter, identities, invoiceLock, clock, reportFault })
  const expire = createExpiry({
    store,
    invoiceLock,
    clock,
    onExpired: ({ id }) => log.error({ invoiceId: id }, 'an invoice is past its deadline: it can never be fiscalized'),
  })
  // A disk that takes no writes must not keep anybody from reading.
  const expireOverdue = () => expire().catch((error: unknown) => log.error({ err: error }, 'nothing could be expired'))
  const probe = createFiscalProbe(authority, config.deploymentMode, clock)
  const deps = { store, clock, newUuid, chains, trust, revocations: trust, vault, opener: createCertificateOpener() }
  const revokeListedOf = async (mode: Mode) => {
    const revoked = await revokeListed(deps, mode)
    if (revoked > 0) log.error({ mode, revoked }, 'certificates were revoked by their issuer')
  }
  const keyLock = createKeyedLock()
  const health = {
    ping: () => store.ping(),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(config.dataDir)
      return bavail * bsize
    },
    report: (problem: string, error: unknown) => log.error({ err: error }, problem),
  }
  return {
    useCases: {
      fiscalize: createFiscalize({
        store,
        identities,
        submitter,
        invoiceLock,
        keyLock,
        clock,
        newInvoiceId,
      }),
      once: createOnce({ store, keyLock, clock }),
      retry,
      async findInvoice(principal, id) {
        await expireOverdue()
        return findInvoice(store, principal, id)
      },
      async listInvoices(principal, filter, slice) {
        await expireOverdue()
        return listInvoices(store, principal, filter, slice)
      },
      messagesOf: (invoiceId) => store.messages.ofInvoice(invoiceId),
      greetDevice: (principal, deviceId) => greetDevice(store, principal, deviceId),
      noteSeen: (deviceId) => store.devices.update(deviceId, { lastSeenAt: clock.now() }),
      addCompany: (principal, company, keep) => addCompany(deps, principal, company, keep),
      changeCompany: (principal, id, changes) => changeCompany(deps, principal, id, changes),
      listCompanies: (principal, filter, slice) => listCompanies(deps, principal, filter, slice),
      companyCertificates: (ids) => companyCertificates(store, ids, clock.now()),
      addDevice: (principal, device, keep) => addDevice(deps, principal, device, keep),
      changeDevice: (principal, id, changes) => changeDevice(deps, principal, id, changes),
      listDevices: (principal, filter, slice) => listDevices(deps, principal, filter, slice),
      importDevices: (principal, file, keep) => importDevices(deps, principal, file, keep),
      addCertificate: (principal, certificate, keep) => addCertificate(deps, principal, certificate, keep),
      listCertificates: (principal, filter) => listCertificates(deps, principal, filter),
      fiscalHealth: probe,
      health: () => serviceHealth(health),
      now: clock.now,
    },
    adminUseCases: {
      createApiKey: (principal, key) => createApiKey(deps, principal, key),
      listApiKeys: (principal) => store.apiKeys.list(principal.tenantId),
      revokeApiKey: (principal, id) => revokeApiKey(deps, principal, id),
      revokeCertificate: (principal, id) => revokeCertificate(deps, principal, id),
      addUser: (principal, user) => addUser(deps, principal, user),
      listUsers: (principal) => store.users.list(principal.tenantId),
      removeUser: (principal, nameOrId) => removeUser(deps, principal, nameOrId),
      addTenant: (principal, name) => addTenant(deps, principal, name),
      listTenants: () => store.tenants.list(),
      auditLog: ({ tenantId }, slice) =>
        pageOf(
          slice,
          (wanted) => store.audit.list(tenantId, wanted),
          (entry) => entry,
        ),
      devicesNamed: (principal, labelOrId) => store.devices.named(principal.tenantId, labelOrId),
      status: () => gatewayStatus({ store, trust, probe, clock }),
      trust: createTrustAdmin(trust, config.trustPaths, (mode) => {
        authority.reload(mode)
        return revokeListedOf(mode)
      }),
    },
    sessions: {
      signIn: (name, password) => signIn(deps, name, password),
      signOut: (token) => signOut(store, token),
      findSession: (token) => findSession(deps, token),
    },
    async sweep(signal) {
      await store.idempotency.removeBefore(clock.now() - IDEMPOTENCY_LIFETIME_MS)
      await expireOverdue()
      return sweep(signal)
    },
    async revokeListed() {
      for (const mode of ['test', 'live'] as const) await revokeListedOf(mode)
    },
    close: () => authority.close(),
  }
}
