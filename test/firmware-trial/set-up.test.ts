import { expect, test } from 'vitest'
import { adminAt, setUpCompany, setUpMachine } from '../../src/firmware-trial/environment/set-up.ts'
import { startEmptyGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'

test('firmware that sends a deposit as docs/firmware.md says gets no advice about it', async () => {
  const gateway = await startEmptyGateway()
  const admin = adminAt(gateway.socketPath)
  Object.assign(gateway, await setUpMachine(admin, await setUpCompany(admin, OIBS[0], await certificateOf(OIBS[0]))))
  const sold = await gateway.sell({ total: '1.50', fees: [{ name: 'Povratna naknada', amount: '0.10' }] })
  expect(sold.status).toBe('confirmed')
  expect(await gateway.invoice(sold.id)).not.toHaveProperty('findings')
})
