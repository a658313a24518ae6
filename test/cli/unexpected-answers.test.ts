import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AdminStub, startAdminStub } from '../support/admin-stub.ts'
import { fisk, type Ran } from '../support/fisk.ts'
import { INVOICE } from '../support/stub-answers.ts'

let stub: AdminStub
beforeEach(async () => {
  stub = await startAdminStub()
})
afterEach(() => stub.close())

const ask = (...argv: string[]) => fisk(argv, { socket: stub.socket })
const words = ({ stderr }: Ran) => stderr.replace(/\s+/g, ' ')

test('a field that the answer lacks is named, with exit code 1', async () => {
  stub.status = { queue: { retrying: 0, failed: 0, expired: 0, next_deadline_at: null } }
  const ran = await ask('status')
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(words(ran)).toBe(
    'Error: fiskd (GET /admin/status) answered in a form that this fisk does not know: queue.pending is missing. ' +
      'Field: queue.pending Fix: fiskd and fisk have to be of the same version: systemctl restart fiskd ',
  )
})

test('a field of a wrong type in a row of a list is named, and scripts get it as an error body', async () => {
  const data = [INVOICE, { ...INVOICE, total: 2.5 }]
  const body = { object: 'list', data, has_more: false, next_cursor: null }
  stub.answer('GET /v1/invoices', { status: 200, body })
  const ran = await ask('invoice', 'list', '--json')
  expect(ran.code).toBe(1)
  expect(words(ran)).toContain('data[1].total must be string')
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'unexpected_answer', param: 'data[1].total' } })
})

test.each([[[]], [{}], [{ object: 'list' }], ['text']])(
  'an answer that is something else (%j) is no stack trace',
  async (body) => {
    stub.answer('GET /admin/keys', { status: 200, body: JSON.stringify(body) })
    const ran = await ask('key', 'list')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(words(ran)).toMatch(/fiskd \(GET \/admin\/keys\) answered in a form that this fisk does not know: /)
    expect(ran.stderr).not.toMatch(/\n\s+at /)
  },
)

test('what a newer daemon says besides is no fault, and is shown to scripts', async () => {
  stub.status = { added_later: { some: 'thing' } }
  expect(await ask('status')).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout } = await ask('status', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ added_later: { some: 'thing' } })
})

test('a refusal that lacks a field says which', async () => {
  const error = { type: 'conflict', code: 'invalid_request', param: null, upstream: null, doc_url: '' }
  stub.answer('GET /admin/status', { status: 409, body: { error } })
  const ran = await ask('status')
  expect(ran.code).toBe(1)
  expect(words(ran)).toContain('answered 409 in a form that fiskd does not use: error.message is missing.')
})

test('a report of fiskd that lacks a field says which', async () => {
  const fiskd = join(stub.directory, 'fiskd.mjs')
  await writeFile(
    fiskd,
    `console.log(JSON.stringify({ ok: true, version: '1.0.0', from_schema: null, to_schema: null }))`,
  )
  const ran = await fisk(['rehearse'], { fiskd })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(words(ran)).toContain('fiskd --rehearse answered in a form that this fisk does not know: migrates is missing.')
})
