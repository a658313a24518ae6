import type { CreatingContext } from '../context.ts'
import type { CertificateOpener, Vault } from '../ports/certificates.ts'
import type { PremisesAuthority } from '../ports/gateways.ts'
import type { ChainValidator, RevocationLists, TrustBundles } from '../ports/trust.ts'

/** For use cases that put devices somewhere. */
export interface PlacingContext extends CreatingContext {
  /** The server that this database is enrolled at; undefined when there is none. */
  premises?: PremisesAuthority | undefined
}

/** For use cases that ask whether certificates are trusted. */
export interface TrustingContext extends CreatingContext {
  chains: ChainValidator
  trust: TrustBundles & RevocationLists
}

/** For new certificates. */
export interface CertificateContext extends TrustingContext {
  vault: Vault
  opener: CertificateOpener
}

/** What the use cases of companies, devices and certificates work with. */
export type RegistryContext = PlacingContext & CertificateContext
