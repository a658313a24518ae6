import type { Mode } from '../../domain/sale/sale.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The modes of the active companies; without any, the mode that this gateway was deployed for. */
export async function modesInUse(store: Pick<StoreTransaction, 'companies'>, deploymentMode: Mode): Promise<Mode[]> {
  const active = (await store.companies.ours()).filter(({ status }) => status === 'active')
  if (active.length === 0) return [deploymentMode]
  return (['test', 'live'] as const).filter((mode) => active.some((company) => company.mode === mode))
}
