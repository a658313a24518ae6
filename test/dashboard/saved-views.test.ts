import { expect, test } from 'vitest'
import { startDashboard, type Visitor } from '../support/dashboard.ts'

const save = (visitor: Visitor, page: string, list: string, name: string) =>
  visitor.submit(page, { name, list }, '/dashboard/views')

const linksOf = (text: string) =>
  [...(/<nav aria-label="Spremljeni prikazi">[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(
    ([, href]) => href?.replaceAll('&amp;', '&'),
  )

test.each([
  ['devices', '/dashboard/devices?state=stopped&sort=-revenue_month&page=2', 'sort=-revenue_month&state=stopped'],
  ['invoices', '/dashboard/invoices?status=failed&cause=upstream_rejected', 'cause=upstream_rejected&status=failed'],
])(
  'the present filter of the list of %s gets a name and is one click away, for this user alone',
  async (list, page, query) => {
    const office = await startDashboard()
    const viewer = await office.as('viewer')
    const path = `/dashboard/${list}`
    expect((await viewer.get(path)).text).not.toContain('action="/dashboard/views"')
    const saved = await save(viewer, page, list, ' Za ponedjeljak ')
    expect(saved).toMatchObject({ status: 303, to: `${path}?${query}&notice=saved` })
    const there = await viewer.get(saved.to ?? '')
    expect(linksOf(there.text)).toEqual([`${path}?${query}`])
    expect(there.text).toMatch(/aria-current="page">Za ponedjeljak</)
    expect(there.text).not.toContain('action="/dashboard/views"')
    expect(linksOf((await (await office.as('viewer')).get(path)).text)).toEqual([])

    const remove = /action="(\/dashboard\/views\/[^"]*\/remove)"/.exec(there.text)?.[1] ?? ''
    const stranger = await office.as('admin')
    const form = (await stranger.get('/dashboard/account')).hidden('/dashboard/account')
    expect((await stranger.post(remove, form)).status).toBe(404)
    expect(await viewer.post(remove, there.hidden(remove))).toMatchObject({ status: 303, to: `${path}?notice=saved` })
    expect(linksOf((await viewer.get(path)).text)).toEqual([])
  },
)

test('a view of the same name replaces the one before, and one without a name is asked for again', async () => {
  const office = await startDashboard()
  const viewer = await office.as('viewer')
  await save(viewer, '/dashboard/devices?state=stopped', 'devices', 'Moj')
  await save(viewer, '/dashboard/devices?state=sells', 'devices', 'Moj')
  expect(linksOf((await viewer.get('/dashboard/devices')).text)).toEqual(['/dashboard/devices?state=sells'])
  const again = await save(viewer, '/dashboard/devices?q=a', 'devices', ' ')
  expect(again.status).toBe(422)
  expect(again.words).toContain('Upišite naziv prikaza.')
  const named = await viewer.post('/dashboard/views', { ...again.hidden('/dashboard/views'), name: 'Drugi' })
  expect(named.to).toBe('/dashboard/devices?q=a&notice=saved')
  expect((await viewer.post('/dashboard/views', { ...again.hidden('/dashboard/views'), list: '//evil' })).status).toBe(
    404,
  )
})
