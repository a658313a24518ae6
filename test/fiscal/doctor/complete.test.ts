import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diagnose } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'

const TESTS = readdirSync(join(import.meta.dirname, '../..'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('-checks.test.ts'))
  .map((file) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8'))
  .join('\n')

/** Without the name of the company or device that it is about. */
const kindOf = (name: string) => name.replace(/^(certificate|key|chain|printer|receipt) [^,]*/, '$1').replace(',', '')

/** A title of a test (`CIS test name: ...`), of a group of them, a row of a table that gives it, or what is expected. */
function isTested(kind: string): boolean {
  const rows = [`\n  ['${kind}', `, `\n  [\n    '${kind}',\n`]
  return [`('${kind}: `, `describe('${kind}'`, ...rows, `name: '${kind}'`].some((text) => TESTS.includes(text))
}

test('for every check of the doctor there is a test that breaks what it looks at', async () => {
  const gateway = await startGateway()
  const body = { line: 'tcp:127.0.0.1:1' }
  await gateway.admin(`/admin/printers/${gateway.deviceId}`, { method: 'PATCH', body })
  const kinds = new Set((await diagnose(gateway)).map(({ name }) => kindOf(name)))
  expect(kinds.size).toBeGreaterThanOrEqual(30)
  expect([...kinds].filter((kind) => !isTested(kind))).toEqual([])
})
