import type { EpochMs } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/sale/sale.ts'

/** A place in a list: the row it stands at, by what the list is ordered by. */
export interface Position {
  at: EpochMs
  id: string
}

/** How much of a list is wanted, and after which place; rows that are added meanwhile move nothing. */
export interface Slice {
  limit: number
  after?: Position | undefined
}

/** Whose rows: of one tenant or of all, of one mode or of both. */
export interface Realm {
  tenantId: string | null
  mode: Mode | null
}
