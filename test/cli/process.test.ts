import { spawn } from 'node:child_process'
import { chownSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AdminStub, startAdminStub } from '../support/admin-stub.ts'
import { startMain } from '../support/main-process.ts'
import { FISK } from '../support/programs.ts'
import { INVOICE } from '../support/stub-answers.ts'

let stub: AdminStub
beforeEach(async () => {
  stub = await startAdminStub()
})
afterEach(() => stub.close())

const LONG = { timeout: 30_000 }

/** Runs `fisk` as a process of its own. */
const start = (...argv: string[]) => startMain(FISK, [...argv, '--socket', stub.socket])

function ended({ child }: ReturnType<typeof start>): Promise<number | null> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code)))
}

test('Ctrl-C ends --watch as the last look was', LONG, async () => {
  for (const can_sell of [true, false]) {
    stub.status = { can_sell }
    const watching = start('status', '--watch', '0.1')
    await expect.poll(() => watching.out, LONG).toContain('This gateway')
    watching.child.kill('SIGINT')
    expect(await ended(watching)).toBe(can_sell ? 0 : 1)
    expect(watching.err).toBe('')
  }
})

test('a reader that has seen enough of an endless list ends it, and the list was never held whole', LONG, async () => {
  let pages = 0
  stub.answer('GET /v1/invoices', () => {
    pages++
    const data = Array.from({ length: 200 }, (_, n) => ({ ...INVOICE, id: `inv_${pages}_${n}` }))
    return { status: 200, body: { object: 'list', data, has_more: true, next_cursor: String(pages) } }
  })
  const listing = start('invoice', 'list', '--all', '--json')
  await expect.poll(() => listing.out.length, LONG).toBeGreaterThan(100)
  listing.child.stdout.destroy()
  expect(await ended(listing)).toBe(0)
  expect(listing.err).toBe('')
})

test('a slow reader slows the list down', LONG, async () => {
  let pages = 0
  stub.answer('GET /v1/invoices', () => {
    pages++
    const data = Array.from({ length: 200 }, () => ({ ...INVOICE, id: `inv_${'x'.repeat(1000)}` }))
    return { status: 200, body: { object: 'list', data, has_more: true, next_cursor: String(pages) } }
  })
  const listing = start('invoice', 'list', '--all', '--json')
  listing.child.stdout.pause()
  await expect.poll(() => pages, LONG).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(pages).toBeLessThan(20)
})

/** Only root can become somebody who may not. */
const isRoot = process.getuid?.() === 0

test.skipIf(!isRoot)('a socket that may not be opened names its group, the user, and what to type', LONG, async () => {
  const [name = '', , gid = ''] = /^(?!root)\w+:\w:\d+/m.exec(readFileSync('/etc/group', 'utf8'))?.[0].split(':') ?? []
  chownSync(stub.socket, 0, Number(gid))
  await chmod(stub.socket, 0o660)
  await chmod(stub.directory, 0o755)
  const main = new URL('../../src/cli/daemon/client.ts', import.meta.url).href
  const script = `const { createClient } = await import(${JSON.stringify(main)})
    process.setgroups([]); process.setgid(65534); process.setuid(65534)
    await createClient(${JSON.stringify(stub.socket)}).get('/admin/status')
      .catch((error) => console.log(error.message, error.fix))`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await new Promise((resolve) => child.once('close', resolve))
  expect(out).toContain(
    `nobody may not open the socket of the daemon, ${stub.socket}: only root and the group ${name} may.`,
  )
  expect(out).toContain(`sudo usermod -aG ${name} nobody, then sign out and in again`)
})
