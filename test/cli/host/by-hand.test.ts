import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { shellWord } from '../../../src/domain/shell-word.ts'
import { fisk } from '../../support/fisk.ts'
import { FISKD } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

interface Text {
  en: string
  hr: string
}

/** A terminal in which a person starts fiskd: without systemd, among the processes of this machine. */
async function byHand(listen = '127.0.0.1:0') {
  const dataDir = join(await tempDir(), 'kupac č')
  mkdirSync(dataDir)
  const env = {
    PATH: String(process.env.PATH),
    FISKD_DATA_DIR: dataDir,
    FISKD_LISTEN: listen,
    FISKD_CIS_TEST_URL: 'https://127.0.0.1:1/',
  }
  const doctor = async () => {
    const { stdout } = await fisk(['doctor', '--json'], { env, paths: { proc: '/proc' }, fiskd: FISKD })
    return JSON.parse(stdout).checks[0] as { status: string; detail: Text; fix: Text }
  }
  /** Types a line, in which `fiskd` starts the daemon. @returns what it says until it runs or ends */
  const type = async (line: string) => {
    const typed = line.replace(/\bfiskd$/, `exec ${shellWord(process.execPath)} ${shellWord(FISKD)}`)
    const child = spawn('sh', ['-c', typed], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    const ready = new Promise<void>((resolve) => {
      const hear = (text: Buffer) => {
        said += text
        if (said.includes('"msg":"ready"')) resolve()
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
    })
    await Promise.race([ready, once(child, 'close')])
    return { child, said }
  }
  return { dataDir, doctor, type }
}

/** Another program, on a port of its own. */
async function holder() {
  const listening =
    'const s = require("net").createServer().listen(0, "127.0.0.1", () => console.log(s.address().port))'
  const child = spawn(process.execPath, ['-e', listening])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, port: Number(port) }
}

test('a port that is taken: fiskd names the variable, the doctor the process too, and each of its commands mends it', async () => {
  const other = await holder()
  const { doctor, type } = await byHand(`127.0.0.1:${other.port}`)
  const { said } = await type('fiskd')
  expect(said).toContain(`cannot listen on 127.0.0.1 port ${other.port}: EADDRINUSE`)
  expect(said).toContain(`what to do: export FISKD_LISTEN=127.0.0.1:${other.port + 1}; or end`)
  const { status, detail, fix } = await doctor()
  expect(status).toBe('fail')
  expect(detail.en).toContain(`The reason: port ${other.port} is taken by process ${other.child.pid} (`)
  expect(detail.hr).toContain(`priključak ${other.port} zauzima proces ${other.child.pid}`)
  const [, kill = '', set = '', then = ''] =
    /^(kill \d+); or (export FISKD_LISTEN=\S+); then: (fiskd)$/.exec(fix.en) ?? []
  const moved = await type(`${set}\n${then}`)
  expect(moved.said).toContain('"msg":"ready"')
  moved.child.kill('SIGTERM')
  await once(moved.child, 'close')
  expect((await type(`${kill}; sleep 1\n${then}`)).said).toContain('"msg":"ready"')
})

test('a vault key that is gone is the reason, until it is back', async () => {
  const { dataDir, doctor, type } = await byHand()
  const first = await type('fiskd')
  first.child.kill('SIGTERM')
  await once(first.child, 'close')
  const [key, away] = [join(dataDir, 'vault.key'), join(dataDir, '../vault.key')]
  renameSync(key, away)
  const { detail, fix } = await doctor()
  expect(detail.en).toContain(`The reason: vault.key is missing in ${dataDir}`)
  expect(fix.en).toContain(`put vault.key of the backup into ${dataDir}`)
  copyFileSync(away, key)
  expect((await doctor()).detail.en).not.toContain('The reason')
})

test('data that another process holds is told with that process, whose end lets fiskd start', async () => {
  const { dataDir, doctor, type } = await byHand()
  const other = await type(`export FISKD_SOCKET=${shellWord(join(dataDir, 'elsewhere.sock'))}\nfiskd`)
  expect(other.said).toContain('"msg":"ready"')
  const { detail, fix } = await doctor()
  expect(detail.en).toContain(`The reason: another fiskd, process ${other.child.pid} (`)
  expect(detail.en).toContain(`uses ${dataDir}`)
  expect(fix.en).toBe(`kill ${other.child.pid}; then: fiskd`)
})

test('where nothing stands in the way there is no reason, and nothing is missing before the first start', async () => {
  const { dataDir, doctor } = await byHand()
  expect((await doctor()).detail.en).toBe(`No daemon answers on ${join(dataDir, 'fiskd.sock')}.`)
  const fd = openSync(join(dataDir, 'fiskd.lock'), 'w')
  closeSync(fd)
  writeFileSync(join(dataDir, 'vault.key'), '')
  expect((await doctor()).detail.en).not.toContain('The reason')
  expect(existsSync(join(dataDir, 'fiskd.db'))).toBe(false)
  expect(readFileSync(join(dataDir, 'vault.key'), 'utf8')).toBe('')
})
