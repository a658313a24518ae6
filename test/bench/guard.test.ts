import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { DIST } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * What a sale takes of the processor, in units of the two signatures and one check that it cannot do without, both
 * measured in one run by processor time: a slower machine changes both alike, a busy one lengthens a sale by a third or so.
 */
const USUAL_RATIO = 10

test('a sale does not take twice the processor time that it usually takes', async () => {
  const json = join(await tempDir(), 'bench.json')
  const short = ['--only', 'latency', '--clients', '8', '--short', '--runs', '1', '--dist', DIST]
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'scripts/bench/main.ts'), ...short, '--json', json],
    { cwd: ROOT },
  )
  const { sections } = JSON.parse(readFileSync(json, 'utf8'))
  const figures: { what: string; median: number }[] = sections[0].verdicts
  const ratio = figures.find(({ what }) => what === '8 clients: CPU per sale / 2 signatures and 1 check')?.median
  expect(ratio).toBeGreaterThan(1)
  expect(ratio).toBeLessThan(2 * USUAL_RATIO)
})
