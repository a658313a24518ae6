import { describe, expect, test } from 'vitest'
import { thisProcess } from '../../../src/daemon/host/machine.ts'
import { processChecks } from '../../../src/fiscal/doctor/process-checks.ts'
import { breakableGateway, procText } from '../../support/breakable-gateway.ts'

const { whole, alone } = breakableGateway(({ machine }) => processChecks(thisProcess(machine)))

describe('the process', () => {
  test('that may open few files is a warning', async () => {
    const limits = (await procText('self/limits')).replace(/(?<=Max open files\s+)\d+/, '1024')
    expect(await whole.withProc('self/limits', limits)).toMatchObject([
      {
        name: 'open files',
        status: 'warn',
        detail: expect.stringContaining('1024'),
        fix: expect.stringContaining('8192'),
      },
    ])
  })

  const pid = String(process.pid)
  const service = { INVOCATION_ID: 'b1d3', NOTIFY_SOCKET: '/run/systemd/notify' }
  test.each([
    [{ ...service, WATCHDOG_USEC: '60000000', WATCHDOG_PID: pid }, 'ok'],
    [service, 'warn'],
    [{ ...service, WATCHDOG_USEC: '60000000', WATCHDOG_PID: '1' }, 'warn'],
    [{ INVOCATION_ID: 'b1d3', SYSTEMD_EXEC_PID: pid }, 'warn'],
  ])('started by systemd with %j has a watchdog: %s', async (env, status) => {
    const found = await alone.withMachine({ env })
    expect(found).toMatchObject([{ name: 'watchdog', status }])
    if (status === 'warn') expect(found[0]?.fix).toContain('WatchdogSec=60')
  })

  test.each([{}, { INVOCATION_ID: 'of a desktop', SYSTEMD_EXEC_PID: '1' }])(
    'that systemd has not started is asked for none',
    async (env) => {
      const found = await alone.withMachine({ env })
      expect(found).toEqual([])
    },
  )
})
