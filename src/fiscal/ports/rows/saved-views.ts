import type { EpochMs } from '../../../domain/instant.ts'

/** A list with a filter and an order that a user has given a name. */
export interface SavedView {
  id: string
  userId: string
  /** The list that it narrows down. */
  list: string
  name: string
  /** Of the address, without the question mark. */
  query: string
  createdAt: EpochMs
}

export interface SavedViewRows {
  /** Of one user, by name. */
  list(userId: string, list: string): Promise<SavedView[]>
  /** Replaces a view of the same user, list and name. */
  put(view: SavedView): Promise<void>
  /** @returns the view that was removed; undefined when the user has no such view */
  remove(userId: string, id: string): Promise<SavedView | undefined>
}
