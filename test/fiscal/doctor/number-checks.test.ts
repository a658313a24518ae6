import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inDatabase } from '../../support/database.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'

const NINES = '9'.repeat(20)

test('counting: a number that was supplied far ahead is told, and is no fault of the journal', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const { id } = await gateway.sell({ number: NINES })
  const checks = await diagnose(gateway)
  expect(checks.filter(({ name }) => name === 'counting')).toEqual([
    {
      ...{ name: 'counting', status: 'warn', fix: expect.stringContaining('fisk key revoke ID') },
      detail: expect.stringMatching(new RegExp(`POSL1 \\(test\\) in \\d{4}: ${NINES} of ${id}$`)),
    },
  ])
  expect(checks.filter(({ name }) => name === 'numbers')).toMatchObject([{ status: 'ok' }])
})

test.each([
  ['99999999999999999998', 'after 99999999999999999998 only 1 are left'],
  [NINES, 'used up, so it cannot sell'],
])('counting: a sequence that has got to %s is a failure with the command that heals it', async (highest, says) => {
  const gateway = await startGateway()
  await gateway.sell()
  await inDatabase(gateway, `UPDATE sequences SET highest = '${highest}'`)
  expect((await diagnose(gateway)).filter(({ name }) => name === 'counting')).toMatchObject([
    { status: 'fail', detail: expect.stringContaining(says), fix: expect.stringContaining('fisk numbers heal') },
  ])
})

test('issued sales: a record of issued sales that is missing is told', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  rmSync(join(gateway.dataDir, 'issued.log'))
  await gateway.restart()
  expect((await diagnose(gateway)).filter(({ name }) => name === 'issued sales')).toMatchObject([
    { status: 'warn', detail: expect.stringContaining('it is missing') },
  ])
})
