import { expect, test } from 'vitest'
import { skipWithoutPostgres } from '../support/postgres.ts'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'

test.skipIf(skipWithoutPostgres)(
  'a server of three processes loses, doubles and delays nothing, whatever becomes of PostgreSQL and of its processes',
  async () => {
    const { code, out } = await runScript('chaos-server/main.ts', '--dist', DIST, '--short')
    expect(out).toContain('nothing was lost, doubled or late')
    expect(out).toMatch(/^ok +4 {2}defects were planted in copies, and each was found$/m)
    expect(code).toBe(0)
  },
)
