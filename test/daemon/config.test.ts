import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/daemon/config.ts'
import { tempDir } from '../support/temp-dir.ts'
import { trustPathsIn } from '../support/trust-paths.ts'

test('without any variable everything has its default', () => {
  const config = readConfig({ FISKD_DATA_DIR: '/data' })
  expect(config).toMatchObject({
    role: 'gateway',
    listen: [
      { host: '127.0.0.1', port: 8443 },
      { host: '::1', port: 8443 },
    ],
    listenConfigured: false,
    socketPath: '/data/fiskd.sock',
    cisUrls: {
      test: 'https://cistest.apis-it.hr:8449/FiskalizacijaServiceTest',
      live: 'https://cis.porezna-uprava.hr:8449/FiskalizacijaService',
    },
    trustPaths: trustPathsIn('/data/trust'),
    trustGiven: { test: false, live: false },
    deploymentMode: 'test',
    sweepIntervalMs: 300_000,
    logLevel: 'info',
    tls: null,
    smtp: null,
    alerts: { addresses: [], language: 'hr', from: null },
    dashboardUrl: null,
    docsUrl: null,
    syncUrl: null,
    syncMaxKbps: null,
    rateLimits: { enabled: true, perMinute: 20_000, perAddressPerMinute: 20_000, signInsPer15Minutes: 30 },
  })
  expect(readConfig({}).dataDir).toBe(resolve('data'))
})

test('every problem is reported at once, by name and value', () => {
  const env = {
    FISKD_ROLE: 'kiosk',
    FISKD_LISTEN: '127.0.0.1',
    FISKD_CIS_TEST_URL: 'http://cistest',
    FISKD_DEPLOYMENT_MODE: 'prod',
    FISKD_SWEEP_INTERVAL_S: '0',
    FISKD_LOG_LEVEL: 'loud',
    RATE_LIMIT_ENABLED: 'no',
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_IP_PER_MINUTE: 'many',
    RATE_LIMIT_AUTH_PER_15MIN: '-1',
    FISKD_TLS_CERT: '/cert.pem',
    FISKD_SYNC_URL: 'fisk.example.com',
    FISKD_SYNC_MAX_KBPS: '0',
  }
  const problems = (() => {
    try {
      readConfig(env)
      return []
    } catch (error) {
      return error instanceof ConfigError ? error.problems : []
    }
  })()
  expect(problems).toHaveLength(13)
  expect(problems.join('\n')).toContain('FISKD_SWEEP_INTERVAL_S is "0": use 1 to 86400 seconds')
  expect(problems.join('\n')).toContain('FISKD_LISTEN is "127.0.0.1"')
  expect(problems.join('\n')).toContain('RATE_LIMIT_PER_MINUTE is "0": use a number of requests, 1 or more')
})

test('the central server may have moved, and its line may be metered', () => {
  const config = readConfig({ FISKD_SYNC_URL: 'https://fisk.example.com:8443/', FISKD_SYNC_MAX_KBPS: '64' })
  expect(config).toMatchObject({ syncUrl: 'https://fisk.example.com:8443', syncMaxKbps: 64 })
})

test.each(['127.0.0.1:8443', '[::1]:8443', '0.0.0.0:443,[::]:443', 'kiosk.local:8443'])(
  '%s is a place to listen',
  (text) => {
    expect(readConfig({ FISKD_LISTEN: text }).listen).toHaveLength(text.split(',').length)
  },
)

test.each(['', ':8443', '::1:8443', '[::1]', '127.0.0.1:65536', '127.0.0.1:8443,', '[nonsense]:1'])(
  '%j is no place to listen',
  (text) => {
    if (text === '') expect(readConfig({ FISKD_LISTEN: text }).listenConfigured).toBe(false)
    else expect(() => readConfig({ FISKD_LISTEN: text })).toThrow('FISKD_LISTEN')
  },
)

test('a misspelt variable is named', () => {
  const env = { FISKD_LISTN: 'x', FISKD_ROLE: 'server', RATE_LIMIT_PER_HOUR: '5', RATE_LIMIT_PER_MINUTE: '5' }
  expect(readConfig(env).unknownVariables).toEqual(['FISKD_LISTN', 'RATE_LIMIT_PER_HOUR'])
})

test.each([
  'postgres://fiskd:geheim@db.example.hr/fiskd',
  'postgresql://fiskd@db.example.hr:5433/fiskd?sslmode=verify-full',
  'postgres://fiskd@/fiskd?host=/run/postgresql',
  'postgres:///fiskd?host=/run/postgresql&user=fiskd',
])('a server may keep its sales in %s', (url) => {
  expect(readConfig({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url }).databaseUrl).toBe(url)
})

