import { expect, test } from 'vitest'
import { startCentral, told } from '../../support/central-server.ts'
import { startChangingBalancer } from '../../support/changing-balancer.ts'
import { startGateway } from '../../support/gateway.ts'
import { ringLogo } from '../../support/logos.ts'

test('a logo that an older server did not take comes to it when it is upgraded', async () => {
  const central = await startCentral()
  const balancer = await startChangingBalancer(central.server)
  balancer.change('/hello', ({ takes: _takes, ...answer }) => ({ ...answer, program: '0.0.1' }))
  const gateway = await startGateway()
  const body = { url: balancer.url, token: await central.token('kiosk') }
  expect((await gateway.admin('/admin/sync/enroll', { body })).status).toBe(200)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(ringLogo())]), 'logo.png')
  const set = await gateway.admin(`/v1/companies/${gateway.companyId}/logo`, { method: 'PUT', body: form })
  expect(set.status, set.text).toBe(200)
  await told(gateway)
  const there = async () => {
    const { body: list } = await central.server.admin<{ data: { logo_hash: string | null }[] }>('/v1/companies')
    return list.data.map(({ logo_hash }) => logo_hash)
  }
  expect(await there()).toEqual([null])

  balancer.change('/hello', null)
  await gateway.admin('/admin/sync/now', { method: 'POST' })
  await told(gateway)
  await expect.poll(there).toEqual([set.body.logo_hash])
})
