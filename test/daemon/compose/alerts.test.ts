import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
