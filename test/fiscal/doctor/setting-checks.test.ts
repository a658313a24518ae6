import { expect, test } from 'vitest'
import { storeConfig } from '../../support/database.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'

const line = (rate: string) => ({ rate, base: '1.00', amount: '0.07' })

test('settings of sales: what is stored and ignored, or no sale can have, is told with the command that changes it', async () => {
  const own = await startGateway()
  await storeConfig(own, own, { default_vat_rate: '25', note: 'x', receipt: { hedaer: [], language: 'de' } })
  await storeConfig(own, { deviceId: own.deviceId }, { vat: [line('7.00')], sequence_mode: 'N' })
  const told = (await diagnose(own)).filter(({ name }) => name === 'settings of sales')
  expect(told).toMatchObject([
    {
      status: 'warn',
      detail:
        'Samoposluga d.o.o.: fiscal_config.default_vat_rate has not the form of the field in a sale: amounts and rates are ' +
        'texts with two decimals, like "25.00": it is ignored; ' +
        'fiscal_config.receipt.language must be hr, en or both: it is ignored; no sale reads fiscal_config.note; and 1 more',
      fix: expect.stringMatching(/^fisk company set \d{11} --config KEY=VALUE/),
    },
    {
      status: 'warn',
      detail:
        'machine: device_config: vat[0].rate is 7.00: the VAT rates are 0.00, 5.00, 13.00 and 25.00: sales that send none ' +
        'are refused; no sale reads device_config.sequence_mode',
      fix: 'fisk device set machine --config KEY=VALUE, --unset KEY',
    },
  ])
  await storeConfig(own, own, {})
  await storeConfig(own, { deviceId: own.deviceId }, { vat: null })
  expect((await diagnose(own)).filter(({ name }) => name === 'settings of sales')).toMatchObject([{ status: 'ok' }])
})
