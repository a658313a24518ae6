import { expect, test } from 'vitest'
import { listenChecks } from '../../../src/fiscal/doctor/process-checks.ts'
import { diagnose, inEnglish } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'

/** 192.0.2.0/24 is for documentation: no machine has an address of it. */
const ABSENT = '192.0.2.77:8443'

test('addresses: one that the machine lacks is told with its fix, beside one that is reached', async () => {
  const gateway = await startGateway({ FISKD_LISTEN: `${ABSENT},127.0.0.1:0` })
  expect((await diagnose(gateway)).filter(({ name }) => name === 'addresses')).toEqual([
    {
      ...{ name: 'addresses', status: 'warn', fix: expect.stringContaining('fisk init --listen') },
      detail: `nobody reaches fiskd at ${ABSENT}: this machine does not have this address now; it tries every 10 s`,
    },
  ])
})

test('addresses: those that are all reached are told', async () => {
  const [examination] = listenChecks(() => [{ address: '127.0.0.1:8443', problem: null }])
  expect(inEnglish((await examination?.run()) ?? [])).toEqual([
    { name: 'addresses', status: 'ok', detail: 'reached at 127.0.0.1:8443', fix: null },
  ])
})
