import { expect, test } from 'vitest'
import { startOfDate } from '../../../src/domain/working-days.ts'
import { createPeriodClosing } from '../../../src/fiscal/closings/close-period.ts'
import { soldSinceClosing } from '../../../src/fiscal/machines/machine-sales.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const at = (date: number) => startOfDate(2026, 5, date) + 12 * 3_600_000

test('what a machine sold counts from the day after the latest closed day or month, by payment, without that of others', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  let ids = 0
  const newUuid = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const periods = createPeriodClosing({ store, clock: { now: () => at(9) } as never, newUuid })
  const sold = async () => {
    const device = await store.devices.get(shop.deviceId)
    if (!device) throw new Error('the device is gone')
    return soldSinceClosing(store, device, 'test')
  }
  expect(await sold()).toEqual({ since: null, sales: 0, cash: 0n })
  const one = await shop.sold({ occurredAt: at(4) })
  await shop.sold({ occurredAt: at(5) }, { paymentMethod: 'K' })
  await shop.sold({ occurredAt: at(6) })
  const cents = BigInt(one.document.total.replace('.', ''))
  expect(await sold()).toEqual({ since: null, sales: 3, cash: 2n * cents })
  const of = { tenantId: one.tenantId, mode: 'test', companyIds: null } as const
  await periods.run({ ...of, unit: 'day', starts: '2026-05-04' }, clerkOf())
  expect(await sold()).toEqual({ since: '2026-05-05', sales: 2, cash: cents })
  await periods.run({ ...of, unit: 'month', starts: '2026-05-01' }, clerkOf())
  expect(await sold()).toEqual({ since: '2026-06-01', sales: 0, cash: 0n })
})
