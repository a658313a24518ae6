import type { createTrustBundles } from '../cis/trust-bundles.ts'
import { fetchKnownAuthorities } from '../cis/trust-fetch.ts'
import type { Mode } from '../domain/sale.ts'
import type { TrustAdmin, TrustChange } from '../fiscal/ports.ts'

/**
 * The trust bundles as the operator handles them.
 * @param onChange told when a bundle has changed, so that the next connection uses it and what it revokes is revoked
 */
export function createTrustAdmin(
  trust: ReturnType<typeof createTrustBundles>,
  paths: Record<Mode, string>,
  onChange: (mode: Mode) => Promise<void>,
): TrustAdmin {
  const list: TrustAdmin['list'] = (mode) => ({
    mode,
    path: paths[mode],
    certificates: trust.list(mode),
    revocationLists: trust.revocationLists(mode),
  })
  const addAll = async (mode: Mode, files: Buffer[]): Promise<TrustChange> => {
    const added = files.map((file) => trust.add(mode, file))
    await onChange(mode)
    return {
      ...list(mode),
      added: added.flatMap(({ certificates }) => certificates),
      addedLists: added.flatMap(({ revocationLists }) => revocationLists),
    }
  }
  return {
    list,
    add: (mode, file) => addAll(mode, [file]),
    fetch: async (mode) => addAll(mode, await fetchKnownAuthorities(mode)),
  }
}
