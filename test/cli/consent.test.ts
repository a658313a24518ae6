import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AdminStub, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'

const OIB = '02994650199'

let stub: AdminStub
beforeEach(async () => {
  stub = await startAdminStub()
})
afterEach(() => stub.close())

const ask = (...argv: string[]) => fisk(argv, { socket: stub.socket })
const talk = (question: string, answer: string, ...argv: string[]) =>
  fisk(argv, { socket: stub.socket, dialogue: [[question, answer]] })
const written = () => stub.seen.filter(({ method }) => method !== 'GET')

/** Registers a company, and gives it so many certificates one after the other. */
async function upload(...more: string[]) {
  const [file, secret] = [join(stub.directory, 'fiskal1.p12'), join(stub.directory, 'secret')]
  await writeFile(file, 'a certificate')
  await writeFile(secret, 'lozinka')
  return ['cert', 'add', '--company', OIB, '--file', file, '--passphrase-file', secret, ...more]
}

test('a first certificate is taken without a question, and one that replaces another asks', async () => {
  await ask('company', 'add', '--oib', OIB, '--name', 'Kava')
  const argv = await upload()
  expect(await ask(...argv)).toMatchObject({ code: 0 })

  const refused = await ask(...argv)
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') })
  const question = 'FISKAL 1, valid until 19.11.2028 12:00:00'
  expect(await talk(question, 'n', ...argv)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was done'),
  })
  expect(stub.certificates).toHaveLength(1)
  expect(await talk(question, 'y', ...argv)).toMatchObject({ code: 0 })
  expect(await ask(...argv, '--yes')).toMatchObject({ code: 0 })
  expect(stub.certificates).toHaveLength(3)
})

test('a certificate that has run out is replaced without a question', async () => {
  await ask('company', 'add', '--oib', OIB, '--name', 'Kava')
  const argv = await upload()
  await ask(...argv)
  Object.assign(stub.certificates[0] ?? {}, { status: 'expired' })
  expect(await ask(...argv)).toMatchObject({ code: 0 })
})

test('a new company goes live by a flag alone in a script, and on a terminal after a question', async () => {
  const live = (oib: string) => ['company', 'add', '--oib', oib, '--name', 'Kava', '--mode', 'live']
  expect(await ask(...live(OIB))).toMatchObject({ code: 0 })
  const other = live('18683136487')
  expect(await talk('Go live?', 'n', ...other)).toMatchObject({ code: 1 })
  expect(stub.companies).toHaveLength(1)
  expect(await talk('Go live?', 'y', ...other)).toMatchObject({ code: 0 })
  const third = await fisk([...live('06719484803'), '--yes'], { socket: stub.socket, dialogue: [] })
  expect(third).toMatchObject({ code: 0 })
  for (const of of [['company', 'add'], ['init']])
    expect((await ask(...of, '--help')).stdout).toMatch(/live:\s+real\s+receipts/)
})

test('an ISU number that replaces another one asks; a first one, or the same again, does not', async () => {
  await ask('company', 'add', '--oib', OIB, '--name', 'Kava')
  await ask('device', 'add', '--company', OIB, '--premises', 'P1', '--label', 'Lobby 1')
  const set = (number: string) => ['isu', 'set', 'Lobby 1', number]
  expect(await ask(...set('7'))).toMatchObject({ code: 0 })
  expect(await ask(...set('7'))).toMatchObject({ code: 0 })
  expect(await ask(...set('8'))).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  const question = '"Lobby 1" has the ISU number 7. Replace it with 8?'
  expect(await talk(question, 'n', ...set('8'))).toMatchObject({ code: 1 })
  expect(stub.devices[0]?.isu_number).toBe('7')
  expect(await talk(question, 'y', ...set('8'))).toMatchObject({ code: 0 })
  expect(await ask(...set('9'), '--yes')).toMatchObject({ code: 0 })
  expect(stub.devices[0]?.isu_number).toBe('9')
})

test('going live says what it means, and only yes does it', async () => {
  await ask('company', 'add', '--oib', OIB, '--name', 'Kava')
  const live = ['company', 'set', OIB, '--mode', 'live']
  expect(await talk('every sale makes a real receipt', 'n', ...live)).toMatchObject({ code: 1 })
  expect(stub.companies[0]?.mode).toBe('test')
  expect(await talk('every sale makes a real receipt', 'y', ...live)).toMatchObject({ code: 0 })
  expect(stub.companies[0]?.mode).toBe('live')
  // Nothing changes now, so nothing is asked.
  expect(await talk('no question', 'n', ...live, '--name', 'Kavica')).toMatchObject({ code: 0 })
  expect(stub.companies[0]?.name).toBe('Kavica')
})

test('an ISU number is taken away when somebody agrees who was told whose', async () => {
  await ask('device', 'add', '--company', OIB, '--premises', 'P1', '--label', 'Lobby 1', '--isu', '7')
  expect(await talk('Take the ISU number 7 from "Lobby 1"', 'n', 'isu', 'clear', 'Lobby 1')).toMatchObject({ code: 1 })
  expect(stub.devices[0]?.isu_number).toBe('7')
  expect(await talk('Take the ISU number 7 from "Lobby 1"', 'y', 'isu', 'clear', 'Lobby 1')).toMatchObject({ code: 0 })
  expect(stub.devices[0]?.isu_number).toBeNull()
})

test('with --json nobody is asked, even on a terminal', async () => {
  const ran = await fisk(['key', 'revoke', 'K', '--json'], { socket: stub.socket, isTty: true })
  expect(ran.code).toBe(2)
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { param: 'yes' } })
  expect(written()).toEqual([])
})

test('what is asked about cannot write to the terminal', async () => {
  const argv = ['user', 'remove', 'ana\u001b[2J\u0007@example.hr']
  const { code, stdout } = await talk('Remove the user', 'n', ...argv)
  expect(code).toBe(1)
  expect(stdout).toContain('Remove the user ana [2J @example.hr?')
  expect(written()).toEqual([])
})

test('whoever breaks off a question has changed nothing', async () => {
  const { code } = await talk('End the API key', '\u0003', 'key', 'revoke', 'K')
  expect(code).toBe(1)
  expect(written()).toEqual([])
})
