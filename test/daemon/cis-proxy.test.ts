import { expect, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { startProxy } from '../support/http-proxy.ts'

test('a kiosk that gets out by a proxy only sells, and the doctor names the proxy without its password', async () => {
  const proxy = await startProxy()
  const gateway = await startGateway({ FISKD_CIS_PROXY: `http://kiosk:tajna@127.0.0.1:${proxy.port}` })
  expect(await gateway.sell()).toMatchObject({ status: 'confirmed' })
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([new URL(gateway.cis.url).host]))
  const { text } = await gateway.admin('/admin/doctor')
  expect(text).toContain(`through the proxy 127.0.0.1:${proxy.port} (FISKD_CIS_PROXY)`)
  expect(text).not.toMatch(/tajna|kiosk:/)
})

test('a proxy that refuses keeps no sale from being taken', async () => {
  const proxy = await startProxy(() => 403)
  const gateway = await startGateway({ FISKD_CIS_PROXY: `http://127.0.0.1:${proxy.port}` })
  expect(await gateway.sell()).toMatchObject({
    status: 'retrying',
    fiscal_error: { message: expect.stringContaining(`the proxy 127.0.0.1:${proxy.port} answered HTTP 403`) },
  })
})
