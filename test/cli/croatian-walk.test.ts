import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withInstalledPaths } from '../../src/cli/machine/installed-paths.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { fisk, type Ran } from '../support/fisk.ts'
import { type Gateway, startEmptyGateway } from '../support/gateway.ts'
import { startHost } from '../support/host.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'

const [OIB] = OIBS
const DOWN = '\u001b[B'
const env = { FISKD_LANGUAGE: 'hr' }

/** Words that no name, command or field of this test has, and that no English sentence does without for long. */
const ENGLISH =
  /\b(the|is|are|of|not|and|was|were|cannot|can|with|for|from|has|have|it|its|this|that|there|which|what|where|then|when|yes|none|later|done|already|next|fix|error|machine|company|device|printer|answers|runs|only)\b/gi

/** English words of what was printed, outside of commands, names of files and of fields. */
function englishIn({ stdout, stderr }: Ran): string[] {
  const shown = `${stdout}\n${stderr}`
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor and colours
    .replace(/\u001b\[[\d;?]*[A-Za-z]/g, '')
    .replace(/\n {8,}/g, ' ')
    .replace(/(sudo )?(fisk|fiskd|systemctl|journalctl|apt|ip) [a-z][^\n,;.)]*/g, '')
    .replace(/\S*[/_=@]\S*/g, '')
  return shown.split('\n').filter((line) => line.match(ENGLISH))
}

async function certificate(gateway: Gateway) {
  const { p12, passphrase } = await certificateOf(OIB)
  const file = join(gateway.dataDir, 'certificate.p12')
  const pem = join(gateway.dataDir, 'ca.pem')
  writeFileSync(file, p12)
  writeFileSync(pem, pki.bundlePem)
  writeFileSync(join(gateway.dataDir, 'trust', 'test.pem'), '')
  await gateway.restart()
  return { file, passphrase, pem }
}

test('fisk init, status and doctor of a gateway are Croatian from end to end, before it can sell and afterwards', async () => {
  const gateway = await startEmptyGateway()
  const { file, passphrase, pem } = await certificate(gateway)
  const around = { socket: gateway.socketPath, env }
  for (const command of ['status', 'doctor']) {
    const empty = await fisk([command], around)
    expect(empty.code).toBe(1)
    expect(englishIn(empty)).toEqual([])
  }

  const ran = await fisk(['init'], {
    ...around,
    dialogue: [
      ['OIB tvrtke', OIB],
      ['Naziv tvrtke', 'Žućo d.o.o.'],
      ['Kojoj usluzi Porezne uprave', DOWN],
      ['Prijeći na stvarni rad?', ''],
      ['Kojoj usluzi Porezne uprave', ''],
      ['Stopa PDV-a', ''],
      ['Certifikati testne usluge', DOWN],
      ['Datoteke s certifikatima', '/nema/toga'],
      ['Certifikati testne usluge', DOWN],
      ['Datoteke s certifikatima', pem],
      ['PKCS#12 datoteka', file],
      ['Lozinka certifikata', 'kriva'],
      ['Lozinka certifikata', passphrase],
      ['Naziv uređaja', 'Predvorje 1'],
      ['Oznaka poslovnog prostora', 'POSL1'],
      ['ISU broj', '77'],
      ['povratnom naknadom', DOWN],
      ['Pisač nije pronađen', DOWN],
      ['Sjedište tvrtke', ''],
    ],
  })
  expect(ran.stderr).toBe('')
  expect(ran.stdout).toContain('Nije prihvaćeno: Datoteka /nema/toga ne postoji.')
  expect(ran.stdout).toContain('Lozinka ne otvara datoteku')
  expect(ran.stdout).toMatch(/^Sljedeće: /m)
  expect(englishIn(ran)).toEqual([])

  for (const command of ['status', 'doctor']) expect(englishIn(await fisk([command], around))).toEqual([])
})

test('what fisk doctor finds broken in a machine is Croatian', async () => {
  const host = await startHost(atTheEndOfFile)
  host.unit('fiskd.service', { UnitFileState: 'disabled', NeedDaemonReload: 'yes', Restart: 'no', WatchdogUSec: '0' })
  host.unit('fiskd-backup.timer', null)
  host.unit('systemd-timesyncd.service', null)
  host.groups('fiskd')
  const ran = await host.doctor('--lang', 'hr')
  expect(ran.stdout).toContain('Pronađene su pogreške.')
  expect(englishIn(ran)).toEqual([])
})

test('the environment file of the service decides the language, unless the environment of fisk does', async () => {
  const file = join(await tempDir(), 'fiskd.env')
  writeFileSync(file, 'FISKD_LANGUAGE=hr\n')
  const asked = async (own: Record<string, string>) => {
    const all = withInstalledPaths({ FISKD_ENV_FILE: file, FISKD_SOCKET: '/nowhere/fiskd.sock', LANG: 'C', ...own })
    return (await fisk(['status'], { env: all as Record<string, string> })).stderr
  }
  expect(await asked({})).toMatch(/^Pogreška: /)
  expect(await asked({ FISKD_LANGUAGE: 'en' })).toMatch(/^Error: /)
})
