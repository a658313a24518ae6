import { PNG } from 'pngjs'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/call.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { ringLogo } from '../support/logos.ts'

let gateway: Gateway
let authorization: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  authorization = `Bearer ${await gateway.createKey({ scopes: ['fleet:read', 'fleet:write', 'invoices:read'] })}`
})

const path = () => `/companies/${gateway.companyId}/logo`
const ask = (method: string, body?: unknown) =>
  gateway.v1(path(), { method, headers: { authorization }, body }) as unknown as Promise<
    Answer<{ logo_hash: string | null; error: { param: string; message: string } }>
  >

function put(file: Buffer, parts: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(file)]), 'logo.png')
  return ask('PUT', form)
}

const pictureOf = async (id: string) => {
  const { bytes } = await gateway.v1(`/invoices/${id}/receipt`, { headers: { authorization, accept: 'image/png' } })
  return bytes
}
const heightOf = async (id: string) => PNG.sync.read(await pictureOf(id)).height

test('a company has the logo that was put there, as it is printed, until it is removed', async () => {
  expect(await ask('GET')).toMatchObject({ status: 404, body: { error: { param: 'id' } } })
  const set = await put(ringLogo(), { width_mm: '40' })
  expect(set).toMatchObject({
    status: 200,
    body: { id: gateway.companyId, logo_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  const { headers, bytes } = await ask('GET')
  expect(headers['content-type']).toBe('image/png')
  expect(PNG.sync.read(bytes)).toMatchObject({ width: 320, height: 160 })
  expect(await ask('DELETE')).toMatchObject({ status: 200, body: { logo_hash: null } })
  expect((await ask('GET')).status).toBe(404)
})

test('a receipt keeps the logo of its sale, and its copies have it for ever', async () => {
  const bare = await gateway.sell()
  await put(ringLogo())
  const sold = await gateway.sell()
  const first = await pictureOf(sold.id)
  expect(await heightOf(sold.id)).toBeGreaterThan((await heightOf(bare.id)) + 100)
  await put(ringLogo(600, 100))
  const later = await gateway.sell()
  await ask('DELETE')
  expect((await pictureOf(sold.id)).equals(first)).toBe(true)
  expect(await heightOf(later.id)).not.toBe(await heightOf(sold.id))
  expect(await heightOf((await gateway.sell()).id)).toBe(await heightOf(bare.id))
})

test.each([
  ['no picture', Buffer.from('<svg/>'), {}, 400, 'file', 'PNG'],
  ['too many bytes', Buffer.alloc(300 * 1024), {}, 413, 'file', '256 KB'],
  ['no width', ringLogo(), { width_mm: 'wide' }, 400, 'width_mm', 'from 5 to 72'],
  ['too wide', ringLogo(), { width_mm: '73' }, 400, 'width_mm', 'from 5 to 72'],
  ['too high', ringLogo(100, 400), { width_mm: '70' }, 400, 'width_mm', 'at most 40 mm'],
])('a logo with %s is refused, and nothing changes', async (_what, file, parts, status, param, said) => {
  expect(await put(file, parts)).toMatchObject({
    status,
    body: { error: { param, message: expect.stringContaining(said) } },
  })
  expect((await ask('GET')).status).toBe(404)
})

test('a key that may not change companies sets no logo', async () => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(ringLogo())]), 'logo.png')
  expect(await gateway.v1(path(), { method: 'PUT', body: form })).toMatchObject({ status: 403 })
})
