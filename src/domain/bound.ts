/** A limit for input from outside. Each interface has its limits in a table `bounds.ts`, which its code uses. */
export interface Bound {
  /** The largest accepted amount. */
  most: number
  /** What is counted, with its unit. */
  of: string
  /** What happens above the limit. */
  beyond: string
}
