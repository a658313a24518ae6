import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listenVariable } from '../../src/cli/setup/listen-addresses.ts'
import { fisk } from '../support/fisk.ts'
import { startEmptyGateway } from '../support/gateway.ts'
import { FISKD } from '../support/programs.ts'
import { serviceMachine } from '../support/systemctl.ts'
import { tempDir } from '../support/temp-dir.ts'

const QUIET = 'FISKD_SWEEP_INTERVAL_S=86400\nFISKD_CIS_TEST_URL=https://127.0.0.1:1/\n'
const OWN = [{ address: '127.0.0.3', name: 'eth0' }]
const stepsOf = (stdout: string) =>
  Object.fromEntries(
    JSON.parse(stdout).steps.map(({ step, state, detail }: Record<string, string>) => [step, `${state}: ${detail}`]),
  )

/** An address that the daemon cannot have, for another program listens there. */
async function takenAddress(): Promise<string> {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return `127.0.0.1:${(other.address() as AddressInfo).port}`
}

test('init starts the service, changes its addresses, and lets it never see what it would not take', async () => {
  const machine = await serviceMachine(`#FISKD_ROLE=gateway\nFISKD_LISTEN=127.0.0.1:0\n${QUIET}`)
  const init = (...argv: string[]) => fisk(['init', ...argv, '--json'], { ...machine.around, lanAddresses: OWN })

  const first = await init()
  expect(first).toMatchObject({ code: 1, stderr: '' }) // a company is left
  expect(stepsOf(first.stdout)).toMatchObject({ service: 'done: started, and it starts with the machine' })
  expect(machine.asked()).toEqual(['enable --now fiskd'])

  const moved = await init('--listen', '127.0.0.3')
  expect(stepsOf(moved.stdout)).toMatchObject({ listen: 'done: 127.0.0.1:0,127.0.0.3:0' })
  expect(machine.asked().slice(1)).toEqual(['restart fiskd'])
  const log = readFileSync(join(machine.dir, 'log'), 'utf8')
  expect(log).toContain('https://127.0.0.3:')
  expect(statSync(machine.envFile).mode & 0o777).toBe(0o640)

  const before = readFileSync(machine.envFile, 'utf8')
  const impossible = await init('--listen', '127.0.0.1:99999')
  expect(impossible.code).toBe(2)
  expect(impossible.stderr).toContain('FISKD_LISTEN is "127.0.0.1:0,127.0.0.1:99999"')
  expect(readFileSync(machine.envFile, 'utf8')).toBe(before)
  expect(machine.asked()).toHaveLength(2)
})

test('a daemon that does not come up with its new address gets the old ones back', async () => {
  const machine = await serviceMachine(`FISKD_LISTEN=127.0.0.1:0\n${QUIET}`)
  await fisk(['init'], machine.around)
  const before = readFileSync(machine.envFile, 'utf8')
  const failed = await fisk(['init', '--listen', await takenAddress()], machine.around)
  expect(failed.code).toBe(1)
  expect(failed.stderr.replace(/\s+/g, ' ')).toMatch(/does not come up with FISKD_LISTEN=.*127.0.0.1:\d+.*EADDRINUSE/)
  expect(failed.stderr.replace(/\s+/g, ' ')).toContain('The old configuration is back')
  expect(readFileSync(machine.envFile, 'utf8')).toBe(before)
  expect((await fisk(['status', '--json'], machine.around)).stdout).toContain('"role": "gateway"')
  expect(machine.asked().slice(1)).toEqual(['restart fiskd', 'restart fiskd'])
})

