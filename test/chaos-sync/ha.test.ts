import { expect, test } from 'vitest'
import { skipWithoutPatroni } from '../support/patroni.ts'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'
import { mayMount } from '../support/small-disk.ts'

test.skipIf(skipWithoutPatroni || !mayMount())(
  'on three nodes of Patroni nothing is lost or doubled by a switchover, a standby that lacks sales, and another password',
  async () => {
    const { out } = await runScript('chaos-sync/main.ts', '--dist', DIST, '--ha', '--short')
    expect(out).toMatch(/^ok +3 {2}faults, each without the loss of an acknowledged sale$/m)
    expect(out).toMatch(/^ok +6 {2}defects were planted, and each was found$/m)
    // How long nothing was sold is judged by the run, and not beside other tests.
    expect(out.match(/^FAIL (?!.*ms more than without a plain write).*$/gm) ?? []).toEqual([])
  },
)
