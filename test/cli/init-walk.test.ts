import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startEmptyGateway } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { startVirtualPrinter } from '../support/printer.ts'
import { trustPathsIn } from '../support/trust-paths.ts'

const [OIB] = OIBS
const DOWN = '\u001b[B'

async function files(gateway: Gateway) {
  const { p12, passphrase } = await certificateOf(OIB)
  const path = (name: string) => join(gateway.dataDir, name)
  writeFileSync(path('certificate.p12'), p12)
  writeFileSync(path('passphrase'), `${passphrase}\n`)
  const [root = '', ...others] = pki.bundlePem.match(/-----BEGIN.*?-----END CERTIFICATE-----\n/gs) ?? []
  writeFileSync(path('root.pem'), root)
  writeFileSync(path('others.pem'), others.join(''))
  return {
    p12: path('certificate.p12'),
    passphrase,
    passphraseFile: path('passphrase'),
    pem: path('root.pem'),
    more: path('others.pem'),
  }
}

test('a person sets everything up in one go, prints with the right letters and sells; a second run asks nothing', async () => {
  const gateway = await startEmptyGateway()
  const file = await files(gateway)
  const paper = await startVirtualPrinter()
  writeFileSync(join(gateway.dataDir, 'trust', 'test.pem'), '')
  await gateway.restart()
  const socket = gateway.socketPath
  const ran = await fisk(['init'], {
    socket,
    dialogue: [
      ['OIB of the company', OIB],
      ['Name of the company', 'Žućo d.o.o.'],
      ['Which tax authority service', DOWN],
      ['Go live?', ''], // no: it is asked again
      ['Which tax authority service', ''],
      ['VAT rate of its sales', ''],
      ['CA certificates of', DOWN], // from files
      ['Files with CA', `${file.pem}, /no/such/file`],
      ['CA certificates of', DOWN],
      ['Files with CA', `${file.pem}, ${file.more}`],
      ['PKCS#12 file', file.p12],
      ['Passphrase', file.passphrase],
      ['Label of the machine', 'Lobby 1'],
      ['Business premises code', 'POSL1'],
      ['ISU number', ''], // not issued yet
      ['with a deposit', 'y'],
      ['Is there one?', ''], // on another line
      ['Its line', `serial:${paper.path}`],
      ['What kind of printer', `${DOWN}`], // epson-tm-t20
      ['Are the letters', `${DOWN}${DOWN}`], // windows1250 45
      ['Are the letters', ''],
      ['Seat of the company', 'Ilica 1, 10000 Zagreb'],
      ['Where does the machine stand', 'Ilica 1, Zagreb'],
    ],
  })

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('There is no file /no/such/file.')
  const { body: printers } = await gateway.admin<{ data: { settings: object; profile: string }[] }>('/admin/printers')
  expect(printers.data).toMatchObject([
    { profile: 'epson-tm-t20', settings: { encoding: 'windows1250', code_page: 45 } },
  ])
  expect(paper.papers.filter(({ text }) => text.includes('printer test'))).toHaveLength(2)
  expect(ran.stdout).toContain('"fees":[{"name":"Povratna naknada","amount":"0.10"}]')
  const page = ran.stdout.slice(ran.stdout.lastIndexOf('company '))
  expect(page).toMatch(/ISU number +to do: fisk isu set "Lobby 1" NUMBER/)
  expect(page.replace(/\s+/g, ' ')).toContain('for the ISU number: fisk isu pending')
  expect(page).toContain('It CANNOT sell yet.')
  expect(page.split('\n').filter((line) => stripVTControlCharacters(line).length > 80)).toEqual([])

  const numbered = await fisk(['init', '--json', '--isu', '77'], { socket })
  expect(numbered).toMatchObject({ code: 0, stderr: '' })
  const result = JSON.parse(numbered.stdout)
  expect(result).toMatchObject({ key: null, can_sell: true, problems: [], isu_pending: null })
  const key = /fisk_test_[\w-]+/.exec(ran.stdout)?.[0] ?? ''
  Object.assign(gateway, { key, deviceId: result.device_id })
  expect((await gateway.sell()).status).toBe('confirmed')

  const again = await fisk(['init'], { socket, isTty: true })
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(again.stdout).not.toMatch(/to do|done:/)
  expect(again.stdout).toContain('It can sell now.')
})

