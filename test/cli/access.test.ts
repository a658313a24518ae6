import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

/** Runs the command against the daemon itself. */
const ask = (...argv: string[]) => fisk(argv, { socket: gateway.socketPath })

async function json(...argv: string[]) {
  const { code, stdout } = await ask(...argv, '--json')
  return { code, body: JSON.parse(stdout) }
}

test('a lost key is found by its name, ended, and refused from then on', async () => {
  const { body: created } = await json('key', 'create', '--mode', 'test', '--name', 'Lobby firmware')
  const { body: listed } = await json('key', 'list')
  expect(listed).toMatchObject({ object: 'list', has_more: false })
  const [found] = listed.data.filter(({ name }: { name: string }) => name === 'Lobby firmware')
  expect(found).toMatchObject({ id: created.id, scopes: ['invoices:write', 'invoices:read'], revoked_at: null })
  expect(JSON.stringify(listed)).not.toContain(created.key)
  expect((await ask('key', 'list')).stdout).toMatch(/Lobby firmware +test +in use/)

  const headers = { authorization: `Bearer ${created.key}` }
  expect((await gateway.v1('/invoices', { headers })).status).toBe(200)
  expect(await json('key', 'revoke', created.id, '--yes')).toMatchObject({ code: 0, body: { id: created.id } })
  expect((await gateway.v1('/invoices', { headers })).body.error.code).toBe('api_key_revoked')
  expect((await ask('key', 'list')).stdout).toMatch(/Lobby firmware +test +revoked/)
})

test('a key that does not exist cannot be ended', async () => {
  const ran = await ask('key', 'revoke', 'nothing', '--yes')
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('no such API key')
})

test('certificates are listed by status, and a revoked one signs nothing any more', async () => {
  const { body } = await json('cert', 'list', '--company', OIBS[0], '--status', 'valid')
  expect(body.data).toMatchObject([{ subject_oib: OIBS[0], status: 'valid' }])
  expect((await gateway.post()).status).toBe(200)
  const revoked = await json('cert', 'revoke', body.data[0].id, '--yes')
  expect(revoked).toMatchObject({ code: 0, body: { id: body.data[0].id, status: 'revoked' } })
  expect((await gateway.post()).body.error).toMatchObject({ code: 'company_missing_certificate', param: 'device_id' })
  expect((await ask('cert', 'list')).stdout).toContain('revoked')
  expect((await json('cert', 'list', '--status', 'valid')).body.data).toEqual([])
})

test('a user is made with a password from a file or from standard input, listed, and removed', async () => {
  const file = join(gateway.dataDir, 'password')
  await writeFile(file, 'dugačka lozinka\n')
  const added = await json('user', 'add', 'Ana@example.hr', '--role', 'operator', '--password-file', file)
  expect(added).toMatchObject({ code: 0, body: { name: 'ana@example.hr', role: 'operator', is_platform_admin: false } })
  const stdin = { socket: gateway.socketPath, stdin: 'druga duga lozinka\n' }
  const second = await fisk(['user', 'add', 'ivo@example.hr', '--platform-admin', '--password-stdin'], stdin)
  expect(second).toMatchObject({ code: 0, stderr: '' })
  const signIn = await gateway.v1('/../dashboard/session', {
    body: { name: 'ana@example.hr', password: 'dugačka lozinka' },
    headers: { authorization: undefined },
  })
  expect(signIn.status).toBe(201)
  expect((await ask('user', 'list')).stdout).toMatch(/ana@example.hr +operator +no/)
  expect((await json('user', 'remove', 'ana@example.hr', '--yes')).code).toBe(0)
  expect((await json('user', 'list')).body.data.map(({ name }: { name: string }) => name)).toEqual(['ivo@example.hr'])
})

test('a user without a password is not made, and the command says where to put it', async () => {
  const ran = await ask('user', 'add', 'eva')
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('--password-file')
  const short = await fisk(['user', 'add', 'eva', '--password-stdin'], { socket: gateway.socketPath, stdin: 'kratka' })
  expect(short.code).toBe(1)
  expect(short.stderr).toContain('at least 12 characters')
})

test('a tenant is made, and every command works for it alone with --tenant', async () => {
  expect(await json('tenant', 'add', 'kava-jadran')).toMatchObject({ code: 0, body: { name: 'kava-jadran' } })
  expect((await ask('tenant', 'list')).stdout).toContain('kava-jadran')
  const added = await json('--tenant', 'kava-jadran', 'company', 'add', '--oib', OIBS[1], '--name', 'Jadran')
  expect(added).toMatchObject({ code: 0, body: { oib: OIBS[1] } })
  await json('--tenant', 'kava-jadran', 'key', 'create', '--mode', 'test', '--name', 'jadran')
  const names = async (...tenant: string[]) =>
    (await json(...tenant, 'key', 'list')).body.data.map(({ name }: { name: string | null }) => name)
  expect(await names('--tenant', 'kava-jadran')).toEqual(['jadran'])
  expect(await names()).not.toContain('jadran')
  expect((await ask('--tenant', 'nitko', 'key', 'list')).stderr).toContain('no tenant nitko')
  expect(await ask('--tenant', 'žuto', 'key', 'list')).toMatchObject({ code: 2 })
  expect((await ask('tenant', 'add', 'Velika Slova')).code).toBe(1)
})

test('the audit log says who did what, the newest first', async () => {
  const { body } = await json('key', 'create', '--mode', 'live', '--name', 'traced')
  await json('key', 'revoke', body.id, '--yes')
  const log = await json('audit', '--limit', '2')
  expect(log.body).toMatchObject({
    has_more: true,
    data: [
      { action: 'api_key.revoked', actor: 'operator', detail: { id: body.id, name: 'traced' } },
      { action: 'api_key.created', actor: 'operator', detail: { id: body.id, mode: 'live', name: 'traced' } },
    ],
  })
  const { stdout } = await ask('audit')
  expect(stdout).toContain('api_key.revoked')
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('nobody alters the audit log, not even with the database in hand', async () => {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(join(gateway.dataDir, 'fiskd.db'))
  expect(() => database.exec("UPDATE audit_log SET actor = 'nobody'")).toThrow('only added to')
  expect(() => database.exec('DELETE FROM audit_log')).toThrow('only added to')
  database.close()
})
