import { type TestFunction, test } from 'vitest'

/**
 * A test of one row of a table of the specification, named after it (see `specificationRows`). Its name stands in the
 * source as it is, so that `test/contract/complete.test.ts` finds the rows that have no test.
 */
export function row(name: string, behaviour: string, run: TestFunction): void {
  test(`${name}: ${behaviour}`, run)
}
