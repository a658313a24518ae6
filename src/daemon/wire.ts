import type { Logger } from 'pino'
import type { AdminUseCases, UseCases } from '../api/use-cases.ts'
import { createChainValidator } from '../certificates/chain.ts'
import { createCertificateOpener } from '../certificates/opener.ts'
import { createTaxAuthority } from '../cis/client.ts'
import { createTrustBundles } from '../cis/trust-bundles.ts'
import { createApiKey } from '../fiscal/api-keys.ts'
import { addCertificate } from '../fiscal/certificates.ts'
import { addCompany } from '../fiscal/companies.ts'
import { addDevice, changeDevice } from '../fiscal/devices.ts'
import { createFiscalize, greetDevice } from '../fiscal/fiscalize.ts'
import { createKeyedLock } from '../fiscal/keyed-lock.ts'
import type { Clock, Vault } from '../fiscal/ports.ts'
import { createFiscalProbe } from '../fiscal/probe.ts'
import { createRetry, findInvoice } from '../fiscal/retry.ts'
import { createSigningIdentities } from '../fiscal/signing-identities.ts'
import { gatewayStatus } from '../fiscal/status.ts'
import type { Store } from '../fiscal/store-port.ts'
import { createSubmitter } from '../fiscal/submit.ts'
import type { Config } from './config.ts'
import { createTrustAdmin } from './trust-admin.ts'

export interface House {
  useCases: UseCases
  adminUseCases: AdminUseCases
  sweep(signal: AbortSignal): Promise<{ sent: number; confirmed: number }>
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
  const probe = createFiscalProbe(authority, config.deploymentMode, clock)
  const fleet = { store, clock, newUuid }
  const upload = { store, opener: createCertificateOpener(), chains, trust, vault, clock, newUuid }
  return {
    useCases: {
      fiscalize: createFiscalize({
        store,
        identities,
        submitter,
        invoiceLock,
        keyLock: createKeyedLock(),
        clock,
        newInvoiceId,
      }),
      retry,
      findInvoice: (principal, id) => findInvoice(store, principal, id),
      messagesOf: (invoiceId) => store.messages.ofInvoice(invoiceId),
      greetDevice: (principal, deviceId) => greetDevice(store, principal, deviceId),
      noteSeen: (deviceId) => store.devices.update(deviceId, { lastSeenAt: clock.now() }),
      addCompany: (principal, company) => addCompany(fleet, principal, company),
      addDevice: (principal, device) => addDevice(fleet, principal, device),
      changeDevice: (principal, id, changes) => changeDevice(fleet, principal, id, changes),
      addCertificate: (principal, certificate) => addCertificate(upload, principal, certificate),
      fiscalHealth: probe,
      pingDatabase: () => store.ping(),
      now: clock.now,
    },
    adminUseCases: {
      createApiKey: (principal, key) => createApiKey(fleet, principal, key),
      devicesNamed: (principal, labelOrId) => store.devices.named(principal.tenantId, labelOrId),
      status: () => gatewayStatus({ store, trust, probe, clock }),
      trust: createTrustAdmin(trust, config.trustPaths, (mode) => authority.reload(mode)),
    },
    async sweep(signal) {
      await store.idempotency.removeBefore(clock.now() - IDEMPOTENCY_LIFETIME_MS)
      return sweep(signal)
    },
    close: () => authority.close(),
  }
}
