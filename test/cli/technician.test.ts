import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startEmptyGateway } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'

/** Runs the command against the daemon itself. */
async function json(gateway: Gateway, ...argv: string[]) {
  const { code, stdout, stderr } = await fisk([...argv, '--json'], { socket: gateway.socketPath })
  return { code, stderr, body: JSON.parse(stdout) }
}

async function files(gateway: Gateway) {
  const { p12, passphrase } = await certificateOf(OIBS[0])
  const path = (name: string) => join(gateway.dataDir, name)
  await writeFile(path('certificate.p12'), p12)
  await writeFile(path('passphrase'), `${passphrase}\n`, { mode: 0o600 })
  await writeFile(path('bundle.pem'), pki.bundlePem)
  return { p12: path('certificate.p12'), passphrase: path('passphrase'), bundle: path('bundle.pem') }
}

test('a technician sets a gateway up command by command, and the status says what is still missing', async () => {
  const gateway = await startEmptyGateway()
  const file = await files(gateway)
  const problems = async () => {
    const { code, body } = await json(gateway, 'status')
    expect(code).toBe(body.can_sell ? 0 : 1)
    return body.problems.map(({ subject }: { subject: string }) => subject)
  }
  expect(await problems()).toEqual(['company', 'device'])

  const name = 'Čokolada d.o.o.'
  expect(await json(gateway, 'company', 'add', '--oib', OIBS[0], '--name', name, '--vat-rate', '25.00')).toMatchObject({
    code: 0,
    body: {
      oib: OIBS[0],
      name,
      mode: 'test',
      fiscal_config: { default_vat_rate: '25.00' },
      certificate_status: 'missing',
    },
  })
  const added = await json(gateway, 'trust', 'add', '--mode', 'test', '--for', 'service', file.bundle)
  expect(added).toMatchObject({ code: 0, body: { mode: 'test', list: 'service' } })
  const cert = ['cert', 'add', '--company', OIBS[0], '--file', file.p12, '--passphrase-file', file.passphrase]
  expect(await json(gateway, ...cert)).toMatchObject({ code: 0, body: { subject_oib: OIBS[0], status: 'valid' } })
  const device = ['device', 'add', '--company', OIBS[0], '--premises', 'POSL1', '--label', 'Kavomat 1']
  expect(await json(gateway, ...device)).toMatchObject({ code: 0, body: { isu_status: 'pending' } })
  expect(await problems()).toEqual(['Kavomat 1'])
  const isu = await json(gateway, 'isu', 'set', 'Kavomat 1', '101')
  expect(isu).toMatchObject({ code: 0, body: { isu_number: '101', isu_status: 'assigned' } })
  expect(await problems()).toEqual([])

  const key = await json(gateway, 'key', 'create', '--mode', 'test', '--device', 'Kavomat 1', '--name', 'firmware')
  expect(Object.keys(key.body).sort()).toEqual(['id', 'key', 'mode', 'scopes'])
  gateway.key = key.body.key
  gateway.deviceId = isu.body.id
  const sold = await gateway.sell({ total: '1.25' })
  expect(await json(gateway, 'invoice', 'show', sold.id)).toMatchObject({ code: 0, body: { ...sold, attempts: 1 } })
})

test('init does all of it by flags, and a second run finds it done', async () => {
  const gateway = await startEmptyGateway()
  const file = await files(gateway)
  const what = ['--oib', OIBS[0], '--name', 'Kava', '--trust-file', file.bundle, '--cert-file', file.p12]
  const where = [
    '--passphrase-file',
    file.passphrase,
    '--premises',
    'POSL1',
    '--label',
    'Kavomat',
    '--isu',
    '7',
    '--key',
  ]
  const first = await json(gateway, 'init', ...what, ...where)
  expect(first.stderr).toBe('')
  expect(first).toMatchObject({ code: 0, body: { key: { key: expect.stringMatching(/^fisk_test_/) } } })
  gateway.key = first.body.key.key
  gateway.deviceId = first.body.device_id
  expect((await gateway.sell()).status).toBe('confirmed')
  expect(await json(gateway, 'init', ...what, ...where.slice(0, -1))).toMatchObject({ code: 0 })
})

test('an invoice that waits is sent again by the technician', async () => {
  const gateway = await startEmptyGateway()
  const file = await files(gateway)
  const flags = ['--oib', OIBS[0], '--name', 'Kava', '--trust-file', file.bundle, '--cert-file', file.p12]
  const device = ['--passphrase-file', file.passphrase, '--premises', 'P1', '--label', 'K', '--isu', '7', '--key']
  const { body } = await json(gateway, 'init', ...flags, ...device)
  gateway.key = body.key.key
  gateway.deviceId = body.device_id
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  expect(await json(gateway, 'invoice', 'retry', sold.id)).toMatchObject({ code: 1, body: { status: 'retrying' } })
  gateway.clock.aheadMs = 16_000 // past the seconds for which a probe is remembered
  // An authority that is down does not stop a machine from selling; it is asked while the last answer is shown.
  const status = () => json(gateway, 'status')
  await expect.poll(status).toMatchObject({ code: 0, body: { queue: { retrying: 1 }, cis: { reachable: false } } })
  await gateway.cis.comeBack()
  expect(await json(gateway, 'invoice', 'retry', sold.id)).toMatchObject({ code: 0, body: { status: 'confirmed' } })
})

test('what the daemon refuses is explained, and the exit code is 1', async () => {
  const gateway = await startEmptyGateway()
  const ran = await fisk(['company', 'add', '--oib', '12345678901', '--name', 'X'], { socket: gateway.socketPath })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('11 digits')
  expect(ran.stderr).not.toContain('at ')
})
