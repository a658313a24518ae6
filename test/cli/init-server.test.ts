import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { instancesOf } from '../../src/cli/machine/instances.ts'
import { makingOf } from '../../src/cli/setup/database-address.ts'
import { fisk } from '../support/fisk.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../support/postgres.ts'
import { type ServiceMachine, serviceMachine } from '../support/systemctl.ts'

const QUIET = 'FISKD_SWEEP_INTERVAL_S=86400\nFISKD_CIS_TEST_URL=https://127.0.0.1:1/\n'
const PASSWORD = 'tajna lozinka šđž'

/** A machine with the package: fiskd.service runs there as a gateway that has sold nothing. */
async function freshMachine(): Promise<ServiceMachine> {
  const machine = await serviceMachine(`#FISKD_ROLE=gateway\nFISKD_LISTEN=127.0.0.1:0\n${QUIET}`)
  await fisk(['init', '--json'], machine.around)
  return machine
}

/** The processes of several tests listen on one machine: each test takes ports of its own. */
function onFreePorts(machine: ServiceMachine, processes: number): void {
  for (let number = 1; number <= processes; number++) {
    const data = join(machine.dir, 'data')
    const places = `FISKD_SHARED_DIR=${data}\nFISKD_DATA_DIR=${data}/${number}\nFISKD_SOCKET=${data}/${number}/fiskd.sock\n`
    writeFileSync(join(machine.dir, `fiskd@${number}.env`), `FISKD_LISTEN=127.0.0.1:0\n${places}`)
  }
}

const stepsOf = (stdout: string) =>
  Object.fromEntries(JSON.parse(stdout).steps.map(({ step, state }: Record<string, string>) => [step, state]))
const socketOf = (machine: ServiceMachine, number: number) => join(machine.dir, 'data', String(number), 'fiskd.sock')