test('a change that is broken off while the service starts again is taken back, and it starts with the old one', async () => {
  const machine = await serviceMachine(`FISKD_LISTEN=127.0.0.1:0\n${QUIET}`)
  await fisk(['init'], machine.around)
  const before = readFileSync(machine.envFile, 'utf8')
  const ended = new Promise((resolve) => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(((code: number) => resolve(code)) as never)
    onTestFinished(() => exit.mockRestore())
  })
  const running = fisk(['init', '--listen', '127.0.0.3'], { ...machine.around, lanAddresses: OWN })
  await expect.poll(() => readFileSync(machine.envFile, 'utf8'), { interval: 5 }).not.toBe(before)
  await expect.poll(() => machine.asked(), { interval: 5 }).toContain('restart fiskd')
  process.emit('SIGHUP', 'SIGHUP')
  expect(await ended).toBe(129)
  expect(readFileSync(machine.envFile, 'utf8')).toBe(before)
  expect(machine.asked()).toContain('--no-block restart fiskd')
  expect(readdirSync(machine.dir).filter((name) => /lock|new/.test(name))).toEqual([])
  await running
})

test('two never change the configuration at the same time, and the lock of one that crashed is no obstacle', async () => {
  const { around, read } = await installed('FISKD_ROLE=gateway\n')
  const lock = `${around.env.FISKD_ENV_FILE}.lock`
  writeFileSync(lock, String(process.ppid))
  const second = await fisk(['init', '--role', 'server'], around)
  expect(second.code).toBe(1)
  expect(second.stderr).toContain(`Process ${process.ppid} is changing`)
  expect(read()).toBe('FISKD_ROLE=gateway\n')
  writeFileSync(lock, '999999999')
  await fisk(['init', '--role', 'server'], around)
  expect(read()).toBe('FISKD_ROLE=server\n')
  expect(existsSync(lock)).toBe(false)
})

test('what somebody else has changed while the service started is not taken away again', async () => {
  const machine = await serviceMachine(`FISKD_LISTEN=127.0.0.1:0\n${QUIET}`)
  await fisk(['init'], machine.around)
  const running = fisk(['init', '--listen', await takenAddress()], machine.around)
  await expect.poll(() => machine.asked(), { interval: 5 }).toContain('restart fiskd')
  writeFileSync(machine.envFile, `${readFileSync(machine.envFile, 'utf8')}# by hand\n`)
  expect((await running).stderr.replace(/\s+/g, ' ')).toContain('Somebody else changed')
  expect(readFileSync(machine.envFile, 'utf8')).toContain('# by hand')
})

test('what a shell has set for fisk never gets into the configuration of the service', async () => {
  const { around, read } = await installed('FISKD_LISTEN=127.0.0.1:8443\n')
  const env = { ...around.env, FISKD_LISTEN: '127.0.0.1:9999' }
  await fisk(['init', '--listen', '127.0.0.3'], { ...around, env })
  expect(read()).toBe('FISKD_LISTEN=127.0.0.1:8443,127.0.0.3:8443\n')
})

test('a configuration with which the service cannot be started first is taken back, and it starts without', async () => {
  const machine = await serviceMachine(`FISKD_LISTEN=127.0.0.1:0\n${QUIET}`)
  const ran = await fisk(['init', '--listen', await takenAddress()], machine.around)
  expect(ran.code).toBe(1)
  expect(ran.stderr.replace(/\s+/g, ' ')).toContain('and fiskd runs with it')
  expect(machine.asked()).toEqual(['enable --now fiskd', 'restart fiskd'])
  expect((await fisk(['status', '--json'], machine.around)).stdout).toContain('"role": "gateway"')
})

test('a service that does not start is explained by its own words', async () => {
  const machine = await serviceMachine('FISKD_ROLE=kiosk\n')
  const ran = await fisk(['init'], machine.around)
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('fiskd does not start: the configuration is wrong')
})

/** A daemon that runs, and the file of its configuration, without systemd. */
async function installed(configuration: string) {
  const gateway = await startEmptyGateway()
  const envFile = join(await tempDir(), 'fiskd.env')
  writeFileSync(envFile, configuration)
  const env = { PATH: String(process.env.PATH) }
  const around = {
    socket: gateway.socketPath,
    env: { ...env, FISKD_ENV_FILE: envFile },
    fiskd: FISKD,
    lanAddresses: OWN,
  }
  return { around, read: () => readFileSync(envFile, 'utf8') }
}

