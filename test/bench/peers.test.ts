import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'
import { tempDir } from '../support/temp-dir.ts'

const SIX = 'unsigned tampered another CA another signer another message wrapped'

test('every way of selling is judged before it is measured, and no forged answer deceives fiskd', async () => {
  const json = join(await tempDir(), 'peers.json')
  const few = ['--sales', '5', '--rounds', '1', '--warm', '5', '--dist', DIST, '--json', json]
  const { code, out } = await runScript('bench-peers/main.ts', ...few)
  expect(code, out).toBe(0)
  expect(out).toMatch(/every message is accepted: yes/)
  const { rows } = JSON.parse(readFileSync(json, 'utf8'))
  const of = (way: string) => rows.find((row: { way: string }) => row.way === way)
  expect(of('fiskd')).toMatchObject({ 'deceived by': 'none of 6', stores: 'yes' })
  expect(of('Node, xml-crypto')).toMatchObject({ 'deceived by': SIX, stores: 'no' })
  expect(of('Node, xml-crypto, verifying')).toMatchObject({ 'deceived by': 'another message' })
  // A signature and a check cannot take less than themselves.
  for (const { units } of rows) expect(units).toBeGreaterThan(0.5)
})
