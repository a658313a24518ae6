import type { Mode } from '../../domain/sale/sale.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The modes of the active companies; without any, the mode that this gateway was deployed for. */
export async function modesInUse(store: StoreTransaction, deploymentMode: Mode): Promise<Mode[]> {
  const modes = await store.companies.activeModes()
  return modes.length === 0 ? [deploymentMode] : modes
}
