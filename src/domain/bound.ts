/** A limit for input from outside. Each interface has its limits in a table `bounds.ts`, which its code uses. */
export interface Bound {
  most: number
  /** What is counted, with its unit. */
  of: string
  beyond: string
}
