import { expect, test } from 'vitest'
import { startCentral, syncOf } from '../../support/central-server.ts'
import { startGateway } from '../../support/gateway.ts'

test('a limit of the line holds on average', async () => {
  const central = await startCentral()
  const gateway = await startGateway({ FISKD_SYNC_MAX_KBPS: '8' })
  for (let sale = 0; sale < 9; sale++) await gateway.sell()
  await central.enroll(gateway)
  const [begun, sentBefore] = [performance.now(), central.link.sent()]
  await expect.poll(async () => (await syncOf(gateway)).sync.waiting).toBe(0)
  const [seconds, bytes] = [(performance.now() - begun) / 1000, central.link.sent() - sentBefore]
  expect(bytes).toBeGreaterThan(8_000)
  // The last request goes out before its time has passed.
  expect((bytes * 8) / 1000 / seconds).toBeLessThan(2.5 * 8)
  expect(seconds).toBeGreaterThan(3)
})
