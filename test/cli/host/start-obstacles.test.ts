import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startObstacles } from '../../../src/cli/host/start-obstacles.ts'
import { mayMount, mountExt4 } from '../../support/small-disk.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A machine with an environment file and a data directory, and the processes of this one. */
async function machine(configuration = '') {
  const dir = await tempDir()
  const dataDir = join(dir, 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dir, 'fiskd.env'), configuration)
  const env = { PATH: String(process.env.PATH), FISKD_ENV_FILE: join(dir, 'fiskd.env'), FISKD_DATA_DIR: dataDir }
  return { io: { env }, dataDir, path: (name: string) => join(dir, name) }
}

async function listen(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a port that is taken names the process that holds it, and what ends that', async () => {
  const port = await listen('127.0.0.1')
  const { io, path } = await machine(`FISKD_LISTEN=127.0.0.1:${port},[::1]:1\n`)
  const [found, ...more] = await startObstacles(io, '')
  expect(more).toEqual([])
  expect(found?.detail.en).toContain(`port ${port} is taken by process ${process.pid} (`)
  expect(found?.fix.en).toContain(`${process.pid}`)
  expect(found?.fix.en).toContain(`or give FISKD_LISTEN in ${path('fiskd.env')} another port`)
})

test('the same port of another address is not taken, and every address is taken by one of them', async () => {
  const port = await listen('127.0.0.1')
  expect(await startObstacles((await machine(`FISKD_LISTEN=127.0.0.2:${port}\n`)).io, '')).toEqual([])
  expect(await startObstacles((await machine(`FISKD_LISTEN=0.0.0.0:${port}\n`)).io, '')).toHaveLength(1)
})

test('a fiskd that holds the lock of the data is named alone, for its ports and files are its own', async () => {
  const port = await listen('127.0.0.1')
  const { io, dataDir } = await machine(`FISKD_LISTEN=127.0.0.1:${port}\n`)
  const fd = openSync(join(dataDir, 'fiskd.lock'), 'w')
  onTestFinished(() => closeSync(fd))
  const found = await startObstacles(io, '')
  expect(found).toHaveLength(1)
  expect(found[0]?.detail.en).toMatch(new RegExp(`^another fiskd, process ${process.pid} \\(.*\\), uses ${dataDir}$`))
})

test('a data directory that is gone is told', async () => {
  const { io } = await machine('FISKD_LISTEN=127.0.0.1:1\n')
  const env = { ...io.env, FISKD_DATA_DIR: '/nowhere/data' }
  expect(await startObstacles({ env }, '')).toMatchObject([
    { detail: { en: 'the data directory /nowhere/data is gone' } },
  ])
})

test.skipIf(!mayMount())('a card that turned read-only is told, with what lets it be written again', async () => {
  const disk = mountExt4(8)
  onTestFinished(() => disk.close())
  execFileSync('mount', ['-o', 'remount,ro', disk.path])
  const { io } = await machine('FISKD_LISTEN=127.0.0.1:1\n')
  const [found] = await startObstacles({ env: { ...io.env, FISKD_DATA_DIR: disk.path } }, '')
  expect(found?.detail.en).toBe(`the disk of ${disk.path} is read-only`)
  const remount = /^sudo (mount -o remount,rw "\$\(findmnt .*?\)");/.exec(found?.fix.en ?? '')?.[1]
  execFileSync('sh', ['-c', String(remount)])
  expect(await startObstacles({ env: { ...io.env, FISKD_DATA_DIR: disk.path } }, '')).toEqual([])
})

/** Only root can ask for somebody else. */
test.runIf(process.getuid?.() === 0)(
  'files that the account of the service cannot use are named, with who cannot',
  async () => {
    const { io, dataDir, path } = await machine()
    writeFileSync(path('key.pem'), '', { mode: 0o600 })
    writeFileSync(
      path('fiskd.env'),
      `FISKD_LISTEN=127.0.0.1:1\nFISKD_TLS_KEY=${path('key.pem')}\nFISKD_TLS_CERT=/no/cert\n`,
    )
    const found = await startObstacles(io, 'nobody')
    expect(found.map(({ detail }) => detail.en)).toEqual([
      `the user nobody may not read or write ${dataDir}`,
      '/no/cert, which is FISKD_TLS_CERT, is not there',
      `the user nobody may not read ${path('key.pem')}, which is FISKD_TLS_KEY`,
    ])
  },
)