test('by flags: several trust files, an ISU number that comes later, a printer that is tested, and a second run', async () => {
  const gateway = await startEmptyGateway()
  const file = await files(gateway)
  const paper = await startVirtualPrinter()
  writeFileSync(join(gateway.dataDir, 'trust', 'test.pem'), '')
  await gateway.restart()
  const argv = [
    ...['init', '--json', '--oib', OIB, '--name', 'Kava', '--street', 'Ilica 1', '--city', 'Zagreb'],
    ...['--trust-file', file.pem, file.more, '--cert-file', file.p12, '--passphrase-file', file.passphraseFile],
    ...['--premises', 'POSL1', '--label', 'Lobby 1', '--no-isu'],
    ...['--printer-line', `serial:${paper.path}`, '--printer-profile', 'epson-tm-t20'],
  ]
  const first = await fisk(argv, { socket: gateway.socketPath })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const result = JSON.parse(first.stdout)
  expect(result).toMatchObject({
    can_sell: false,
    isu_pending: { label: 'Lobby 1', premises_code: 'POSL1', premises_address: null },
    key: { mode: 'test' },
  })
  for (const purpose of ['service', 'uploads'] as const) {
    const path = trustPathsIn(join(gateway.dataDir, 'trust')).test[purpose]
    expect(readFileSync(path, 'utf8')).toBe(pki.bundlePem)
    expect(result.steps.find(({ step }: { step: string }) => step === 'trust').detail).toContain(path)
  }
  expect(readFileSync(join(gateway.dataDir, 'trust', 'test.pem'), 'utf8')).toBe('')
  expect(paper.papers.filter(({ text }) => text.includes('printer test'))).toHaveLength(1)

  const second = await fisk(argv, { socket: gateway.socketPath })
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(second.stdout).steps.filter(({ state }: { state: string }) => state === 'done')).toEqual([])
  expect(paper.papers.filter(({ text }) => text.includes('printer test'))).toHaveLength(1)

  const socket = gateway.socketPath
  const clash = await fisk(['init', '--printer-line', 'usb:/dev/usb/lp7'], { socket })
  expect(clash.code).toBe(1)
  expect(clash.stderr).toContain('has a printer already')
})

test('a printer that does not print is left to do, and the exit code says so; without the test it is not noticed', async () => {
  const gateway = await startEmptyGateway()
  const socket = gateway.socketPath
  const device = ['--premises', 'P1', '--label', 'L', '--no-isu', '--printer-line', 'usb:/dev/usb/lp77']
  const argv = ['init', '--oib', OIB, '--name', 'Kava', ...device, '--json']
  const steps = ({ stdout }: { stdout: string }) => JSON.parse(stdout).steps as { step: string; state: string }[]
  const begun = performance.now()
  const tested = steps(await fisk(argv, { socket }))
  // A line that cannot be opened is not waited for.
  expect(performance.now() - begun).toBeLessThan(12_000)
  expect(tested).toContainEqual({
    step: 'printer',
    state: 'left',
    detail: expect.stringMatching(/then fisk printer test L$/),
  })
  await fisk(['printer', 'set', 'L', '--none', '--yes'], { socket })
  expect(steps(await fisk([...argv, '--no-printer-test'], { socket }))).toContainEqual(
    expect.objectContaining({ step: 'printer', state: 'done' }),
  )
})

test('the live mode has to be meant: on a terminal it is asked, in a script the flag says it', async () => {
  const gateway = await startEmptyGateway()
  const argv = ['init', '--oib', OIB, '--name', 'Kava', '--mode', 'live']
  const no = await fisk(argv, { socket: gateway.socketPath, dialogue: [['real receipt', '']] })
  expect(no.code).toBe(1)
  expect(no.stderr).toContain('was not confirmed')
  const { body } = await gateway.admin<{ data: { mode: string }[] }>('/v1/companies')
  expect(body.data).toEqual([])
  const yes = await fisk([...argv, '--json'], { socket: gateway.socketPath })
  expect(JSON.parse(yes.stdout).steps).toContainEqual(
    expect.objectContaining({ step: 'company', detail: `Kava, OIB ${OIB}, live` }),
  )
  expect(JSON.parse(yes.stdout).steps).toContainEqual(
    expect.objectContaining({
      step: 'live',
      state: 'left',
      detail: expect.stringContaining('fisk doctor --before-live'),
    }),
  )
  const { body: live } = await gateway.admin<{ data: { mode: string }[] }>('/v1/companies')
  expect(live.data).toMatchObject([{ mode: 'live' }])
})

test.each([
  [['--printer-line', 'lpt1'], 'no line to a printer'],
  [['--printer-profile', 'generic'], 'Where is the printer?'],
  [['--printer-line', 'usb:/dev/usb/lp0', '--no-printer'], 'cannot be used with'],
  [['--isu', '007'], 'no leading zeros'],
])('what is wrong with the flags is said before anything is printed: %j', async (argv, said) => {
  const gateway = await startEmptyGateway()
  const device = ['--oib', OIB, '--name', 'Kava', '--premises', 'P1', '--label', 'L', '--isu', '7']
  const ran = await fisk(['init', ...device, ...argv], { socket: gateway.socketPath })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(said)
})
