import { expect, test } from 'vitest'
import type { ChainValidator } from '../../../src/fiscal/ports/trust.ts'
import { cacheVerdicts } from '../../../src/fiscal/registry/cached-chain-verdicts.ts'

const HOUR_MS = 3_600_000

test('the same certificates are judged once an hour; others, and another bundle, anew', async () => {
  let judged = 0
  const validate: ChainValidator['validate'] = async () => ({ trusted: false, reason: String(++judged) })
  const chains = cacheVerdicts({ validate })
  const [leaf, root, other] = [Buffer.from('leaf'), Buffer.from('root'), Buffer.from('other')]
  const reason = async (...args: Parameters<typeof validate>) =>
    ((await chains.validate(...args)) as { reason: string }).reason

  expect(await reason(leaf, [], [root], 0)).toBe('1')
  expect(await reason(Buffer.from('leaf'), [], [root], HOUR_MS - 1)).toBe('1')
  expect(await reason(leaf, [], [root], HOUR_MS)).toBe('2')
  expect(await reason(leaf, [], [other], 0)).toBe('3')
  expect(await reason(other, [], [root], 0)).toBe('4')
  expect(await reason(leaf, [root], [], 0)).toBe('5')
  expect(await reason(leaf, [], [], 0)).toBe('6')
})
