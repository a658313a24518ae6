import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { settingsOfFile } from '../../src/cli/support/settings.ts'
import { inDatabase } from '../support/database.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { fisk } from '../support/fisk.ts'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { makeTempDir, tempDir } from '../support/temp-dir.ts'

const SECRETS = [
  'hunter2secret',
  'pg-geheim',
  'smtp-geheim',
  'fisk_live_NeverShowThis',
  'sessionToken123',
  'MIIEsecretkey',
]
const NAMES = [
  ...['Samoposluga', 'Tajna', 'ivo.ivic', 'pero.peric', 'Nepoznata', 'marko'],
  ...['Susjed', 'Stari', 'Vlasnik', '091-555-0199', 'kiosk-kod-ive', 'Pirati', 'geheim', 'zaporka'],
]

const LOG = [
  `{"level":50,"msg":"odd answer for ${OIBS[0]}","err":{"message":"CN=Tajna \\"d.o.o.\\" + sinovi ${OIBS[1]}"}}`,
  'authorization: Bearer hunter2secret',
  'cookie: __Host-fiskd_session=sessionToken123',
  'key fisk_live_NeverShowThis refused; passphrase=hunter2secret',
  '-----BEGIN PRIVATE KEY-----\\nMIIEsecretkey\\n-----END PRIVATE KEY-----',
  'open /home/marko/p12/x: no such file',
  '{"level":30,"hostname":"kiosk-kod-ive","msg":"GET /x?name=Stari%20Naziv"}',
]

let gateway: Gateway
let env: Record<string, string>
beforeAll(async () => {
  gateway = await startSharedGateway()
  await addCompany(gateway, OIBS[1], {
    name: 'Tajna "d.o.o." + sinovi',
    address: { street: 'Nepoznata 7', city: 'Split' },
  })
  await gateway.addDevice({ label: 'named once', isu_number: '77' })
  // Such a label is refused today, and may have been stored once.
  const label = `../../etc/passwd\n${OIBS[2]} \u001b[31m`
  await inDatabase(gateway, `UPDATE devices SET label = '${label}' WHERE label = 'named once'`)
  await gateway.createKey({ name: `till of ${OIBS[1]}` })
  await gateway.admin('/admin/users', { body: { name: 'ivo.ivic@example.hr', password: 'a long hunter2secret' } })
  await gateway.admin('/admin/users', { body: { name: 'pero.peric', password: 'a long hunter2secret' } })
  await gateway.sell({ total: '918.27' })
  await gateway.admin('/admin/tenants', { body: { name: 'drugi' } })
  await gateway.admin('/v1/companies', {
    body: { name: `Susjed ${'i sinovi '.repeat(9)}`, oib: OIBS[2] },
    headers: { 'x-tenant': 'drugi' },
  })
  const receipt = { header: ['Vlasnik Vlado'], footer: ['091-555-0199'] }
  const former = { name: 'Stari Naziv', fiscal_config: { receipt } }
  for (const body of [former, { name: 'Samoposluga d.o.o.' }]) {
    await gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body })
  }
  await gateway.admin(`/v1/devices/${gateway.deviceId}`, { method: 'PATCH', body: { device_config: { receipt } } })

  const dir = await makeTempDir(atTheEndOfFile)
  const journal = join(dir, 'journalctl')
  writeFileSync(journal, `#!/bin/sh\ncat <<'END'\n${LOG.join('\n')}\nEND\n`)
  chmodSync(journal, 0o755)
  const envFile = join(dir, 'fiskd.env')
  writeFileSync(
    envFile,
    'FISKD_DATABASE_URL=postgres://fiskd:pg-geheim@db/x\nFISKD_SMTP_URL=smtp://a:smtp-geheim@mail\nFISKD_ROLE=gateway\n' +
      '# call Pirati\nSMTP_PASSWORD=abc,Pirati zaporka;x\nDB_PASS=/geheim\nPIN=geheim4\nFISKD_DOCS_URL=https://d.hr/?k=geheim\n',
  )
  env = {
    ...{ FISKD_ENV_FILE: envFile, SUDO_USER: 'marko', FISKD_TOKEN: 'hunter2secret' },
    PATH: `${dir}:${process.env.PATH}`,
  }
})

/** Unpacks a bundle with the system's own tar. */
async function unpack(file: string) {
  const dir = await tempDir()
  execFileSync('tar', ['-xzf', file, '-C', dir])
  const root = join(dir, 'fiskd-support')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(root, name)).isFile(),
  )
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}

