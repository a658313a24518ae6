import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadVaultKey } from '../../src/certificates/vault-key.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'fiskd-vault-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const keyPath = () => join(dataDir, 'vault.key')

test('the first start makes a key that only its owner may read, and later starts use it', () => {
  const key = loadVaultKey({ dataDir, mayCreate: true })
  expect(key.length).toBe(32)
  expect(readFileSync(keyPath()).equals(key)).toBe(true)
  expect(statSync(keyPath()).mode & 0o777).toBe(0o600)
  expect(loadVaultKey({ dataDir, mayCreate: false }).equals(key)).toBe(true)
  expect(readdirSync(dataDir)).toEqual(['vault.key'])
})

test('a missing key is not replaced once certificates are stored', () => {
  expect(() => loadVaultKey({ dataDir, mayCreate: false })).toThrow(
    /vault\.key is missing.*restore it from the backup.*upload/,
  )
  expect(readdirSync(dataDir)).toEqual([])
})

test('a key that others may read is refused with the fix', () => {
  writeFileSync(keyPath(), Buffer.alloc(32, 7))
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(keyPath(), mode)
    expect(() => loadVaultKey({ dataDir, mayCreate: true })).toThrow(`chmod 600 ${keyPath()}`)
  }
  chmodSync(keyPath(), 0o600)
  expect(loadVaultKey({ dataDir, mayCreate: true }).equals(Buffer.alloc(32, 7))).toBe(true)
})

test('a key of another length is refused and left as it is', () => {
  for (const length of [0, 31, 33, 64]) {
    writeFileSync(keyPath(), Buffer.alloc(length), { mode: 0o600 })
    expect(() => loadVaultKey({ dataDir, mayCreate: true })).toThrow(`exactly 32 raw bytes, not ${length}`)
    expect(statSync(keyPath()).size).toBe(length)
  }
})

test('a systemd credential comes before the file, whatever its mode, and makes no file', () => {
  const credentialsDir = mkdtempSync(join(tmpdir(), 'fiskd-credentials-'))
  try {
    writeFileSync(join(credentialsDir, 'fiskd-vault-key'), Buffer.alloc(32, 9), { mode: 0o440 })
    const place = { dataDir, credentialsDir, mayCreate: true }
    expect(loadVaultKey(place).equals(Buffer.alloc(32, 9))).toBe(true)
    expect(readdirSync(dataDir)).toEqual([])
    rmSync(join(credentialsDir, 'fiskd-vault-key'))
    expect(loadVaultKey(place).equals(readFileSync(keyPath()))).toBe(true)
  } finally {
    rmSync(credentialsDir, { recursive: true })
  }
})

test('processes that start at once end with one key', async () => {
  const module = new URL('../../src/certificates/vault-key.ts', import.meta.url).href
  const script = `
    import { loadVaultKey } from ${JSON.stringify(module)}
    while (Date.now() < Number(process.argv[2])) {}
    process.stdout.write(loadVaultKey({ dataDir: process.argv[1], mayCreate: true }).toString('hex'))`
  const start = String(Date.now() + 1500)
  const keys = await Promise.all(
    [1, 2, 3].map(() => run(['--import', 'tsx', '--input-type=module', '-e', script, dataDir, start])),
  )
  expect(new Set(keys)).toEqual(new Set([readFileSync(keyPath()).toString('hex')]))
  expect(readdirSync(dataDir)).toEqual(['vault.key'])
})

function run(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}`))))
  })
}