test.each([
  ['postgres://fiskd:geheim@db.example.hr/fiskd', 'gateway', '"postgres://db.example.hr/fiskd": a gateway keeps'],
  ['postgres://fiskd:geheim@db.example.hr', 'server', '"postgres...": use postgres://'],
  ['postgres://fiskd:gehe im@db.example.hr/fiskd', 'server', '"postgres...": use postgres://'],
  ['postgres://u:geheim@a/db?gssencmode=disable', 'server', '"postgres...": gssencmode in it is not supported'],
  ['mysql://fiskd:geheim@db.example.hr/fiskd', 'server', '"mysql...": use postgres://'],
  ['geheim', 'server', '"...": use postgres://'],
])('%s is no database of a %s, and what opens it is not shown', (url, role, problem) => {
  const read = () => readConfig({ FISKD_ROLE: role, FISKD_DATABASE_URL: url })
  expect(read).toThrow(`FISKD_DATABASE_URL is ${problem}`)
  expect(read).not.toThrow(/gehe/)
})

describe('what may hold a password', () => {
  const fileWith = async (text: string) => {
    const file = join(await tempDir(), 'secret')
    writeFileSync(file, text)
    return file
  }

  test.each([
    ['FISKD_DATABASE_URL', 'postgres://fiskd:geheim@db/fiskd', 'databaseUrl'],
    ['FISKD_SMTP_URL', 'smtps://fiskd:geheim@mail.example.hr', 'smtp'],
    ['FISKD_CIS_PROXY', 'http://fiskd:geheim@proxy:3128', 'cisProxy'],
  ] as const)('%s may be in a file, whose last line may end', async (name, value, field) => {
    const given = readConfig({ FISKD_ROLE: 'server', [name]: value })
    const inFile = readConfig({ FISKD_ROLE: 'server', [`${name}_FILE`]: await fileWith(`${value}\n`) })
    expect(inFile[field]).toEqual(given[field])
    expect(inFile.unknownVariables).toEqual([])
  })

  test('both forms together are refused, as is a file without a value, and no problem shows a value', async () => {
    const both = { FISKD_SMTP_URL: 'smtp://geheim@mail', FISKD_SMTP_URL_FILE: await fileWith('smtp://geheim@mail') }
    const wrong = { FISKD_CIS_PROXY_FILE: await fileWith('geheim') }
    const [empty, none] = [await fileWith('\n'), join(await tempDir(), 'none')]
    const unread = (file: string) =>
      `_FILE is "${file}": use a file that holds the value and that the user of fiskd may read`
    for (const [env, said] of [
      [both, 'FISKD_SMTP_URL and FISKD_SMTP_URL_FILE are both set: set one of them'],
      [wrong, 'FISKD_CIS_PROXY is not understood: use http://HOST:PORT'],
      [{ FISKD_SMTP_URL_FILE: empty }, `FISKD_SMTP_URL${unread(empty)}`],
      [{ FISKD_DATABASE_URL_FILE: none, FISKD_ROLE: 'server' }, `FISKD_DATABASE_URL${unread(none)}`],
    ] as const) {
      expect(() => readConfig(env)).toThrow(said)
      expect(() => readConfig(env)).not.toThrow(/geheim/)
    }
  })

  test('no other variable may be in a file', async () => {
    const config = readConfig({ FISKD_LOG_LEVEL_FILE: await fileWith('debug') })
    expect(config).toMatchObject({ logLevel: 'info', unknownVariables: ['FISKD_LOG_LEVEL_FILE'] })
  })
})

test('a variable of PostgreSQL that protects a connection of psql, and not one of fiskd, is named', () => {
  const server = { FISKD_ROLE: 'server', FISKD_DATABASE_URL: 'postgres://fiskd@db.example.hr/fiskd' }
  expect(() => readConfig({ ...server, PGSSLMODE: 'verify-full' })).toThrow(
    'PGSSLMODE is set, and fiskd does not read it: say it in FISKD_DATABASE_URL',
  )
  expect(() => readConfig({ PGSSLMODE: 'verify-full' })).not.toThrow()
})

test('alert mails: the server, whom they go to and come from, and where their links lead', () => {
  const config = readConfig({
    FISKD_SMTP_URL: 'smtps://fiskd:t%40jna@mail.example.hr',
    FISKD_ALERT_TO: 'ana@example.hr, Boss@example.com,',
    FISKD_ALERT_FROM: 'fiskd Ured <fiskd@example.hr>',
    FISKD_ALERT_LANGUAGE: 'en',
    FISKD_DASHBOARD_URL: 'https://fiskd.example.hr/dashboard/',
  })
  expect(config).toMatchObject({
    smtp: { host: 'mail.example.hr', port: 465, secure: true, login: { user: 'fiskd', pass: 't@jna' } },
    alerts: {
      addresses: ['ana@example.hr', 'Boss@example.com'],
      language: 'en',
      from: 'fiskd Ured <fiskd@example.hr>',
    },
    dashboardUrl: 'https://fiskd.example.hr',
  })
})