const bundle = async (args: string[] = [], socket = gateway.socketPath) => {
  const file = join(await tempDir(), 'bundle.tar.gz')
  const ran = await fisk(['support-bundle', file, ...args], { socket, env })
  return { file, ran }
}

test('a bundle holds what support needs, without one secret, OIB or name in any file', async () => {
  const { file, ran } = await bundle()
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('Look into it before you send it.')
  expect(ran.stdout).toContain(`${(statSync(file).size / 1024).toFixed(0)} kB`)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const files = await unpack(file)
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining([
      'README.txt',
      'doctor.json',
      'doctor.txt',
      'status.json',
      'status.txt',
      'log.txt',
      'fiskd.env',
    ]),
  )
  expect(files['README.txt']).not.toMatch(/Not in it:[\s\S]*fiskd\//)
  expect(files['fiskd/certificates.json']).toContain('serial')
  for (const [name, text] of Object.entries(files)) {
    const found = [...OIBS, ...SECRETS, ...NAMES, gateway.key, gateway.companyId, '918.27'].filter((one) =>
      text.includes(one),
    )
    expect([name, found]).toEqual([name, []])
    if (name.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow()
    if (name !== 'README.txt') expect(files['README.txt']).toContain(`  ${name} `)
  }
})

test('the same OIB has the same mask in every file, and ids, states and settings stay', async () => {
  const files = await unpack((await bundle()).file)
  const companies = JSON.parse(files['fiskd/companies.json'] ?? '')
  const mask = /odd answer for (OIB-\d)/.exec(files['log.txt'] ?? '')?.[1]
  const { oib, id } = companies.find((one: { oib: string }) => one.oib === mask)
  expect([oib, id]).toEqual([expect.stringMatching(/^OIB-\d$/), expect.stringMatching(/^COMPANY-ID-\d$/)])
  expect(files['fiskd/devices.json']).toContain(gateway.deviceId)
  expect(files['fiskd/devices.json']).toContain(id)
  expect(files['fiskd.env']).toContain('FISKD_ROLE=gateway\nSMTP_PASSWORD=***\nDB_PASS=***\nPIN=***\n')
  expect(files['fiskd.env']).toContain('FISKD_DOCS_URL=https://d.hr/?***\n')
  expect(JSON.parse(files['fiskd/invoices.json'] ?? '')).toEqual([
    expect.objectContaining({ status: 'confirmed', number: '1', attempts: 1 }),
  ])
  expect(JSON.parse(files['fiskd/audit.json'] ?? '').length).toBeGreaterThan(5)
})

test('the value of every variable that the template offers is shown, but for addresses with passwords and of people', () => {
  const offered = readFileSync(join(import.meta.dirname, '../../systemd/fiskd.env'), 'utf8').replace(
    /^#(?=[A-Z_]+=)/gm,
    '',
  )
  const shown = settingsOfFile(offered)
  expect(shown).toContain('FISKD_ROLE=gateway\n')
  expect(shown.split('\n').filter((line) => line.includes('***'))).toEqual([
    ...['FISKD_DATABASE_URL=***', 'FISKD_CIS_PROXY=***', 'FISKD_SMTP_URL=***'],
    ...['FISKD_ALERT_TO=***', 'FISKD_ALERT_FROM=***'],
  ])
})

test('without a daemon it packs what there is, and says what is missing', async () => {
  const { file, ran } = await bundle(['--json'], '/nowhere/fiskd.sock')
  expect(ran.code).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject({
    file,
    missing: expect.arrayContaining(['fiskd/: the daemon does not answer']),
  })
  const files = await unpack(file)
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['doctor.txt', 'log.txt', 'versions.txt', 'memory.txt']))
  expect(files['README.txt']).toContain('the daemon does not answer')
  expect(JSON.stringify(files)).not.toContain(OIBS[0])
})

test('a file that is there is not replaced unless told, and a folder that is not there is named', async () => {
  const { file } = await bundle()
  const before = readFileSync(file)
  const again = await fisk(['support-bundle', file], { socket: gateway.socketPath, env })
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
  expect(readFileSync(file).equals(before)).toBe(true)
  expect((await fisk(['support-bundle', file, '--force'], { socket: gateway.socketPath, env })).code).toBe(0)
  const nowhere = await fisk(['support-bundle', '/nowhere/x.tar.gz'], { socket: gateway.socketPath, env })
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no directory') })
  const dir = join(await tempDir(), 'dir')
  mkdirSync(dir)
  expect((await fisk(['support-bundle', join(dir, 'a')], { socket: gateway.socketPath, env })).code).toBe(0)
  expect(readdirSync(dir)).toEqual(['a'])
  expect(existsSync('/nowhere')).toBe(false)
})
