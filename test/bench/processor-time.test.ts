import { expect, test } from 'vitest'
import { benchFigures } from '../support/bench-figures.ts'

/**
 * Processor time of a sale, in units of the two signatures and one check that it cannot do without, both measured in one
 * run: a slower machine changes both alike, a busy one lengthens a sale by a third or so. It sees what
 * `work-of-a-sale.test.ts` cannot count: compression, TLS, the kernel.
 */
const USUAL_RATIO = 7.5

test('a sale does not take twice the processor time that it usually takes', async () => {
  const figures = await benchFigures(['--only', 'latency', '--clients', '8', '--runs', '1'])
  const ratio = figures('8 clients: CPU per sale / 2 signatures and 1 check')
  expect(ratio).toBeGreaterThan(1)
  expect(ratio).toBeLessThan(2 * USUAL_RATIO)
})
