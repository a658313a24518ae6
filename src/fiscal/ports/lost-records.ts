import type { Enrolment } from './enrolment.ts'
import type { Sequence } from './model.ts'
import type { SeenNumber } from './rows/numbering.ts'
import type { StoreTransaction } from './store.ts'

/** What the central server says that this database does not know. */
export interface ToldMore {
  /** How many changes it has heard of beyond the last one that may have been sent from here. */
  changes: number
  numbers: readonly SeenNumber[]
  /** Whether the numbers are the server's own word. */
  isBelieved: boolean
}

/** Numbers of a sequence that were given out before, by a state of this database that is gone, and again since. */
export type NumbersGivenTwice = Pick<Sequence, 'premisesCode' | 'mode' | 'year' | 'register'> & {
  first: string
  last: string
}

/** Finds out what a database has lost that was sent to the server already. */
export interface LostRecords {
  /** Remembers the numbers with which this process begins; called before the first sale. */
  begin(): Promise<void>
  /**
   * Raises an alert, in a transaction in which nothing was learned from the server yet.
   * @returns the numbers that were given out twice; null when a restore explains what is lacking
   */
  note(tx: StoreTransaction, enrolment: Enrolment, told: ToldMore): Promise<NumbersGivenTwice[] | null>
}
