import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AdminStub, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'

let stub: AdminStub
beforeEach(async () => {
  stub = await startAdminStub()
})
afterEach(() => stub.close())

const ask = (...argv: string[]) => fisk(argv, { socket: stub.socket })

test('trust add sends every file, DER as it is, and reports all that was added', async () => {
  const [pem, der] = [join(stub.directory, 'root.pem'), join(stub.directory, 'sub.cer')]
  await writeFile(pem, '-----BEGIN CERTIFICATE-----\n')
  await writeFile(der, Buffer.from([0x30, 0x00, 0xff]))

  const ran = await ask('trust', 'add', '--mode', 'live', '--for', 'uploads', pem, der, '--json')

  expect(ran.code).toBe(0)
  expect(stub.seen.map(({ path, body }) => [path, body?.mode, body?.for, body?.certificates])).toEqual([
    ['/admin/trust', 'live', 'uploads', Buffer.from('-----BEGIN CERTIFICATE-----\n').toString('base64')],
    ['/admin/trust', 'live', 'uploads', Buffer.from([0x30, 0x00, 0xff]).toString('base64')],
  ])
  const answer = JSON.parse(ran.stdout)
  expect(answer).toMatchObject({ mode: 'live', list: 'uploads', path: '/var/lib/fiskd/trust/live-uploads.pem' })
  expect(answer.added).toHaveLength(2)
  expect(answer.certificates).toHaveLength(2)
})

test('a mistyped file name among several changes nothing', async () => {
  const pem = join(stub.directory, 'root.pem')
  await writeFile(pem, 'x')
  const ran = await ask('trust', 'add', '--mode', 'live', '--for', 'service', pem, '/no/such/file')
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('There is no file /no/such/file.')
  expect(stub.seen).toEqual([])
})

test('trust fetch asks for one mode and shows what is trusted now', async () => {
  const ran = await ask('trust', 'fetch', '--mode', 'test')
  expect(stub.seen).toMatchObject([{ method: 'POST', path: '/admin/trust/fetch', body: { mode: 'test' } }])
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.stdout).toContain('CN=Root 1,C=HR')
})

test('trust list shows the lists of both modes with whole fingerprints within 80 columns', async () => {
  await ask('trust', 'fetch', '--mode', 'test')
  const ran = await ask('trust', 'list')
  expect(ran.stdout).toContain('test, for both: 1 trusted, in /var/lib/fiskd/trust/test.pem\n  CN=Root 1,C=HR')
  expect(ran.stdout).toContain('live, for uploads: 0 trusted, in /var/lib/fiskd/trust/live-uploads.pem')
  expect(ran.stdout).toContain(`    ${'A0'.repeat(32)}\n`)
  expect(ran.stdout).toContain('until 01.06.2034 12:00:00')
  for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)

  expect(JSON.parse((await ask('trust', 'list', '--json')).stdout)).toMatchObject({ object: 'list', has_more: false })
  const { data } = JSON.parse((await ask('trust', 'list', '--for', 'service', '--json')).stdout)
  const shown = data.map(({ mode, list }: { mode: string; list: string }) => `${mode} ${list}`)
  expect(shown).toEqual(['test base', 'test service', 'live base', 'live service'])
})

test('trust remove names the list and the beginning of the fingerprint, and shows what is left', async () => {
  const file = join(stub.directory, 'root.pem')
  await writeFile(file, 'x')
  const where = ['--mode', 'live', '--for', 'uploads']
  await ask('trust', 'add', ...where, file)
  const ran = await ask('trust', 'remove', ...where, 'a0a0a0a0')
  const body = { mode: 'live', for: 'uploads', fingerprint: 'a0a0a0a0' }
  expect(stub.seen.at(-1)).toMatchObject({ method: 'POST', path: '/admin/trust/remove', body })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toBe('Removed.\n\nlive, for uploads: 0 trusted, in /var/lib/fiskd/trust/live-uploads.pem\n')
})

test('revocation lists are shown beside the certificates, within 80 columns', async () => {
  const list = {
    issuer: 'CN=Fina RDC 2020,O=Financijska agencija,organizationIdentifier=VATHR-85821130368,C=HR',
    this_update: '2026-07-21T10:00:00.000Z',
    next_update: '2026-07-22T10:00:00.000Z',
    entries: 28_000,
  }
  const path = '/var/lib/fiskd/trust/test-uploads.pem'
  const bundle = { mode: 'test', list: 'uploads', path, given: false, certificates: [], revocation_lists: [list] }
  stub.answer('POST /admin/trust', {
    status: 200,
    body: { ...bundle, added: [], added_revocation_lists: [list] },
  })
  stub.answer('GET /admin/trust', {
    status: 200,
    body: {
      object: 'list',
      data: [{ ...bundle, revocation_lists: [{ ...list, next_update: null }] }],
      has_more: false,
      next_cursor: null,
    },
  })
  const file = join(stub.directory, 'issuer.crl')
  await writeFile(file, Buffer.from([0x30, 0x00]))

  const added = await ask('trust', 'add', '--mode', 'test', '--for', 'uploads', file, file)
  const shown = [
    '  revocation list of CN=Fina RDC 2020,O=Financijska',
    '  agencija,organizationIdentifier=VATHR-85821130368,C=HR',
    '    28000 revoked, as of 21.07.2026 12:00:00, next due 22.07.2026 12:00:00',
  ]
  expect(added.stdout.split('\n').slice(0, 4)).toEqual(['Added 2:', ...shown])
  expect(added.stdout).toContain(
    'test, for uploads: 0 trusted, in /var/lib/fiskd/trust/test-uploads.pem\n  revocation list of',
  )
  const json = JSON.parse((await ask('trust', 'add', '--mode', 'test', '--for', 'uploads', file, '--json')).stdout)
  expect([json.revocation_lists, json.added_revocation_lists]).toEqual([[list], [list]])

  const listed = await ask('trust', 'list')
  expect(listed.stdout).toContain('28000 revoked, as of 21.07.2026 12:00:00\n')
  for (const line of `${added.stdout}${listed.stdout}`.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})
