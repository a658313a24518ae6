import { getThrough } from '../../cis/transport/proxy-download.ts'
import type { createTrustBundles } from '../../cis/trust/trust-bundles.ts'
import { fetchKnownAuthorities } from '../../cis/trust/trust-fetch.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import type { TrustAdmin, TrustChange } from '../../fiscal/ports/trust.ts'
import type { Config } from '../config.ts'

/** Who has changed a bundle, and what is new in it. */
export type OnTrustChange = (by: Principal, change: TrustChange) => Promise<void>

/**
 * The trust bundles as the operator handles them.
 * @param onChange told when a bundle has changed, so that the next connection uses it and what it revokes is revoked
 */
export function createTrustAdmin(
  trust: ReturnType<typeof createTrustBundles>,
  { trustPaths: paths, cisProxy }: Pick<Config, 'trustPaths' | 'cisProxy'>,
  onChange: OnTrustChange,
): TrustAdmin {
  const list: TrustAdmin['list'] = (mode) => ({
    mode,
    path: paths[mode],
    certificates: trust.list(mode),
    revocationLists: trust.revocationLists(mode),
  })
  const addAll = async (by: Principal, mode: Mode, files: Buffer[]): Promise<TrustChange> => {
    const added: ReturnType<typeof trust.add>[] = []
    const change = (): TrustChange => ({
      ...list(mode),
      added: added.flatMap(({ certificates }) => certificates),
      addedLists: added.flatMap(({ revocationLists }) => revocationLists),
    })
    try {
      for (const file of files) added.push(trust.add(mode, file))
    } finally {
      // What a refused file came after is in the bundle already.
      if (added.length > 0) await onChange(by, change())
    }
    return change()
  }
  return {
    list,
    add: (by, mode, file) => addAll(by, mode, [file]),
    fetch: async (by, mode) =>
      addAll(by, mode, await fetchKnownAuthorities(mode, cisProxy ? { get: getThrough(cisProxy) } : {})),
  }
}
