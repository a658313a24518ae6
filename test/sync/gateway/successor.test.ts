import { expect, test } from 'vitest'
import { zagrebYear } from '../../../src/domain/zagreb.ts'
import { startCentral, told } from '../../support/central-server.ts'
import { fisk } from '../../support/fisk.ts'
import { startGateway } from '../../support/gateway.ts'
import { addGateway } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

test('a stolen card that pushes a number of twenty nines ends nothing: the card that takes its place sells on', async () => {
  const central = await startCentral()
  const stolen = await addGateway(central.server, 'kiosk')
  await stolen.enroll()
  await stolen.hello()
  const { parents, invoice } = fleet({ premisesCode: 'POSL1', label: 'Old machine', isuNumber: '909' })
  const year = zagrebYear(Date.now())
  const sold = [1, 2, 3].map((number) => invoice(number, { year }))
  const far = invoice(4, { year })
  far.document = { ...far.document, number: '9'.repeat(20) }
  const records = [...sold, far].map((one) => record('invoice', one))
  expect((await stolen.push([...parents(), ...records])).body.refused).toMatchObject([{ id: far.id }])

  const successor = await startGateway()
  await central.enroll(successor, 'kiosk', { again: true })
  expect((await successor.sell()).number).toBe('4')
  expect((await successor.sell()).number).toBe('5')
  expect((await told(successor)).sync.refused).toBe(0)

  const around = { socket: central.server.socketPath }
  const shown = await fisk(['gateway', 'show', 'kiosk'], around)
  expect(shown.stdout).toContain('fisk gateway accept NAME INVOICE')
  const accepted = await fisk(['gateway', 'accept', 'kiosk', far.id], around)
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('--follow would move it') })
  expect((await successor.sell()).number).toBe('6')
})
