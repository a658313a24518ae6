import type { createTrustBundles } from '../cis/trust-bundles.ts'
import { fetchKnownAuthorities } from '../cis/trust-fetch.ts'
import type { Mode } from '../domain/sale.ts'
import type { TrustAdmin } from '../fiscal/ports.ts'

/**
 * The trust bundles as the operator handles them.
 * @param onChange told when a bundle has changed, so that the next connection uses it
 */
export function createTrustAdmin(
  trust: ReturnType<typeof createTrustBundles>,
  paths: Record<Mode, string>,
  onChange: (mode: Mode) => void,
): TrustAdmin {
  const list: TrustAdmin['list'] = (mode) => ({ mode, path: paths[mode], certificates: trust.list(mode) })
  return {
    list,
    async add(mode, file) {
      const added = await trust.add(mode, file)
      onChange(mode)
      return { ...list(mode), added }
    },
    async fetch(mode) {
      const files = await fetchKnownAuthorities(mode)
      const added = []
      for (const file of files) added.push(...(await trust.add(mode, file)))
      onChange(mode)
      return { ...list(mode), added }
    },
  }
}
