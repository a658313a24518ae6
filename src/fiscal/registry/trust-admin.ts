import { MODES, type Mode } from '../../domain/sale/sale.ts'
import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { RevocationLists, TrustAdmin, TrustChange, TrustFiles } from '../ports/trust.ts'
import { revokeListed } from './certificates.ts'

export interface TrustAdminDeps {
  store: Pick<Store, 'audit' | 'transaction'>
  clock: Clock
  trust: TrustFiles & RevocationLists
  paths: Record<Mode, string>
  /** Downloads the known CA certificates of a mode. @throws FiskError as `TrustAdmin.fetch` */
  download: (mode: Mode) => Promise<Buffer[]>
  /** A bundle has changed: the next connection uses it. */
  onChange: (mode: Mode) => void
  /** Certificates of a mode that their issuer has revoked were found. */
  onRevoked: (mode: Mode, count: number) => void
}

/** The trust bundles as the operator handles them. */
export interface TrustCareAdmin extends TrustAdmin {
  /** Revokes what the lists of the bundles name. */
  revokeAllListed(): Promise<void>
  /** Takes what was stored in the files since, and revokes what their lists name. */
  reread(): Promise<void>
}

export function createTrustAdmin(deps: TrustAdminDeps): TrustCareAdmin {
  const { store, clock, trust, paths, download, onChange, onRevoked } = deps

  const list: TrustAdmin['list'] = (mode) => ({
    mode,
    path: paths[mode],
    certificates: trust.list(mode),
    revocationLists: trust.revocationLists(mode),
  })

  async function revoke(mode: Mode): Promise<void> {
    const revoked = await revokeListed({ store, clock, trust }, mode)
    if (revoked > 0) onRevoked(mode, revoked)
  }

  async function changed(by: Principal, { mode, added, addedLists }: TrustChange): Promise<void> {
    onChange(mode)
    if (added.length + addedLists.length > 0) {
      const certificates = added.map(({ subject, fingerprint }) => ({ subject, fingerprint }))
      const revocation_lists = addedLists.map(({ issuer }) => issuer)
      await audit(store, by, clock.now(), 'trust.changed', { mode, certificates, revocation_lists })
    }
    await revoke(mode)
  }

  async function addAll(by: Principal, mode: Mode, files: Buffer[]): Promise<TrustChange> {
    const added: ReturnType<TrustFiles['add']>[] = []
    const change = (): TrustChange => ({
      ...list(mode),
      added: added.flatMap(({ certificates }) => certificates),
      addedLists: added.flatMap(({ revocationLists }) => revocationLists),
    })
    try {
      for (const file of files) added.push(trust.add(mode, file))
    } finally {
      // What a refused file came after is in the bundle already.
      if (added.length > 0) await changed(by, change())
    }
    return change()
  }

  return {
    list,
    add: (by, mode, file) => addAll(by, mode, [file]),
    fetch: async (by, mode) => addAll(by, mode, await download(mode)),
    async revokeAllListed() {
      for (const mode of MODES) await revoke(mode)
    },
    async reread() {
      for (const mode of MODES.filter(trust.reread)) {
        onChange(mode)
        await revoke(mode)
      }
    },
  }
}