describe.skipIf(skipWithoutPostgres)('init of a server on PostgreSQL', () => {
  test('by flags: two processes on one database, the first user, a token; a second run changes nothing', async () => {
    const machine = await freshMachine()
    const url = await postgresDatabase({ empty: true })
    writeFileSync(join(machine.dir, 'password'), `${PASSWORD}\n`)
    const argv = [
      ...['init', '--json', '--role', 'server', '--database-url', url, '--processes', '2'],
      ...['--listen', 'fiskd.example.hr', '--user', 'ana@example.hr', '--password-file', join(machine.dir, 'password')],
      ...['--gateway', 'kiosk-7'],
    ]
    const first = await fisk(argv, machine.around)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(stepsOf(first.stdout)).toEqual({ database: 'done', processes: 'done', user: 'done', gateway: 'done' })
    expect(JSON.parse(first.stdout)).toMatchObject({
      addresses: ['https://fiskd.example.hr:8443'],
      processes: 2,
      gateway: { name: 'kiosk-7', token: expect.stringMatching(/^fisk_enroll_/) },
    })
    expect(machine.asked()).toEqual([
      'enable --now fiskd',
      'disable --now fiskd',
      'enable --now fiskd@1',
      'enable --now fiskd@2',
    ])

    const common = readFileSync(machine.envFile, 'utf8')
    expect(common).toMatch(/^FISKD_ROLE=server$/m)
    expect(common).toMatch(/^FISKD_PROCESSES=2$/m)
    expect(common).toMatch(/^FISKD_TLS_NAMES=fiskd\.example\.hr$/m)
    const instances = instancesOf(machine.around.env)
    expect(instances.map(({ unit }) => unit)).toEqual(['fiskd@1', 'fiskd@2'])
    for (const { file } of instances) expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readFileSync(instances[1]?.file ?? '', 'utf8')).toMatch(/^FISKD_LISTEN=127\.0\.0\.1:8452$/m)
    // Vault key and CA are in the common folder alone.
    for (const number of [1, 2]) {
      expect(readdirSync(join(machine.dir, 'data', String(number)))).not.toContain('vault.key')
      const { stdout } = await fisk(['user', 'list', '--json'], {
        ...machine.around,
        socket: socketOf(machine, number),
      })
      expect(stdout).toContain('ana@example.hr')
    }
    expect(await query(url, 'SELECT name, role FROM users')).toEqual([{ name: 'ana@example.hr', role: 'admin' }])

    const asked = machine.asked().length
    const again = await fisk(argv, machine.around)
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(new Set(Object.values(stepsOf(again.stdout)))).toEqual(new Set(['already']))
    expect(again.stdout).toContain('for another password: fisk user reset ana@example.hr --password')
    expect(JSON.parse(again.stdout).gateway).toBeNull()
    expect(machine.asked()).toHaveLength(asked)

    const more = ['--user', 'iva@example.hr', '--password-file', join(machine.dir, 'password'), '--gateway', 'kiosk-8']
    const second = await fisk(['init', '--json', ...more], machine.around)
    expect(stepsOf(second.stdout)).toMatchObject({ user: 'done', gateway: 'done', processes: 'already' })
    expect(await query(url, 'SELECT name FROM gateways ORDER BY name')).toEqual([
      { name: 'kiosk-7' },
      { name: 'kiosk-8' },
    ])
    await query(url, "UPDATE users SET role = 'operator' WHERE name LIKE 'iva@%'")
    const operator = await fisk(['init', '--user', 'iva@example.hr'], machine.around)
    expect(operator).toMatchObject({ code: 1, stderr: expect.stringContaining('is a user already: operator') })
    expect(operator.stderr.replace(/\s+/g, ' ')).toContain(
      'fisk user remove iva@example.hr && fisk user add iva@example.hr --role admin',
    )

    const other = ['--database-url', await postgresDatabase({ empty: true })]
    const elsewhere = await fisk(['init', '--json', ...other], machine.around)
    expect(elsewhere.stderr + elsewhere.stdout).toContain('fiskd@1, fiskd@2 sell on')
    expect(elsewhere.code).toBe(1)
    expect([machine.asked().length, readFileSync(machine.envFile, 'utf8')]).toEqual([asked, common])

    const fewer = await fisk(['init', '--json', '--processes', '1'], machine.around)
    expect(fewer).toMatchObject({ code: 0, stderr: '' })
    expect(machine.asked().slice(asked)).toEqual(['disable --now fiskd@2', 'restart fiskd@1'])
    expect(readFileSync(machine.envFile, 'utf8')).toMatch(/^FISKD_PROCESSES=1$/m)
    expect(instancesOf(machine.around.env).map(({ unit }) => unit)).toEqual(['fiskd@1'])
  })

  test('a person is asked for everything, and sees how gateways and browsers reach the server', async () => {
    const machine = await freshMachine()
    const url = await postgresDatabase({ empty: true })
    onFreePorts(machine, 1)
    const ran = await fisk(['init', '--role', 'server', '--processes', '1'], {
      ...machine.around,
      lanAddresses: [{ address: '192.0.2.10', name: 'eth0' }],
      dialogue: [
        ['Address of the PostgreSQL database', url],
        ['By which names and addresses', 'fiskd.example.hr, 192.0.2.10'],
        ['Who administers the dashboard?', 'ana@example.hr'],
        ['Password of ana@example.hr', PASSWORD],
        ['Name of the first gateway', 'kiosk-7'],
      ],
    })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(
      /dashboard {2}https:\/\/fiskd.example.hr:8443\/dashboard or\s+https:\/\/192.0.2.10:8443\/dashboard/,
    )
    expect(ran.stdout).toContain('sudo fisk sync enroll https://fiskd.example.hr:8443 TOKEN')
    expect(ran.stdout).toMatch(/\n {2}fisk_enroll_/)
    expect(ran.stdout).toContain('haproxy.cfg')

    const again = await fisk(['init'], { ...machine.around, isTty: true })
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).not.toMatch(/[?◆]|done:/)
    for (const stored of [/user +already there: ana@example.hr/, /1 known/, /192\.0\.2\.10:8443/, /fiskd@1;/])
      expect(again.stdout).toMatch(stored)
  })

  test('a database that is not there is told with the commands that make it, and the service runs on as before', async () => {
    const machine = await freshMachine()
    const before = readFileSync(machine.envFile, 'utf8')
    const url = (await postgresDatabase({ empty: true })).replace(/\/fiskd_[0-9a-f]+/, '/no_such_database')
    const ran = await fisk(['init', '--role', 'server', '--database-url', url], machine.around)
    expect(ran.code).toBe(1)
    const said = ran.stderr.replace(/\s+/g, ' ')
    expect(said).toContain('no_such_database')
    expect(said).toContain('cannot be used')
    expect(said).toContain('sudo -u postgres createdb --owner')
    expect(readFileSync(machine.envFile, 'utf8')).toBe(before)
    expect(instancesOf(machine.around.env)).toEqual([])
    expect((await fisk(['status', '--json'], machine.around)).stdout).toContain('"role": "gateway"')
  })

  test('without a terminal a user needs a password', async () => {
    const machine = await freshMachine()
    const url = await postgresDatabase({ empty: true })
    onFreePorts(machine, 1)
    const argv = ['init', '--role', 'server', '--processes', '1', '--database-url', url]
    const ran = await fisk([...argv, '--user', 'ana@example.hr'], machine.around)
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('--password-file')
    const without = await fisk([...argv, '--json'], machine.around)
    expect(without).toMatchObject({ code: 0, stderr: '' })
    expect(stepsOf(without.stdout)).toMatchObject({ user: 'left', gateway: 'left', processes: 'already' })
  })
})

test.each([
  [['--role', 'gateway', '--processes', '2'], 'A gateway has one process'],
  [['--role', 'server', '--processes', 'many', '--database-url', 'postgres://a/b'], 'many is no number of processes'],
  [['--role', 'server', '--database-url', 'mysql://a/b'], 'no address of a PostgreSQL database'],
  [['--role', 'server', '--processes', '2'], 'The address of the database is missing'],
  [['--user', 'ana@example.hr'], 'It is for a server of several processes'],
  [['--role', 'server', '--gateway', 'kiosk-7'], 'It is for a server of several processes'],
  [['--password-file', '/dev/null'], 'It is for a server of several processes'],
  [['--role', 'server', '--database-url', 'postgres://a/b', '--label', 'Lobby 1'], 'no machine is set up'],
  [['--processes', '2', '--oib', '02994650199'], 'no machine is set up'],
])('what is wrong with the flags is said before anything is done: %j', async (argv, said) => {
  const machine = await serviceMachine('FISKD_LISTEN=127.0.0.1:0\n')
  const ran = await fisk(['init', ...argv], machine.around)
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(said)
  expect(machine.asked()).toEqual([])
})

test.each([
  [
    'postgres://fiskd@/sales?host=/run/postgresql',
    'sudo apt install postgresql && sudo -u postgres createuser fiskd && sudo -u postgres createdb --owner fiskd sales',
  ],
  [
    'postgres://shop:secret@db.example.hr:5433/sales',
    'sudo -u postgres createuser --pwprompt shop && sudo -u postgres createdb --owner shop sales',
  ],
])('the commands that make the database of %s', (url, commands) => {
  expect(makingOf(url)).toBe(commands)
})