test('what is wrong about alert mails is said by name, and never the password', () => {
  const env = {
    FISKD_SMTP_URL: 'http://fiskd:tajna@mail',
    FISKD_ALERT_TO: 'ana@example.hr; boss',
    FISKD_ALERT_FROM: 'a@b\nBcc: c@d',
    FISKD_ALERT_LANGUAGE: 'de',
    FISKD_DASHBOARD_URL: 'fiskd.example.hr',
  }
  const problems = () => readConfig(env)
  for (const name of Object.keys(env)) expect(problems).toThrow(name)
  expect(problems).not.toThrow('tajna')
})

test('the way to the tax authority: directly and with SHA-1 accepted, unless something else is said', () => {
  expect(readConfig({})).toMatchObject({ cisProxy: null, sha1Answers: 'accept' })
  expect(
    readConfig({ FISKD_CIS_PROXY: 'http://kiosk:tajna@proxy.example.hr:3128', FISKD_CIS_SHA1_ANSWERS: 'refuse' }),
  ).toMatchObject({
    cisProxy: { host: 'proxy.example.hr', port: 3128, authorization: 'Basic a2lvc2s6dGFqbmE=' },
    sha1Answers: 'refuse',
  })
})

test('what is wrong about the way to the tax authority is said by name, and never the password', () => {
  const problems = () => readConfig({ FISKD_CIS_PROXY: 'https://kiosk:tajna@proxy:1', FISKD_CIS_SHA1_ANSWERS: 'maybe' })
  expect(problems).toThrow('FISKD_CIS_PROXY is not understood: use http://HOST:PORT')
  expect(problems).toThrow('FISKD_CIS_SHA1_ANSWERS is "maybe": use accept or refuse')
  expect(problems).not.toThrow('tajna')
})

test('processes that share a folder take the vault key, the CA and the trust from there', () => {
  const postgres = { FISKD_ROLE: 'server', FISKD_DATABASE_URL: 'postgres://fiskd@db/fiskd' }
  const env = { FISKD_DATA_DIR: '/data/1', FISKD_SHARED_DIR: '/data', FISKD_PROCESSES: '3' }
  expect(readConfig({ ...postgres, ...env })).toMatchObject({
    dataDir: '/data/1',
    sharedDir: '/data',
    processes: 3,
    socketPath: '/data/1/fiskd.sock',
    trustPaths: trustPathsIn('/data/trust'),
  })
  expect(readConfig({ FISKD_DATA_DIR: '/data' })).toMatchObject({ sharedDir: '/data', processes: null })
  expect(() => readConfig(env)).toThrow(/FISKD_SHARED_DIR is for the processes of a server on PostgreSQL/)
})

test.each([
  ['FISKD_PROXIES', '10.0.0.1, fd00::1', { proxies: ['10.0.0.1', 'fd00::1'] }],
  ['FISKD_TLS_NAMES', 'fiskd.example.hr,10.0.0.1', { tlsNames: ['fiskd.example.hr', '10.0.0.1'] }],
])('%s is a list', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toMatchObject(expected)
})

test.each([
  ['FISKD_PROXIES', 'balancer'],
  ['FISKD_TLS_NAMES', 'https://fiskd.example.hr'],
  ['FISKD_PROCESSES', '0'],
])('%s cannot be %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} is "${value}"`)
})

test('who signs the answers can be set for a mode, and what is not understood is said with its form', () => {
  expect(readConfig({ FISKD_CIS_SIGNERS: 'live=HR1:novi' }).serviceNames).toMatchObject({
    test: { organizationIdentifier: 'HR02994650199' },
    live: { organizationIdentifier: 'HR1', commonNames: ['novi'] },
  })
  expect(() => readConfig({ FISKD_CIS_SIGNERS: 'novi' })).toThrow('FISKD_CIS_SIGNERS is "novi": use test=ID:CN|CN')
})

test('the path of a base can be set; the additions stay where fiskd keeps them', () => {
  const config = readConfig({ FISKD_DATA_DIR: '/data', FISKD_TRUST_TEST: '/sim/bundle.pem' })
  expect(config.trustPaths.test).toEqual({ ...trustPathsIn('/data/trust').test, base: '/sim/bundle.pem' })
  expect(config.trustGiven).toEqual({ test: true, live: false })
})
