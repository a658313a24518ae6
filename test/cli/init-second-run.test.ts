import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startAdminStub } from '../support/admin-stub.ts'
import { fisk, type Ran } from '../support/fisk.ts'
import { type Gateway, startEmptySharedGateway } from '../support/gateway.ts'
import { OIBS, pki } from '../support/pki.ts'

const [OIB, OTHER_OIB] = OIBS
let gateway: Gateway
let first: string[]
const path = (name: string) => join(gateway.dataDir, name)
const around = () => ({ socket: gateway.socketPath, lanAddresses: [{ address: '127.0.0.3', name: 'eth0' }] })
const init = (...argv: string[]) => fisk(['init', ...argv], around())
const certificate = (file: string, secret = file) => [
  ...['--cert-file', path(`${file}.p12`), '--passphrase-file', path(`${secret}.txt`)],
]

beforeAll(async () => {
  gateway = await startEmptySharedGateway()
  for (const [name, oib] of Object.entries({ own: OIB, renewed: OIB, other: OTHER_OIB })) {
    const { p12, passphrase } = await pki.issueCompany({ oib })
    writeFileSync(path(`${name}.p12`), p12)
    writeFileSync(path(`${name}.txt`), passphrase)
  }
  writeFileSync(path('bundle.pem'), pki.bundlePem)
  first = [
    ...['--oib', OIB, '--name', 'Kava d.o.o.', '--mode', 'test', '--vat-rate', '25.00'],
    ...['--street', 'Ilica 1', '--postal-code', '10000', '--city', 'Zagreb', '--trust-file', path('bundle.pem')],
    ...['--premises', 'POSL1', '--label', 'Kavomat 1', '--address', 'Ilica 1', '--isu', '12345'],
    ...['--printer-line', 'usb:/dev/usb/lp77', '--printer-profile', 'generic', '--no-printer-test'],
  ]
  writeFileSync(path('wrong.txt'), 'krivo')
  expect(await init(...first, ...certificate('own'))).toMatchObject({ code: 0, stderr: '' })
})
beforeEach(async () => expect(await init(...first)).toMatchObject({ code: 0, stderr: '' }))

/** The first command line with other flags; `--no-x` alone takes the place of what it contradicts. */
function withFlags(changes: string[]): string[] {
  const [flag = '', value] = changes
  const instead = { '--not-vat-registered': '--vat-rate', '--no-isu': '--isu' }[flag] ?? flag
  const gone = flag === '--no-printer' ? ['--printer-line', '--printer-profile'] : [instead]
  const kept = first.filter((one, at) => !gone.includes(one) && !gone.includes(first[at - 1] ?? ''))
  return [...kept, flag, ...(value === undefined ? [] : [value]), ...changes.slice(2)]
}

/** Types the command that a refusal names, as it is printed, and says yes to what it asks. */
async function obey({ stderr }: Ran): Promise<Ran> {
  const said = stderr.replace(/\n +/g, ' ')
  const command = /To (?:change|rename) it: (?:fisk )(.+?)(?:; for another|\n)/.exec(said)?.[1] ?? ''
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  return fisk([...words.split('\0').slice(0, -1), '--yes'], around())
}

test.each([
  [['--name', 'Kava d.d.'], 'name'],
  [['--vat-rate', '13.00'], 'vat-rate'],
  [['--not-vat-registered'], 'not-vat-registered'],
  [['--street', 'Vukovarska "1"'], 'street'],
  [['--postal-code', '21000'], 'street'],
  [['--city', 'Čakovec'], 'street'],
  [['--label', 'Kavomat "dva"'], 'label'],
  [['--address', 'Ilica 2, kat -1'], 'address'],
  [['--isu', '999'], 'isu'],
  [['--no-isu'], 'isu'],
  [['--printer-line', 'tcp:127.0.0.1:9199'], 'printer-line'],
  [['--printer-profile', 'epson-tm-t20'], 'printer-profile'],
  [['--no-printer'], 'printer'],
])(
  'another %j is refused with the command that changes it, also on a terminal, and that one works',
  async (flags, param) => {
    const changed = withFlags(flags)
    for (const isTty of [true, false]) {
      const refused = await fisk(['init', ...changed], { ...around(), isTty })
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(new RegExp(`Field: +${param}\n`)) })
      if (!isTty) expect(await obey(refused)).toMatchObject({ code: 0 })
    }
    expect(await init(...changed)).toMatchObject({ code: 0, stderr: '' })
    // And back.
    const back = await init(...first)
    if (back.code === 1) expect(await obey(back)).toMatchObject({ code: 0 })
  },
)

test('another mode is refused with the command that changes it', async () => {
  const refused = await init(...withFlags(['--mode', 'live']))
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`fisk company set ${OIB} --mode live`)
})

