import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startCentral, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { startEmptyGateway, startGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { certificateFlags, giveKey, runReplace, startFreshCard } from '../../support/replacing.ts'

interface Reported {
  heartbeat: { printers: object[] } | null
}

test('a fresh card takes the place of a dead one: the same device, numbers that go on after a gap, and it sells', async () => {
  const { gateway: dead, link, token, server } = await startEnrolled()
  for (const expected of ['1', '2', '3']) expect((await dead.sell()).number).toBe(expected)
  await told(dead)
  await dead.stop()
  rmSync(dead.dataDir, { recursive: true })

  const fresh = await startFreshCard(dead)
  const { code, result } = await runReplace(fresh, [
    ...[link.url, await token('kiosk', { again: true })],
    ...(await certificateFlags()),
  ])
  expect(result).toMatchObject({
    can_sell: true,
    without_jir: 0,
    devices: [{ id: dead.deviceId, label: 'machine' }],
    numbers: [{ premises_code: 'POSL1', mode: 'test', seen: '3', after: '11003', why: 'gap' }],
  })
  expect(code).toBe(0)
  giveKey(fresh, result)

  const sold = await fresh.sell()
  expect(sold).toMatchObject({ number: '11004', status: 'confirmed' })
  expect((await fresh.sell()).number).toBe('11005')
  expect((await told(fresh)).sync).toMatchObject({ state: 'connected', refused: 0, conflicts: [] })
  const { body } = await server.admin<{ data: unknown[] }>('/v1/devices')
  expect(body.data).toMatchObject([{ id: dead.deviceId, label: 'machine', isu_number: '101' }])
  const broken = (await diagnose(fresh)).filter(({ status }) => status === 'fail')
  expect(broken).toEqual([])
})

test('the last number from paper leaves no gap, and one that is too low is refused', async () => {
  const { gateway: dead, link, token } = await startEnrolled()
  await dead.sell()
  await dead.sell()
  await told(dead)
  await dead.stop()
  const fresh = await startFreshCard(dead)
  const place = [link.url, await token('kiosk', { again: true })]
  const low = await runReplace(fresh, [...place, '--highest', 'POSL1=1'])
  expect(low).toMatchObject({ code: 1, result: { error: { message: expect.stringContaining('has seen number 2') } } })
  const wrong = await runReplace(fresh, ['--highest', 'POSL9=7'])
  expect(wrong.result.error?.message).toContain(`${OIBS[0]}/POSL1@`)

  const { result } = await runReplace(fresh, ['--highest', 'POSL1=4', ...(await certificateFlags())])
  expect(result.numbers).toMatchObject([{ seen: '2', after: '4', why: 'stated' }])
  giveKey(fresh, result)
  expect((await fresh.sell()).number).toBe('5')
})

test('a replacement that was cut off goes on without its token, and takes nothing over twice', async () => {
  const { gateway: dead, link, token } = await startEnrolled()
  await dead.sell()
  await told(dead)
  await dead.stop()
  const fresh = await startFreshCard(dead)
  const enrolled = await fresh.admin('/admin/sync/enroll', {
    body: { url: link.url, token: await token('kiosk', { again: true }) },
  })
  expect(enrolled.status).toBe(200)
  await fresh.restart()

  const first = await runReplace(fresh, [])
  expect(first.code).toBe(1)
  expect(first.result.steps).toContainEqual(expect.objectContaining({ step: 'certificate', state: 'left' }))
  await fresh.restart()
  const second = await runReplace(fresh, await certificateFlags())
  expect(second).toMatchObject({ code: 0, result: { can_sell: true, numbers: [] } })
  expect(second.result.steps).toContainEqual(expect.objectContaining({ step: 'taken_over', state: 'already' }))
  expect(first.result.devices[0]?.key?.key).toMatch(/^fisk_/)
  giveKey(fresh, first.result)
  expect((await fresh.sell()).number).toBe('11002')

  const third = await runReplace(fresh, [])
  expect(third.code).toBe(1)
  expect(third.result.error?.message).toContain('sells already')
})

test('the old card is refused by the server when it comes back, and tells it nothing', async () => {
  const { gateway: dead, link, token, server, seen } = await startEnrolled()
  await dead.sell()
  await told(dead)
  await dead.stop()
  const fresh = await startFreshCard(dead)
  const { result } = await runReplace(fresh, [
    ...[link.url, await token('kiosk', { again: true })],
    ...(await certificateFlags()),
  ])
  giveKey(fresh, result)
  await fresh.sell()
  await told(fresh)

  await dead.restart()
  await expect.poll(async () => (await syncOf(dead)).sync.state).toBe('revoked')
  const stray = await dead.sell()
  expect(stray.number).toBe('2')
  await dead.admin('/admin/sync/now', { method: 'POST' })
  await expect.poll(async () => (await syncOf(dead)).sync.last_error?.code).toBe('gateway_unknown')
  expect((await server.admin(`/v1/invoices/${stray.id}`)).status).toBe(404)
  const check = (await diagnose(dead)).find(({ name }) => name === 'central server')
  expect(check).toMatchObject({ status: 'fail', fix: expect.stringContaining('switch') })
  expect(await seen('kiosk')).toMatchObject({ state: 'connected', refused: 0 })
})

test('a machine that sells, one that was set up by itself, and a gateway without devices are no replacements', async () => {
  const central = await startCentral()
  const selling = await startGateway()
  await selling.sell()
  const sells = await runReplace(selling, [central.link.url, await central.token('one')])
  expect(sells).toMatchObject({ code: 1, result: { error: { message: expect.stringContaining('sells already') } } })
  const setUp = await startGateway()
  const own = await runReplace(setUp, [central.link.url, await central.token('two')])
  expect(own.result.error?.message).toContain('"machine"')
  expect((await syncOf(setUp)).enrolled).toBe(false)

  const fresh = await startEmptyGateway()
  const nobody = await runReplace(fresh, [central.link.url, await central.token('three')])
  expect(nobody.result.error?.message).toContain('sudo fisk init')
})

test('a token that is wrong or used, and a server that does not answer, are told with what to do next', async () => {
  const { gateway: dead, link, token } = await startEnrolled()
  await told(dead)
  await dead.stop()
  const used = await token('kiosk', { again: true })
  const other = await startEmptyGateway()
  expect((await other.admin('/admin/sync/enroll', { body: { url: link.url, token: used } })).status).toBe(200)

  const fresh = await startFreshCard(dead)
  const again = await runReplace(fresh, [link.url, used])
  expect(again).toMatchObject({ code: 1, result: { error: { code: 'sync_token_invalid' } } })
  expect(again.stderr).toContain('fisk gateway add NAME')
  const nowhere = await runReplace(fresh, ['https://127.0.0.1:1', await token('kiosk', { again: true })])
  expect(nowhere.result.error?.message).toMatch(/not enrolled: .*127\.0\.0\.1:1/)
  const typo = await runReplace(fresh, [link.url, 'fisk_enrol_x'])
  expect(typo).toMatchObject({ code: 2 })
  expect(typo.stderr).toContain('sudo fisk replace URL TOKEN')
})

test('a technician at a terminal answers what no server knows, and reads the last screen in Croatian', async () => {
  const { server, link, token, enroll } = await startCentral()
  const dead = await startGateway()
  await dead.sell()
  const line = 'tcp:127.0.0.1:9'
  const set = await dead.admin(`/admin/printers/${dead.deviceId}`, {
    method: 'PATCH',
    body: { line, profile: 'epson-tm-t20', settings: { feed_lines: 5 } },
  })
  expect(set.text).toContain('feed_lines')
  await enroll(dead)
  await told(dead)
  const reported = async () => (await server.admin<Reported>('/admin/gateways/kiosk')).body.heartbeat?.printers
  await expect.poll(reported).toMatchObject([{ setup: { line, settings: { feed_lines: 5 } } }])
  await dead.stop()
  const fresh = await startFreshCard(dead)
  const [, file, , secret] = await certificateFlags()
  const ran = await fisk(['replace', '--no-printer-test', '--passphrase-file', String(secret)], {
    socket: fresh.socketPath,
    env: { FISKD_LANGUAGE: 'hr' },
    dialogue: [
      ['Adresa središnjeg poslužitelja', link.url],
      ['Token poslužitelja', await token('kiosk', { again: true })],
      ['Posljednji ispisani račun', ''],
      ['PKCS#12 datoteka', String(file)],
      ['Pisač uređaja', ''],
    ],
  })
  expect(ran.stderr).toBe('')
  expect(ran.stdout).toContain(`epson-tm-t20 na ${line}, kao prije`)
  expect(ran.stdout).toContain('učinjeno: nastavljaju se iza 11001, POSL1, ')
  expect(ran.stdout).toContain('Prodaja je sada moguća.')
  expect(ran.code).toBe(0)
})
