import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type AlertingDeps, rulesOf } from '../../../src/daemon/compose/alerts.ts'
import { ALERT_KINDS } from '../../../src/domain/alert.ts'
import { watched } from '../../support/alerting.ts'
import { startGateway } from '../../support/gateway.ts'

test('a pass over the alerts begins when the sale that is being sent has its answer', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ delayMs: 950 })
  const sold = gateway.sell()
  await expect.poll(() => gateway.cis.received.length).toBe(1)
  const looked = gateway.watch()
  expect(await Promise.race([looked, setTimeout(400, 'nothing yet')])).toBe('nothing yet')
  expect(await sold).toMatchObject({ status: 'confirmed' })
  await looked
})

test('each kind of alert is looked after by one rule', async () => {
  const { store, clock } = await watched()
  // Rules look at these only in a pass.
  const unused = { authority: { beliefs: {} }, spool: {}, elapsed: clock.now, clock }
  const rules = rulesOf({ ...unused, store, config: { role: 'server' } } as unknown as AlertingDeps)
  // Mailing tells of itself.
  const kinds = [...rules.flatMap((rule) => rule.kinds), 'mail_failed']
  expect(kinds.sort()).toEqual([...ALERT_KINDS].sort())
})
