import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseAway } from '../../../src/fiscal/ports/store.ts'
import { connectionsTo } from '../../../src/store/postgres/connect.ts'
import { openStore } from '../../../src/store/store.ts'
import { issue } from '../../support/issued-certificates.ts'
import { skipWithoutPostgres } from '../../support/postgres.ts'
import { FISKD } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { startTlsPostgres, tlsAuthority } from '../../support/tls-postgres.ts'

const HBA = ['hostssl all tls', 'hostnossl all plain', 'host all mixed'].map(
  (who) => `${who} 127.0.0.1/32 scram-sha-256`,
)

describe.skipIf(skipWithoutPostgres)('TLS to PostgreSQL', () => {
  const [ours, others] = [tlsAuthority('ours'), tlsAuthority('others')]
  let server: Awaited<ReturnType<typeof startTlsPostgres>>
  const files: Record<string, string> = {}

  beforeAll(async () => {
    server = await startTlsPostgres(ours, [...HBA, 'hostssl all proven 127.0.0.1/32 cert'])
    for (const name of ['tls', 'plain', 'mixed', 'proven']) {
      await server.sql(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'geheim'`)
    }
    const client = issue({ name: 'proven', by: ours, bits: 2048 })
    files.OURS = server.certificate('ours.crt', ours)
    files.OTHERS = server.certificate('others.crt', others)
    files.CERT = server.certificate('client.crt', client)
    files.KEY = server.key('client.key', client)
    files.OPEN = server.key('open.key', client, 0o644)
  })
  afterAll(() => server?.close())

  const urlOf = (user: string, host: string, more: string) =>
    `postgres://${user}:geheim@${host}:${server.port}/fiskd?${more.replace(/[A-Z]+/g, (name) => files[name] ?? name)}`

  /** @returns whether the connection is encrypted, or why there is none */
  async function connected(url: string): Promise<boolean | string> {
    const client = new (connectionsTo(url))()
    try {
      await client.connect()
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      return rows[0].ssl
    } catch (error) {
      return (error as Error).message
    } finally {
      await client.end().catch(() => {})
    }
  }

  const UNKNOWN = 'its certificate is of an authority that is not known: give the file of this authority in sslrootcert'
  test.each([
    ['mixed', '127.0.0.1', '', false],
    ['mixed', 'localhost', 'sslmode=disable', false],
    ['tls', 'localhost', 'sslmode=disable', 'it wants TLS: give sslmode=verify-full and sslrootcert'],
    ['mixed', 'localhost', 'sslmode=allow', false],
    ['tls', 'localhost', 'sslmode=allow', true],
    ['mixed', 'localhost', 'sslmode=prefer', true],
    ['plain', 'localhost', 'sslmode=prefer', false],
    ['plain', 'localhost', 'sslmode=require', 'no pg_hba.conf entry'],
    ['mixed', '127.0.0.1', 'sslmode=require', true],
    ['mixed', '127.0.0.1', 'sslmode=require&sslrootcert=OURS', true],
    ['mixed', '127.0.0.1', 'sslmode=require&sslrootcert=OTHERS', UNKNOWN],
    ['mixed', '127.0.0.1', 'sslmode=verify-ca&sslrootcert=OURS', true],
    ['mixed', 'localhost', 'sslmode=verify-ca&sslrootcert=OTHERS', UNKNOWN],
    ['mixed', 'localhost', 'sslmode=verify-full&sslrootcert=OURS', true],
    ['mixed', '127.0.0.1', 'sslmode=verify-full&sslrootcert=OURS', 'its certificate is for another name'],
    ['mixed', 'localhost', 'sslmode=verify-full', UNKNOWN],
    ['mixed', 'localhost', 'sslrootcert=system', UNKNOWN],
    [
      'mixed',
      'localhost',
      'sslmode=verify-full&sslrootcert=/nowhere.crt',
      `no such file or directory, open '/nowhere.crt'`,
    ],
    ['proven', 'localhost', 'sslmode=require', 'connection requires a valid client certificate'],
    ['proven', 'localhost', 'sslmode=require&sslcert=CERT&sslkey=KEY', true],
    ['proven', 'localhost', 'sslmode=require&sslcert=CERT&sslkey=OPEN', 'chmod 600'],
  ])('for %s at %s with "%s": %s', async (user, host, more, outcome) => {
    const found = await connected(urlOf(user, host, more))
    if (typeof outcome === 'boolean') expect(found).toBe(outcome)
    else expect(found).toContain(outcome)
  })

  test('that the server does not offer, or whose certificate has expired, is said so', async () => {
    await server.present(ours, 'localhost', new Date(Date.now() - 1000))
    const url = urlOf('mixed', 'localhost', 'sslmode=verify-full&sslrootcert=OURS')
    await expect.poll(() => connected(url)).toContain('its certificate is not valid now: renew it')
    await server.sql('ALTER SYSTEM SET ssl = off')
    await server.present(ours, 'localhost')
    await expect.poll(() => connected(url)).toContain('it has no TLS: turn ssl on in its postgresql.conf')
    await server.sql('ALTER SYSTEM SET ssl = on')
    await server.present(ours, 'localhost')
    await expect.poll(() => connected(url)).toBe(true)
  })

  test('that cannot be trusted ends a start, naming database, variable and remedy, and nothing else is said', async () => {
    const url = urlOf('mixed', 'localhost', 'sslmode=require&sslrootcert=OTHERS')
    const env = { PATH: process.env.PATH, FISKD_ROLE: 'server', FISKD_DATABASE_URL: url, FISKD_LOG_LEVEL: 'error' }
    const around = { ...env, FISKD_DATA_DIR: await tempDir(), FISKD_LISTEN: '127.0.0.1:0' }
    const { status, stderr } = spawnSync(process.execPath, [FISKD], { env: around, encoding: 'utf8' })
    expect(status).toBe(1)
    const place = `the database postgres://localhost:${server.port}/fiskd cannot be opened`
    const [first] = stderr.split('\n')
    expect(first).toBe(
      `fiskd: ${place}: ${UNKNOWN} (SELF_SIGNED_CERT_IN_CHAIN); see whether it runs, and FISKD_DATABASE_URL`,
    )
    expect(stderr).not.toMatch(/geheim|WARNING|use-system-ca/)
  })

  test('is away while the server has a certificate of another authority, and back with its file', async () => {
    const root = server.certificate('root.crt', ours)
    const url = urlOf('mixed', 'localhost', `sslmode=verify-full&sslrootcert=${root}`)
    const store = await openStore(url, 1)
    onTestFinished(() => store.close())
    await server.present(others, 'localhost')
    await expect
      .poll(async () => {
        await server.cutAll()
        return store.tenants.list().catch((error: unknown) => error)
      })
      .toBeInstanceOf(DatabaseAway)
    server.certificate('root.crt', others)
    await expect.poll(() => store.tenants.list().catch(() => [])).toHaveLength(1)
    await server.present(ours, 'localhost')
  })

  test('a password is read from its file for each connection, so that it may be changed', async () => {
    const line = (password: string) => `*:${server.port}:fiskd:other:x\nlocal\\host:*:*:mixed:${password}\n`
    const path = server.file('pgpass', line('ge\\:heim\\\\'))
    await server.sql(`ALTER ROLE mixed PASSWORD 'ge:heim\\'`)
    const url = `postgres://mixed@localhost:${server.port}/fiskd`
    const store = await openStore(`${url}?passfile=${path}`, 1)
    onTestFinished(() => store.close())
    await server.sql(`ALTER ROLE mixed PASSWORD 'new'`)
    writeFileSync(path, line('new'))
    await server.cutAll()
    await expect.poll(() => store.tenants.list().catch(() => [])).toHaveLength(1)

    process.env.PGPASSFILE = path
    onTestFinished(() => void delete process.env.PGPASSFILE)
    expect(await connected(url)).toBe(false)
    server.file('pgpass', line('new'), 0o640)
    expect(await connected(url)).toContain(`others may read ${path}: chmod 600 ${path}`)
    server.file('pgpass', '')
    expect(await connected(url)).toContain(
      `it asks for a password, and neither FISKD_DATABASE_URL nor ${path} has one for localhost:${server.port}:fiskd:mixed`,
    )
    await server.sql(`ALTER ROLE mixed PASSWORD 'geheim'`)
  })
})
