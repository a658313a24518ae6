import { expect, test } from 'vitest'
import { startEnrolled, told } from '../../support/central-server.ts'
import { startChangingBalancer } from '../../support/changing-balancer.ts'
import { fisk } from '../../support/fisk.ts'
import { OIBS } from '../../support/pki.ts'
import { certificateFlags, giveKey, runReplace, startFreshCard } from '../../support/replacing.ts'
import { rowCounts } from '../../support/row-counts.ts'

/** A gateway that sold once and is gone, and a fresh card that reaches its server over a balancer. */
async function startDead() {
  const central = await startEnrolled()
  await central.gateway.sell()
  await told(central.gateway)
  await central.gateway.stop()
  const balancer = await startChangingBalancer(central.server)
  const fresh = await startFreshCard(central.gateway)
  const place = [balancer.url, await central.token('kiosk', { again: true })]
  return { ...central, balancer, fresh, place }
}

test('what a hostile balancer says of devices or numbers is refused and nothing is stored; without it the same run goes on', async () => {
  const { balancer, fresh, place } = await startDead()
  const wrong: [string, (body: Record<string, unknown>) => Record<string, unknown>, RegExp][] = [
    [
      '/identity',
      (body) => ({ ...body, records: [{ kind: 'device', id: 'x', version: 1, row: {} }] }),
      /not answer as/,
    ],
    ['/identity', (body) => ({ ...body, records: [ANY_DEVICE] }), /not understood/],
    ['/identity', (body) => ({ ...body, next: null }), /no device of this gateway/],
    ['/hello', (body) => ({ ...body, numbers: [] }), /not signed/],
    ['/hello', (body) => ({ ...body, numbers_signature: 'AAAA' }), /not signed/],
    ['/hello', ({ numbers_signature: _left, ...body }) => body, /not answer as/],
  ]
  let given = place
  for (const [path, change, why] of wrong) {
    balancer.change(path, change)
    const { code, result } = await runReplace(fresh, given)
    given = []
    expect(code).toBe(1)
    expect(result.error?.message).toMatch(why)
    balancer.change(path, null)
    const { companies, devices, reserved_numbers } = await rowCounts(fresh)
    expect([companies, devices, reserved_numbers].map((count) => count ?? 0)).toEqual([0, 0, 0])
  }
  const { code, result } = await runReplace(fresh, await certificateFlags())
  expect(result).toMatchObject({ can_sell: true })
  expect(code).toBe(0)
})

const ANY_DEVICE = { kind: 'device', id: '00000000-0000-4000-8000-000000000000', version: 1, row: { label: 'x' } }

test('the office uploads the certificate while the technician waits, and it comes sealed for the new card', async () => {
  const { server, fresh, place, gateway: dead } = await startDead()
  const waiting = runReplace(fresh, [...place, '--wait-certificate', '2'])
  const kiosk = async () => (await server.admin<{ last_seen_at: string }>('/admin/gateways/kiosk')).body
  await expect.poll(async () => (await rowCounts(fresh)).devices).toBe(1)
  expect(await kiosk()).toMatchObject({ name: 'kiosk' })
  const sent = await fisk(
    ['gateway', 'send', 'kiosk', 'certificate', '--company', OIBS[0], ...(await certificateFlags('--file'))],
    { socket: server.socketPath },
  )
  expect(sent).toMatchObject({ code: 0 })
  const { code, result } = await waiting
  expect(result).toMatchObject({ can_sell: true, devices: [{ id: dead.deviceId }] })
  expect(code).toBe(0)
  giveKey(fresh, result)
  expect(await fresh.sell()).toMatchObject({ number: '11002', status: 'confirmed' })
})

test('an invoice of the old machine without a JIR is counted on the last screen, and says who can send it', async () => {
  const { gateway: dead, link, token } = await startEnrolled()
  await dead.cis.goDown()
  expect((await dead.post()).body.status).toBe('retrying')
  await told(dead)
  await dead.stop()
  const fresh = await startFreshCard(dead)
  const { stdout } = await fisk(['replace', link.url, await token('kiosk', { again: true }), '--no-key'], {
    socket: fresh.socketPath,
  })
  expect(stdout).toContain('1 invoices of the old machine have no JIR')
  expect(stdout).toContain('It CANNOT sell yet.')
  expect(stdout).toMatch(/Next: {1,}what is marked "to do", then sudo fisk replace again/)
})
