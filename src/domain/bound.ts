/** How much of one thing is taken from outside. The table of a border is its `bounds.ts`, which its code goes by. */
export interface Bound {
  /** The largest amount that is taken. */
  most: number
  /** What is counted, with its unit. */
  of: string
  /** What becomes of more. */
  beyond: string
}