test('loopback only is an answer that is kept, and nobody has to start anything again for it', async () => {
  const { around, read } = await installed('#FISKD_ROLE=gateway\n# Where it listens.\n#FISKD_LISTEN=127.0.0.1:8443\n')
  const first = await fisk(['init'], {
    ...around,
    dialogue: [
      ['What is this machine?', ''],
      ['OIB of', '\u0003'],
    ],
  })
  expect(first.stdout).toMatch(/role +already there: gateway/)
  expect(read()).toBe('FISKD_ROLE=gateway\n# Where it listens.\nFISKD_LISTEN=\n')
  const second = await fisk(['init'], { ...around, dialogue: [['OIB of', '\u0003']] })
  expect(second.stderr).toContain('Broken off')
})

test('an address that is chosen on the terminal is written down; without systemd somebody has to start it again', async () => {
  const { around, read } = await installed('')
  const ran = await fisk(['init'], {
    ...around,
    dialogue: [
      ['What is this machine?', '\u001b[B'], // reached by others, too
      ['127.0.0.3 (eth0)', ' '],
      ['OIB of', '\u0003'],
    ],
  })
  expect(ran.stdout.replace(/\s+/g, ' ')).toContain('reached by to do: start fiskd again')
  expect(read()).toMatch(/^FISKD_ROLE=gateway\nFISKD_LISTEN=127\.0\.0\.1:8443,.*127\.0\.0\.3:8443\n$/)
})

test.each([
  [['--listen', '10.9.8.7'], 2, 'no address of this machine'],
  [['--role', 'kiosk'], 2, 'Allowed choices'],
  [['--listen', 'host:port:1'], 2, 'FISKD_LISTEN is'],
])('what cannot be configured never reaches the file: %j', async (argv, code, said) => {
  const { around, read } = await installed('FISKD_ROLE=gateway\n')
  const ran = await fisk(['init', ...argv], around)
  expect(ran.code).toBe(code)
  expect(ran.stderr).toContain(said)
  expect(read()).toBe('FISKD_ROLE=gateway\n')
})

test('where there is no such file, a flag says what to set, and nothing is asked that could not be kept', async () => {
  const gateway = await startEmptyGateway()
  const ran = await fisk(['init', '--role', 'server', '--json'], { socket: gateway.socketPath })
  expect(stepsOf(ran.stdout)).toMatchObject({ role: 'left: set FISKD_ROLE=server for fiskd and start it again' })
  const asked = await fisk(['init'], { socket: gateway.socketPath, dialogue: [['OIB of', '\u0003']] })
  expect(asked.stderr).toContain('Broken off')
})

test.each([
  [['loopback'], '', ''],
  [['loopback'], '127.0.0.1:9000,10.0.0.5:8443', '127.0.0.1:9000'],
  [['10.0.0.5', '10.0.0.6:1234'], '127.0.0.1:9000', '127.0.0.1:9000,10.0.0.5:9000,10.0.0.6:1234'],
  [['10.0.0.5,10.0.0.6'], '127.0.0.1:1', '127.0.0.1:1,10.0.0.5:1,10.0.0.6:1'],
  [['fd00::2'], '127.0.0.1:8443,[::1]:8443', '127.0.0.1:8443,[::1]:8443,[fd00::2]:8443'],
  [['0.0.0.0'], '127.0.0.1:8443,[::1]:8443', '[::1]:8443,0.0.0.0:8443'],
  [['0.0.0.0', '::'], '127.0.0.1:8443,[::1]:8443', '0.0.0.0:8443,[::]:8443'],
  [['10.0.0.5', '10.0.0.5:8443'], '127.0.0.1:8443', '127.0.0.1:8443,10.0.0.5:8443'],
  [['10.0.0.5', '0.0.0.0', '10.0.0.6:1234'], '127.0.0.1:8443', '0.0.0.0:8443,10.0.0.6:1234'],
])('%j beside "%s" is FISKD_LISTEN=%s', (wanted, before, expected) => {
  const own = ['10.0.0.5', '10.0.0.6', 'fd00::2'].map((address) => ({ address, name: 'eth0' }))
  expect(listenVariable(wanted, before, own)).toBe(expected)
})
