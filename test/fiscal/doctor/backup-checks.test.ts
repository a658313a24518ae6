import { beforeAll, expect, test } from 'vitest'
import type { Gateway } from '../../support/gateway.ts'
import { brokenInTable, sharedHealthyGateway, verdicts } from '../../support/healthy.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await sharedHealthyGateway()
})

test.each([
  ['was never made', 'DELETE FROM audit_log', 'none was ever made'],
  ['is eight days old', 'UPDATE audit_log SET at = at - 8 * 86400000', 'the last one was made 8 days ago'],
])('backup: one that %s is a warning', async (_which, change, detail) => {
  const found = await brokenInTable(gateway, 'audit_log', `${change} WHERE action = 'database.backed_up'`)
  expect(verdicts(found)).toEqual(['backup warn'])
  expect(found[0]).toMatchObject({ detail, fix: expect.stringContaining('fisk backup FILE') })
})
