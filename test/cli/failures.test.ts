import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { socketPath } from '../../src/cli/io.ts'
import { type AdminStub, refusal, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'

const OIB = '02994650199'

let stub: AdminStub
beforeEach(async () => {
  stub = await startAdminStub()
})
afterEach(() => stub.close())

const ask = (...argv: string[]) => fisk(argv, { socket: stub.socket })

test('a refusal is explained with its message, its field, the fix of the catalogue and the line to type instead', async () => {
  stub.answer('POST /v1/companies', refusal(400, 'hr.invalid_oib', 'The check digit of the OIB is wrong.', 'oib'))
  const ran = await ask('company', 'add', '--oib', '123', '--name', 'Kava')
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toBe(
    'Error: The check digit of the OIB is wrong.\nField: oib\nFix:   Send 11 digits with a correct check digit.\n' +
      'Next:  fisk company add --oib OIB --name Kava\n',
  )
})

test('with --json a refusal is the error body on standard output, explained on standard error too', async () => {
  const reply = refusal(409, 'invalid_request', 'A company with this OIB exists already.', 'oib')
  stub.answer('POST /v1/companies', reply)
  const ran = await ask('company', 'add', '--oib', OIB, '--name', 'Kava', '--json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout)).toEqual(reply.body)
  expect(ran.stderr).toContain('exists already')
})

test('an error code that this fisk does not know yet is explained by its message', async () => {
  stub.answer('GET /admin/status', refusal(400, 'hr.something_new', 'Something new.'))
  expect(await ask('status')).toEqual({ code: 1, stdout: '', stderr: 'Error: Something new.\n' })
})

test.each(['<html>502</html>', '{}', '[]', 'null'])(
  'an answer that is not fiskd’s (%s) is no stack trace',
  async (body) => {
    stub.answer('GET /admin/status', { status: 502, body })
    const ran = await ask('status')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('answered 502')
    expect(ran.stderr).not.toMatch(/\n\s+at /)
  },
)

test('a daemon that is not there: the message says where it was looked for and how to start it', async () => {
  const ran = await fisk(['status', '--json', '--socket', join(stub.directory, 'none.sock')])
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('none.sock')
  const said = ran.stderr.replace(/\s+/g, ' ')
  expect(said).toContain('Start it with: fiskd. Is its data elsewhere? Name the folder in FISKD_DATA_DIR')
  expect(said).toContain('Ask why it is down: fisk doctor')
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { type: 'api_error', code: 'daemon_unreachable' } })
})

test('a socket left behind by a dead daemon is told apart from a running one', async () => {
  const path = join(stub.directory, 'file.sock')
  await writeFile(path, '')
  expect((await fisk(['status'], { socket: path })).stderr).toContain('No daemon answers')
})

test('a daemon that hangs up is reported as one that gave no answer', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fisk-'))
  const path = join(directory, 's')
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const ran = await fisk(['status'], { socket: path })
  server.close()
  await rm(directory, { recursive: true })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('gave no answer')
})

test.each([
  [[]],
  [['statsu']],
  [['key']],
  [['status', '--nope']],
  [['status', 'extra']],
  [['key', 'create']],
  [['key', 'create', '--mode', 'prod']],
  [['company', 'add', '--oib', OIB]],
  [['company', 'add', '--oib', OIB, '--name', 'K', '--vat-rate', '25']],
  [['company', 'add', '--oib', OIB, '--name', 'K', '--vat-rate', '25.00', '--not-vat-registered']],
  [['device', 'add', '--company', '02994650190', '--premises', 'P1', '--label', 'L']],
  [['cert', 'add', '--company', OIB, '--file', '/no/such/file', '--passphrase-stdin']],
  [['cert', 'add', '--company', OIB, '--file', '/', '--passphrase-stdin']],
  [['cert', 'add', '--company', OIB, '--file', import.meta.filename]],
  [['trust', 'add', '--mode', 'test', '--for', 'service']],
  [['trust', 'add', '--mode', 'test', 'file']],
  [['trust', 'remove', '--mode', 'test', 'a0a0a0a0']],
  [['trust', 'remove', '--mode', 'test', '--for', 'both', 'a0a0a0a0']],
  [['isu', 'set', 'Lobby 1']],
])('wrong use exits 2, explains itself and asks the daemon nothing: fisk %j', async (argv) => {
  const ran = await ask(...argv)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).not.toBe('')
  expect(ran.stderr).not.toMatch(/\n\s+at /)
  expect(stub.seen).toEqual([])
})

test('a passphrase file in an old Croatian encoding is refused with the reason', async () => {
  const [file, secret] = [join(stub.directory, 'a.p12'), join(stub.directory, 'secret')]
  await writeFile(file, 'x')
  await writeFile(secret, Buffer.from([0x9a, 0x9e])) // š and ž in Windows-1250
  const ran = await ask('cert', 'add', '--company', OIB, '--file', file, '--passphrase-file', secret)
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('not UTF-8')
})

test('fisk --help names every command, and --version the version', async () => {
  const { code, stdout } = await ask('--help')
  expect(code).toBe(0)
  for (const name of ['init', 'status', 'key', 'company', 'cert', 'device', 'isu', 'invoice', 'trust']) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  }
  expect(await ask('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

test('the admin socket is named by the option, then FISKD_SOCKET, then the data directory', () => {
  const env = { FISKD_SOCKET: '/b', FISKD_DATA_DIR: '/c' }
  expect(socketPath('/a', env)).toBe('/a')
  expect(socketPath(undefined, env)).toBe('/b')
  expect(socketPath(undefined, { FISKD_DATA_DIR: '/c' })).toBe('/c/fiskd.sock')
  expect(socketPath(undefined, {})).toMatch(/^(\/run\/fiskd|data)\/fiskd\.sock$/)
})