test('the same certificate file is there already, and another one is refused with the command that takes it', async () => {
  expect((await init(...first, ...certificate('own'))).stdout).toMatch(/certificate +already there: valid/)
  const refused = await init(...first, ...certificate('renewed'))
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/signs with another\s+certificate/)
  expect(await obey(refused)).toMatchObject({ code: 0 })
  expect(await init(...first, ...certificate('renewed'))).toMatchObject({ code: 0, stderr: '' })
})

test.each([
  ['other', 'other', 1, 'was issued to the'],
  ['own', 'wrong', 1, 'The passphrase does not open the file'],
  ['gone', 'own', 2, 'There is no file'],
])(
  'a certificate file that is wrong is not called there already: %s with the passphrase of %s',
  async (file, secret, code, said) => {
    const ran = await init(...first, ...certificate(file, secret))
    expect(ran.code).toBe(code)
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain(said)
  },
)

test('another premises is another machine, and the command for it works', async () => {
  const refused = await init(...withFlags(['--premises', 'POSL2']))
  expect(refused.code).toBe(1)
  const command = /fisk (device add .+)/.exec(refused.stderr.replace(/\n +/g, ' '))?.[1] ?? ''
  expect(command).toBe(`device add --company ${OIB} --premises POSL2 --label "Kavomat 1 POSL2"`)
})

test.each([
  [['--role', 'server'], 'role', /set FISKD_ROLE=server for fiskd/],
  [['--listen', '127.0.0.3'], 'listen', /set FISKD_LISTEN=127\.0\.0\.1:\d+,127\.0\.0\.3:\d+ for fiskd/],
])(
  '%j is left to do by hand where no service runs it, by what the daemon itself says of its configuration',
  async (flags, name, left) => {
    const { code, stdout } = await init(...first, ...flags, '--json')
    const { steps } = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(steps).toContainEqual({ step: name, state: 'left', detail: expect.stringMatching(left) })
  },
)

test('another central server is refused with the commands that change it, and the same one is there already', async () => {
  const stub = await startAdminStub()
  onTestFinished(() => stub.close())
  const sync = { state: 'connected', server: 'https://ured.example.hr:8443', waiting: 0, refused: 0, doubtful: 0 }
  stub.status = { sync: { ...sync, last_push_at: null, last_error: null } }
  await fisk(['company', 'add', '--oib', OIB, '--name', 'K'], { socket: stub.socket })
  const token = ['--sync-token', 'fisk_enroll_a']
  const run = (url: string) => fisk(['init', '--sync-url', url, ...token], { socket: stub.socket })
  const refused = await run('https://drugi.example.hr:8443')
  expect(refused.code).toBe(1)
  expect(refused.stderr.replace(/\s+/g, ' ')).toContain(
    'To change it: fisk sync leave && fisk sync enroll https://drugi.example.hr:8443 fisk_enroll_a',
  )
  expect((await run('https://ured.example.hr:8443/')).stdout).toMatch(/central server +already there: https:/)
})

test('the base URL is that of the daemon which was asked, whatever this terminal has set', async () => {
  const env = { FISKD_LISTEN: '127.0.0.1:8443', FISKD_ROLE: 'server' }
  const { stdout } = await fisk(['init', ...first, '--json'], { ...around(), env })
  const { port } = new URL(gateway.url)
  const { base_urls, steps } = JSON.parse(stdout)
  expect(base_urls).toEqual([`https://localhost:${port}/v1`])
  expect(steps).toContainEqual({ step: 'role', state: 'already', detail: 'gateway' })
  expect(steps).toContainEqual({ step: 'listen', state: 'already', detail: `127.0.0.1:${port}` })
})

test('it says that it can sell only of the machine that it has set up, beside others that can', async () => {
  expect((await init(...first)).stdout).toContain('It can sell now.')
  const other = ['--oib', OTHER_OIB, '--name', 'Druga d.o.o.', '--vat-rate', '13.00']
  const machine = ['--premises', 'POSL9', '--label', 'Kavomat 9', '--isu', '555', '--no-printer']
  const { code, stdout } = await init(...other, ...machine)
  expect(code).toBe(1)
  expect(stdout).toContain('It CANNOT sell yet.')
  expect(stdout).not.toContain('It can sell now.')
  // Without a machine, too; and with none of several that are meant.
  const bare = await init('--oib', OIBS[2], '--name', 'Treća d.o.o.', '--json')
  expect(JSON.parse(bare.stdout)).toMatchObject({ can_sell: false, device_id: null })
  expect(JSON.parse((await init('--json')).stdout)).toMatchObject({ can_sell: null, company_id: null })
})
