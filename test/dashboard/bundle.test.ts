import { expect, onTestFinished, test } from 'vitest'
import { runDaemon } from '../support/daemon-process.ts'
import { dashboardOf } from '../support/dashboard.ts'
import { startGateway } from '../support/gateway.ts'

test('what is built shows every page to whoever signs in, with its styles and scripts', async () => {
  const gateway = await startGateway()
  const daemon = await runDaemon(gateway, onTestFinished)
  Object.defineProperty(gateway, 'url', { value: daemon.url })
  const admin = await dashboardOf(gateway).as('admin')

  const first = await admin.get('/dashboard')
  const places = [...first.text.matchAll(/<li><a href="([^"]+)"/g)].map(([, path = '']) => path)
  expect(places.length).toBeGreaterThan(7)
  for (const path of [...places, '/dashboard/account', '/dashboard/account/second-factor']) {
    expect([path, (await admin.get(path)).status]).toEqual([path, 200])
  }
  const assets = [...first.text.matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(assets.length).toBeGreaterThan(3)
  for (const path of assets) {
    const { status, headers } = await admin.get(path, { 'accept-encoding': 'gzip' })
    expect([path, status, headers['cache-control']]).toEqual([path, 200, 'public, max-age=31536000, immutable'])
    expect([path, headers['content-encoding']]).toEqual([path, 'gzip'])
  }
})
