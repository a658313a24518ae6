import { PNG } from 'pngjs'
import { beforeAll, expect, test } from 'vitest'
import { texts } from '../../src/dashboard/branding/texts.ts'
import { type Office, startSharedDashboard } from '../support/dashboard.ts'

let office: Office
beforeAll(async () => {
  office = await startSharedDashboard()
})

const t = texts.hr
const PAGE = '/dashboard/settings'

function picture(width = 40, height = 20): Buffer {
  const png = new PNG({ width, height })
  png.data.fill(200)
  return PNG.sync.write(png)
}
const file = (bytes: Buffer, name = 'logo.png') => new File([new Uint8Array(bytes)], name, { type: 'image/png' })
const logoOf = (html: string) => /<img src="(\/dashboard\/logo\/[0-9a-f]{64})" alt=""/.exec(html)?.[1]

test('an administrator gives the pages a name and a logo, which also stand at the sign-in', async () => {
  const admin = await office.as('admin')
  expect(await admin.submit(PAGE, { name: 'Kava <na> klik', logo: file(picture()) })).toMatchObject({ status: 303 })
  const { text } = await admin.get('/dashboard/devices')
  expect(text).toContain('Kava &lt;na&gt; klik')
  const path = logoOf(text) ?? ''
  const stranger = office.browser()
  expect(logoOf((await stranger.get('/dashboard/sign-in')).text)).toBe(path)
  const { status, headers } = await stranger.get(path)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect((await stranger.get(`/dashboard/logo/${'0'.repeat(64)}`)).status).toBe(404)
  expect((await admin.get('/dashboard/audit')).words).toContain('Kava <na> klik')

  // A name alone leaves the logo; it goes when that is asked for.
  await admin.submit(PAGE, { name: 'Kava', logo: file(Buffer.alloc(0), '') })
  expect(logoOf((await admin.get(PAGE)).text)).toBe(path)
  await admin.submit(PAGE, { name: '', remove: 'yes', logo: file(Buffer.alloc(0), '') })
  const without = await admin.get(PAGE)
  expect([logoOf(without.text), without.words]).toEqual([undefined, expect.stringMatching(/^.*fiskd/)])
})

test('what is no small PNG picture by its bytes is refused beside the field, and nothing changes', async () => {
  const admin = await office.as('admin')
  const cut = picture(200, 200).subarray(0, 60)
  const wide = picture(513, 1)
  const refused = async (bytes: Buffer) => {
    const page = await admin.submit(PAGE, { name: 'Kava', logo: file(bytes) })
    return [page.status, Object.values(t.faults).find((fault) => page.words.includes(fault))]
  }
  expect(await refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual([422, t.faults.format])
  expect(await refused(cut)).toEqual([422, t.faults.format])
  expect(await refused(wide)).toEqual([422, t.faults.pixels])
  expect(await refused(Buffer.concat([picture(), Buffer.alloc(64 * 1024)]))).toEqual([422, t.faults.large])
  expect(logoOf((await admin.get(PAGE)).text)).toBeUndefined()
})

test('others than administrators do not see the form', async () => {
  expect((await (await office.as('operator')).get(PAGE)).status).toBe(403)
})
