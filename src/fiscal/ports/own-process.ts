/**
 * This process among all that use the database. What a process holds is taken over once it has given no sign of life
 * for eight seconds; from then on nothing that it still does for what it held is stored.
 */
export interface OwnProcess {
  /** Calls the listener after a process that is gone was removed: what it held waits for another process. @returns stops that */
  onRemoval(listener: () => void): () => void
}

/** The only process on a file. */
export const ALONE: OwnProcess = { onRemoval: () => () => {} }
