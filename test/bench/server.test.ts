import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skipWithoutPostgres } from '../support/postgres.ts'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'
import { tempDir } from '../support/temp-dir.ts'

test.skipIf(skipWithoutPostgres)(
  'two processes sell over a slow line, and pgbench makes the statements of a sale',
  async () => {
    const json = join(await tempDir(), 'bench.json')
    const { code, out } = await runScript('bench-server/main.ts', '--short', '--dist', DIST, '--json', json)
    expect(code, out).toBe(0)
    const { rows, figures, problems } = JSON.parse(readFileSync(json, 'utf8'))
    expect(problems).toEqual([])
    expect(rows).toHaveLength(1)
    expect(rows[0]['sales/s']).toBeGreaterThan(1)
    expect(rows[0]['pgbench/s']).toBeGreaterThan(0)
    const roundTrip = figures.find(({ what }: { what: string }) => what.endsWith('4 ms added'))
    // A timer may end a little early.
    expect(roundTrip.median).toBeGreaterThan(3.5)
  },
)
