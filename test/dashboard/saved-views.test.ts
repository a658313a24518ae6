import { expect, test } from 'vitest'
import { startDashboard, type Visitor } from '../support/dashboard.ts'

/** Where the head of a list leads to: the page that saves and removes views. */
const managed = (text: string) => /href="(\/dashboard\/views[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

async function save(visitor: Visitor, page: string, list: string, name: string) {
  const { text } = await visitor.get(page)
  return visitor.submit(managed(text) ?? '', { name, list }, '/dashboard/views')
}

const linksOf = (text: string) =>
  [
    ...(/<nav class="tabs" aria-label="Spremljeni prikazi">[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '').matchAll(
      /href="([^"]*)"/g,
    ),
  ].map(([, href]) => href?.replaceAll('&amp;', '&'))

test.each([
  ['devices', '/dashboard/devices?state=stopped&sort=-revenue_month&page=2', 'sort=-revenue_month&state=stopped'],
  ['invoices', '/dashboard/invoices?status=failed&cause=upstream_rejected', 'cause=upstream_rejected&status=failed'],
])(
  'the present filter of the list of %s gets a name and is one click away, for this user alone',
  async (list, page, query) => {
    const office = await startDashboard()
    const viewer = await office.as('viewer')
    const path = `/dashboard/${list}`
    const before = linksOf((await viewer.get(path)).text)
    expect(managed((await viewer.get(path)).text)).toBeUndefined()
    const saved = await save(viewer, page, list, ' Za ponedjeljak ')
    expect(saved).toMatchObject({ status: 303, to: `${path}?${query}&notice=saved` })
    const there = await viewer.get(saved.to ?? '')
    expect(linksOf(there.text)).toEqual([...before, `${path}?${query}`])
    expect(there.text).toMatch(/aria-current="page">Za ponedjeljak[ <]/)
    const manage = await viewer.get(managed(there.text) ?? '')
    expect(manage.text).not.toContain('action="/dashboard/views"')
    expect(linksOf((await (await office.as('viewer')).get(path)).text)).toEqual(before)

    const remove = /action="(\/dashboard\/views\/[^"]*\/remove)"/.exec(manage.text)?.[1] ?? ''
    const stranger = await office.as('admin')
    const form = (await stranger.get('/dashboard/account')).hidden('/dashboard/account')
    expect((await stranger.post(remove, form)).status).toBe(404)
    expect(await viewer.post(remove, manage.hidden(remove))).toMatchObject({ status: 303, to: `${path}?notice=saved` })
    expect(linksOf((await viewer.get(path)).text)).toEqual(before)
  },
)

test('a view of the same name replaces the one before, and one without a name is asked for again', async () => {
  const office = await startDashboard()
  const viewer = await office.as('viewer')
  await save(viewer, '/dashboard/devices?state=stopped', 'devices', 'Moj')
  await save(viewer, '/dashboard/devices?state=sells', 'devices', 'Moj')
  const { text } = await viewer.get('/dashboard/devices')
  expect(linksOf(text).at(-1)).toBe('/dashboard/devices?state=sells')
  expect(text).toContain('Moj <span>1</span>')
  const again = await save(viewer, '/dashboard/devices?q=a', 'devices', ' ')
  expect(again.status).toBe(422)
  expect(again.words).toContain('Upišite naziv prikaza.')
  const named = await viewer.post('/dashboard/views', { ...again.hidden('/dashboard/views'), name: 'Drugi' })
  expect(named.to).toBe('/dashboard/devices?q=a&notice=saved')
  expect((await viewer.post('/dashboard/views', { ...again.hidden('/dashboard/views'), list: '//evil' })).status).toBe(
    404,
  )
})
