import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'

/** 192.0.2.0/24 is for documentation: no machine has an address of it. */
const ABSENT = '192.0.2.77:8443'
const MINUTE_MS = 60_000

interface Listened {
  listen: { address: string; problem: string | null }[]
}

test('a LAN address that is gone stops no sale over localhost, and status and an alert tell of it', async () => {
  const gateway = await startGateway({ FISKD_LISTEN: `${ABSENT},127.0.0.1:0` })
  expect(await gateway.sell()).toMatchObject({ status: 'confirmed' })

  const status = (await gateway.admin<Listened>('/admin/status')).body
  expect(status.listen).toEqual([
    { address: ABSENT, problem: 'this machine does not have this address now' },
    // The kernel has chosen the port.
    { address: expect.stringMatching(/^127\.0\.0\.1:[1-9]\d+$/), problem: null },
  ])

  const alerts = async () => (await gateway.admin<{ data: object[] }>('/admin/alerts')).body.data
  await gateway.watch()
  expect(await alerts()).toEqual([])
  gateway.clock.aheadMs += 6 * MINUTE_MS
  await gateway.watch()
  expect(await alerts()).toMatchObject([{ kind: 'address_missing', detail: { address: ABSENT } }])
})

test('an error of a daemon without its first address leads to pages that it serves', async () => {
  const gateway = await startGateway({ FISKD_LISTEN: `${ABSENT},127.0.0.1:0` })
  const { body } = await gateway.v1('/v1/invoices/inv_0')
  expect(body.error.doc_url).toMatch(`${gateway.url}/docs/`)
})

test('a daemon that can have none of its addresses does not start, and names one', async () => {
  const config = readConfig({ FISKD_DATA_DIR: await tempDir(), FISKD_LISTEN: `${ABSENT},192.0.2.78:8443` })
  await expect(startDaemon(config, pino({ level: 'silent' }))).rejects.toThrow('192.0.2.77 port 8443: EADDRNOTAVAIL')
})

const mayNot = spawnSync('unshare', ['-rn', 'true']).status !== 0 || skipWithout('ip')

test.skipIf(mayNot)('an address that comes and goes while the daemon runs stops no other one', async () => {
  const script = join(import.meta.dirname, '../../support/lost-address.ts')
  const command = `ip link set lo up && exec "${process.execPath}" --import tsx "${script}"`
  const steps = JSON.parse(execFileSync('unshare', ['-rn', 'sh', '-c', command], { encoding: 'utf8' }))
  const lacks = ['this machine does not have this address now', null]
  expect(steps).toEqual([
    { step: 'absent', problems: lacks, lan: false, loopback: true },
    { step: 'there', problems: [null, null], lan: true, loopback: true },
    { step: 'lost', problems: lacks, lan: false, loopback: true },
    { step: 'back', problems: [null, null], lan: true, loopback: true },
  ])
})
