import { describe, expect, test } from 'vitest'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'
import { skipWithout } from '../support/tools.ts'

describe.skipIf(skipWithout('gcc') || skipWithout('python3'))('a soak run', () => {
  test('a day of a kiosk passes in a minute, with a restart, new certificates, a backup and an outage', async () => {
    const { code, out } = await runScript(
      'soak/main.ts',
      '--dist',
      DIST,
      '--days',
      '1',
      '--sales',
      '30',
      '--minutes',
      '1',
    )
    expect(out).toContain('nothing grew, and nothing was lost, doubled or invented')
    expect(out).toMatch(/^ok +[1-9]\d* {2}receipts came out where there was paper/m)
    expect(code).toBe(0)
  })
})
