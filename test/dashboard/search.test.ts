import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf } from '../support/dashboard.ts'

test('the search in the head finds machines, places, gateways, ISU numbers, companies, invoices and amounts', async () => {
  const { server, gateway } = await startEnrolled()
  await gateway.addDevice({
    label: 'Kavomat Osijek',
    premises_code: 'OS4',
    isu_number: '40473',
    premises_address: 'Divaltova 2',
  })
  const sold = await gateway.sell()
  await told(gateway)
  const clerk = await dashboardOf(server).as('admin')
  const found = async (text: string) => {
    const { text: html, words } = await clerk.get(`/dashboard/search?q=${encodeURIComponent(text)}`)
    const hits = [
      ...html.matchAll(/<th scope="row"[^>]*><div class="name"><a href="\/dashboard\/([a-z]+)[^"]*">([^<]*)/g),
    ]
    return hits.length === 0 ? words : hits.map(([, list, what]) => `${list} ${what}`)
  }
  expect(await found('kavomat os')).toEqual(['devices Kavomat Osijek'])
  expect(await found('divaltova')).toEqual(['devices Kavomat Osijek'])
  expect(await found('40473')).toContain('devices Kavomat Osijek')
  expect(await found('kiosk')).toEqual(['gateways kiosk'])
  expect(await found('Samoposluga')).toEqual(['companies Samoposluga d.o.o.'])
  expect(await found('2,50')).toEqual(['invoices računi s iznosom 2,50'])
  expect(await found(String(sold.jir))).toEqual([`invoices ${sold.number}/POSL1/101`])
  expect(await found('nema ničega')).toContain('Nema uređaja, mjesta, računa ni iznosa „nema ničega”.')
  expect((await clerk.get('/dashboard')).text).toMatch(
    /action="\/dashboard\/search"[^>]*>(?:<svg.*?<\/svg>)?\s*<input [^>]*aria-keyshortcuts="\/"/,
  )
})
