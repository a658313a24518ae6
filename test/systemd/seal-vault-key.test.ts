import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ran } from '../support/fisk.ts'
import { inProject, runWith, standIn } from '../support/stand-in.ts'
import { tempDirOnDisk } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

/** What systemd does when it starts the service with the credential. */
const GIVES_KEY = `
case $1 in
restart)
  mkdir -p "$CREDENTIALS/fiskd.service"
  rm -f "$CREDENTIALS/fiskd.service/fiskd-vault-key"
  [ ! -e "$CREDSTORE/fiskd-vault-key" ] ||
    systemd-creds decrypt --name=fiskd-vault-key "$CREDSTORE/fiskd-vault-key" "$CREDENTIALS/fiskd.service/fiskd-vault-key"
  echo restart >> "$CREDENTIALS/log"
esac`

interface Machine {
  seal(...args: string[]): Ran
  /** What a command does from now on, in shell. */
  command(name: string, script: string): void
  key: Buffer
  keyPath: string
  sealedPath: string
  path(name: string): string
  restarts(): number
}

async function machine(): Promise<Machine> {
  const dir = await tempDirOnDisk()
  const path = (name: string) => join(dir, name)
  for (const name of ['data', 'bin', 'run']) mkdirSync(path(name))
  const command = (name: string, script: string) => standIn(path('bin'), name, script)
  command('systemctl', GIVES_KEY)
  command('id', 'echo 0')
  const key = randomBytes(32)
  writeFileSync(path('data/vault.key'), key, { mode: 0o600 })
  const env = {
    FISKD_DATA_DIR: path('data'),
    CREDSTORE: path('store'),
    CREDENTIALS: path('run'),
    SYSTEMD_CREDENTIAL_SECRET: path('host.secret'),
    FISK: command('fisk', 'true'),
    PATIENCE_S: '0',
  }
  return {
    path,
    command,
    key,
    keyPath: path('data/vault.key'),
    sealedPath: path('store/fiskd-vault-key'),
    seal: (...args) => runWith(path('bin'), inProject('systemd/seal-vault-key'), args, env),
    restarts: () => (existsSync(path('run/log')) ? readFileSync(path('run/log'), 'utf8').split('\n').length - 1 : 0),
  }
}

/** The key is where it was, nothing of the sealing is left, and the service knows. */
function expectUnchanged({ key, keyPath, path, restarts }: Machine, restarted: number): void {
  expect(readFileSync(keyPath).equals(key)).toBe(true)
  expect(existsSync(path('store')) ? readdirSync(path('store')) : []).toEqual([])
  expect(restarts()).toBe(restarted)
}

describe.skipIf(skipWithout('systemd-creds'))('sealing the vault key', () => {
  test('encrypts it for this machine, and removes the file when the service has used it', async () => {
    const house = await machine()
    const { code, stdout, stderr } = house.seal()
    expect([code, stdout]).toEqual([0, expect.stringContaining('opens on this machine only')])
    expect(existsSync(house.keyPath)).toBe(false)
    expect(readFileSync(house.path('run/fiskd.service/fiskd-vault-key')).equals(house.key)).toBe(true)
    expect(statSync(house.sealedPath).mode & 0o777).toBe(0o600)
    expect(house.restarts()).toBe(1)
    for (const secret of [house.key.toString('hex'), house.key.toString('base64'), house.key.toString('latin1')]) {
      expect(stdout + stderr).not.toContain(secret)
    }
  })

  test('does nothing a second time', async () => {
    const house = await machine()
    house.seal()
    expect(house.seal()).toMatchObject({ code: 0, stdout: 'seal-vault-key: the vault key is sealed already\n' })
    expect(house.restarts()).toBe(1)
  })

  test('goes on where a power cut has ended it', async () => {
    const house = await machine()
    house.seal()
    writeFileSync(house.keyPath, house.key)
    expect(house.seal().code).toBe(0)
    expect(existsSync(house.keyPath)).toBe(false)
    expect(existsSync(house.sealedPath)).toBe(true)
  })

  test('never chooses between two different keys', async () => {
    const house = await machine()
    house.seal()
    writeFileSync(house.keyPath, randomBytes(32))
    expect(house.seal()).toMatchObject({ code: 1, stderr: expect.stringContaining('holds another key') })
    expect([existsSync(house.keyPath), existsSync(house.sealedPath)]).toEqual([true, true])
  })

  test.each([
    [
      'the service does not start',
      'systemctl',
      '[ $1 != restart ] || { echo restart >> $CREDENTIALS/log; exit 1; }',
      2,
    ],
    ['systemd gives the service no key', 'systemctl', '[ $1 != restart ] || echo restart >> $CREDENTIALS/log', 2],
    ['the service does not answer', 'fisk', 'exit 1', 2],
    ['the service is not running', 'systemctl', 'exit 3', 0],
    ['nothing can encrypt', 'systemd-creds', 'exit 1', 0],
    [
      'what was sealed opens to another key',
      'systemd-creds',
      '[ $1 = encrypt ] && for f; do :; done; echo x > "$f"',
      0,
    ],
  ])('leaves everything as it was when %s', async (_, name, script, restarted) => {
    const house = await machine()
    house.command(name, script)
    expect(house.seal().code).toBe(1)
    expectUnchanged(house, restarted)
  })

  test('is not tried without a TPM2 when only that is wanted, nor where systemd is too old', async () => {
    const house = await machine()
    house.command('systemd-creds', 'exit 1')
    expect(house.seal('--if-tpm2')).toEqual({ code: 0, stdout: '', stderr: '' })
    expectUnchanged(house, 0)
  })

  test('writes the key out, before and after, for root alone and never over a file', async () => {
    const house = await machine()
    expect(house.seal('--export', house.path('first')).code).toBe(0)
    house.seal()
    expect(house.seal('--export', house.path('second')).code).toBe(0)
    for (const name of ['first', 'second']) {
      expect(readFileSync(house.path(name)).equals(house.key)).toBe(true)
      expect(statSync(house.path(name)).mode & 0o777).toBe(0o600)
    }
    expect(house.seal('--export', house.path('first'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    })
  })

  test('needs root, and a command line it knows', async () => {
    const house = await machine()
    expect(house.seal('--now').code).toBe(2)
    expect(house.seal('--export').code).toBe(2)
    house.command('id', 'echo 1000')
    expect(house.seal()).toMatchObject({ code: 1, stderr: expect.stringContaining('run it as root') })
    expectUnchanged(house, 0)
  })
})
