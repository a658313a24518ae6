import type { TrustList, TrustPurpose } from '../../domain/certificate.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { JsonObject } from '../ports/model.ts'
import type { RevocationLists, TrustBundle, TrustChange, TrustedCertificate, TrustFiles } from '../ports/trust.ts'
import { revokeListed } from './certificates.ts'

export interface TrustAdminDeps extends Context {
  trust: TrustFiles & RevocationLists
  paths: Record<Mode, Record<TrustList, string>>
  /** The known CA certificates of a mode, as PEM. @throws FiskError as `fetch` */
  download: (mode: Mode) => Promise<Buffer>
  /** A bundle has changed: the next connection uses it. */
  onChange: (mode: Mode) => void
  /** Certificates of a mode that their issuer has revoked were found. */
  onRevoked: (mode: Mode, count: number) => void
}

export type TrustAdmin = Pick<ReturnType<typeof createTrustAdmin>, 'list' | 'add' | 'remove' | 'fetch'>

/** Lists and changes the trust bundles. A change takes effect with the next message, and is audited. */
export function createTrustAdmin(deps: TrustAdminDeps) {
  const { store, clock, trust, paths, download, onChange, onRevoked } = deps

  const show = (mode: Mode, list: TrustList): TrustBundle => ({
    mode,
    list,
    path: paths[mode][list],
    given: list === 'base' && trust.given(mode) !== null,
    certificates: trust.list(mode, list),
    revocationLists: trust.revocationLists(mode, list),
  })

  async function revoke(mode: Mode): Promise<void> {
    const revoked = await revokeListed({ store, clock, trust }, mode)
    if (revoked > 0) onRevoked(mode, revoked)
  }

  /** @param detail for the audit log; null where nothing is new */
  async function changed(by: Principal, mode: Mode, detail: JsonObject | null): Promise<void> {
    onChange(mode)
    if (detail) await audit(store, by, clock.now(), 'trust.changed', detail)
    await revoke(mode)
  }

  /**
   * Adds the CA certificates and revocation lists of a PEM or DER file; what they list is revoked before it resolves.
   * @throws FiskError `invalid_request`, param `certificates`, when the file contains anything else
   */
  async function add(by: Principal, mode: Mode, list: TrustList, file: Buffer): Promise<TrustChange> {
    const added = trust.add(mode, list, file)
    const certificates = added.certificates.map(auditOf)
    const revocation_lists = added.revocationLists.map(({ issuer }) => issuer)
    const isNew = certificates.length + revocation_lists.length > 0
    await changed(by, mode, isNew ? { mode, list, certificates, revocation_lists } : null)
    return { ...show(mode, list), added }
  }

  return {
    list: show,
    add,
    /** As `TrustFiles.remove`. @returns what is left in the file */
    async remove(by: Principal, mode: Mode, purpose: TrustPurpose, fingerprint: string): Promise<TrustBundle> {
      const { list, removed } = trust.remove(mode, purpose, fingerprint)
      await changed(by, mode, { mode, list: purpose, removed: [auditOf(removed)] })
      return show(mode, list)
    },
    /**
     * Downloads the known CA certificates of a mode, checks their fingerprints and adds them to the base.
     * @throws FiskError `internal_error` when a download failed, `invalid_request` when a fingerprint differs, or when the
     *   operator has set the path of the base, which is then never written
     */
    async fetch(by: Principal, mode: Mode): Promise<TrustChange> {
      if (trust.given(mode) === null) return add(by, mode, 'base', await download(mode))
      const variable = `FISKD_TRUST_${mode.toUpperCase()}`
      const place = `${variable} is set, and fiskd does not write its file ${paths[mode].base}`
      throw invalidRequest('mode', `${place}: put the CA certificates into it, or unset ${variable}`)
    },
    /** Revokes what the lists of the bundles name. */
    async revokeAllListed(): Promise<void> {
      for (const mode of MODES) await revoke(mode)
    },
    /** Takes what was stored in the files since, and revokes what their lists name. */
    async reread(): Promise<void> {
      for (const mode of MODES.filter(trust.reread)) {
        onChange(mode)
        await revoke(mode)
      }
    },
  }
}

const auditOf = ({ subject, fingerprint }: TrustedCertificate) => ({ subject, fingerprint })
