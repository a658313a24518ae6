import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { columns } from '../../src/cli/text/columns.ts'
import { explainCodes } from '../../src/domain/sale/refusal.ts'
import { KIOSK, startCommanded, until } from '../support/commanded.ts'
import { fisk } from '../support/fisk.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'

test('a technician at the server commands a gateway, sees what came of it, and keeps what it brought back', async () => {
  const { server, kiosk } = await startCommanded()
  const dir = await tempDir()
  const at = (argv: string[], around = {}) => fisk(argv, { socket: server.socketPath, ...around })
  const send = (...words: string[]) => at(['gateway', 'send', KIOSK, ...words])
  const sold = await kiosk.sell()
  await until(
    () => server.admin(`/v1/invoices/${sold.id}`),
    ({ status }) => status === 200,
  )

  const isu = await send('isu', '--device', 'machine', '--isu', '4711', '--yes')
  expect(isu).toMatchObject({ code: 0, stderr: '' })
  expect(isu.stdout).toMatch(/status +done\n/)
  expect(isu.stdout).toMatch(/isu number +4711\n/)
  expect((await send('isu', '--device', 'machine', '--isu', '007')).code).toBe(2)
  expect((await send('suspend', '--device', 'machine')).code).toBe(2)
  expect((await send('suspend', '--device', 'machine', '--yes')).code).toBe(0)
  expect((await kiosk.post()).body.error.code).toBe('device_inactive')
  expect((await send('activate', '--device', 'machine')).code).toBe(0)
  expect((await send('device-set', '--device', 'machine', '--payment-method', 'K', '--label', 'Žuta')).code).toBe(0)
  expect((await send('device-set', '--device', kiosk.deviceId)).code).toBe(2)

  const added = await send('device-add', '--company', OIBS[0], '--premises', 'POSL9', '--label', 'new', '--isu', '99')
  expect(added.stdout).toMatch(/premises code +POSL9\n/)
  const retry = await send('retry', '--invoice', sold.id)
  expect(retry.code).toBe(1)
  expect(retry.stdout.replace(/\s+/g, ' ')).toContain('only a retrying or failed one can be sent again')
  expect((await send('copy', '--invoice', 'inv_none')).stderr).toContain('has told of no such invoice')

  const { p12, passphrase } = await certificateOf(OIBS[0])
  const [file, secret] = [join(dir, 'a.p12'), join(dir, 'secret.txt')]
  await writeFile(file, p12)
  await writeFile(secret, passphrase)
  const certificate = await send('certificate', '--company', OIBS[0], '--file', file, '--passphrase-file', secret)
  expect(certificate.stdout).toMatch(/subject oib +02994650199\n/)
  expect(certificate.stdout).not.toContain('sealed')

  const bundle = await at(['gateway', 'send', KIOSK, 'support-bundle', '--json'])
  const { id } = JSON.parse(bundle.stdout)
  const target = join(dir, 'kiosk.tar.gz')
  expect((await at(['gateway', 'commands', KIOSK, id, '--save', target])).code).toBe(0)
  expect(gunzipSync(readFileSync(target)).includes('fiskd-support/status.json')).toBe(true)
  expect((await at(['gateway', 'commands', KIOSK, id, '--save', target])).code).toBe(1)

  const list = await at(['gateway', 'commands', KIOSK])
  expect(list.stdout.split('\n').filter((line) => line.includes('done')).length).toBeGreaterThan(5)
  for (const line of [...list.stdout.split('\n'), ...isu.stdout.split('\n')])
    expect(columns(line)).toBeLessThanOrEqual(80)

  const doctor = await send('doctor')
  expect(doctor.stdout).toMatch(/^(ok|warn|fail|skip) /m)
  expect(doctor.code).toBe(doctor.stdout.includes('\nfail') ? 1 : 0)

  expect((await send('dance')).code).toBe(2)
  expect((await send('doctor', '--isu', '5')).code).toBe(2)
  expect((await send('isu', '--device', 'machine')).code).toBe(2)
  expect((await at(['gateway', 'send', 'nobody', 'doctor'])).code).toBe(1)
  expect((await at(['gateway', 'commands', KIOSK, '--save', target])).code).toBe(2)
}, 60_000)

test('a sale that is sent again in vain explains the restrictive codes that the gateway has told of', async () => {
  const { server, kiosk } = await startCommanded()
  kiosk.cis.misbehave({ error: 's013', codes: [185] }, { error: 's013', codes: [185] })
  const sold = await kiosk.sell()
  await until(
    () => server.admin(`/v1/invoices/${sold.id}`),
    ({ status }) => status === 200,
  )
  const words = ['gateway', 'send', KIOSK, 'retry', '--invoice', sold.id]
  const { stdout } = await fisk(words, { socket: server.socketPath })
  const [said] = explainCodes([185], 'en')
  expect(stdout.replace(/\s+/g, ' ')).toContain(`${said?.label}: ${said?.means} ${said?.fix}`)
})

test('what only a gateway can do is refused at the server with the command that has the gateway do it', async () => {
  const { server, kiosk, link } = await startCommanded()
  await kiosk.cis.goDown()
  const open = await kiosk.sell()
  await until(
    () => server.admin(`/v1/invoices/${open.id}`),
    ({ status }) => status === 200,
  )
  const device = kiosk.deviceId
  const cases: [string[], string][] = [
    [['isu', 'set', 'machine', '4711', '--yes'], `isu --device ${device} --isu 4711`],
    [['isu', 'clear', 'machine', '--yes'], `isu --device ${device} --no-isu`],
    [['device', 'set', 'machine', '--status', 'suspended', '--yes'], `suspend --device ${device}`],
    [
      [
        'device',
        'set',
        'machine',
        '--label',
        'Lobby 1',
        '--receipt-footer',
        'Hvala!',
        '--config',
        'a=[1]',
        '--no-address',
      ],
      `device-set --device ${device} --label "Lobby 1" --no-address --receipt-footer 'Hvala!' --config "a=[1]"`,
    ],
    [['invoice', 'retry', open.id], `retry --invoice ${open.id}`],
    [['receipt', 'print', open.id], `copy --invoice ${open.id}`],
  ]
  for (const [argv, words] of cases) {
    const { code, stderr } = await fisk(argv, { socket: server.socketPath })
    expect(code, stderr).toBe(1)
    expect(stderr.split('\n')).toContain(`fisk gateway send ${KIOSK} ${words}`)
  }
  link.goDown()
  const late = await fisk(['gateway', 'send', KIOSK, 'doctor', '--wait', '1'], { socket: server.socketPath })
  expect(late.code).toBe(1)
  expect(late.stdout).toContain(`fisk gateway commands ${KIOSK}`)
  const quick = await fisk(['gateway', 'send', KIOSK, 'doctor', '--no-wait', '--json'], { socket: server.socketPath })
  expect(quick.code).toBe(0)
  // The same one, which waits already.
  expect(JSON.parse(quick.stdout)).toMatchObject({ status: 'waiting', type: 'doctor', number: 1 })
}, 60_000)
