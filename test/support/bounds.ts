import { expect, test } from 'vitest'
import type { Bound } from '../../src/domain/bound.ts'

export const TAKEN = 'taken'

/** Brings exactly so much. @returns `TAKEN`, or what became of it, in the words of the table */
export type Bring = (amount: number) => Promise<string>

/**
 * One test for each bound: as much is taken, and one more becomes what its table says.
 * @param stored what a refusal must not change
 */
export function testBounds<Table extends Record<string, Bound>>(
  table: Table,
  cases: Record<keyof Table, Bring>,
  stored: () => unknown = () => {},
): void {
  for (const name of Object.keys(table) as (keyof Table & string)[]) {
    const { most, of, beyond } = table[name] as Bound
    test(`${of}: ${most} is taken, and of one more it is said: ${beyond} (${name})`, async () => {
      expect(await cases[name](most)).toBe(TAKEN)
      const before = stored()
      expect(await cases[name](most + 1)).toBe(beyond)
      if (/^4\d\d /.test(beyond)) expect(stored()).toEqual(before)
    })
  }
}
