import { expect, test } from 'vitest'
import { startEnrolled, told } from '../../support/central-server.ts'
import { startChangingBalancer } from '../../support/changing-balancer.ts'
import { fisk } from '../../support/fisk.ts'
import { runReplace, startFreshCard } from '../../support/replacing.ts'

const DAY_MS = 86_400_000

/** A fresh card whose server heard the old machine so long ago; null: never. */
async function startAfter(silentMs: number | null) {
  const central = await startEnrolled()
  await central.gateway.sell()
  await told(central.gateway)
  await central.gateway.stop()
  const balancer = await startChangingBalancer(central.server)
  balancer.change('/enroll', (body) => {
    expect(body.before).toMatchObject({ last_seen_at: expect.any(Number) })
    const last_seen_at = silentMs === null ? null : Date.now() - silentMs
    return { ...body, before: { ...(body.before as object), last_seen_at } }
  })
  const fresh = await startFreshCard(central.gateway)
  return { fresh, place: [balancer.url, await central.token('kiosk', { again: true })] }
}

test('a machine that nobody heard for 30 days is given a gap of 1000 for each and 10000 for restores, and the last screen says why', async () => {
  const { fresh, place } = await startAfter(29.5 * DAY_MS)
  const { stdout } = await fisk(['replace', ...place, '--no-key'], { socket: fresh.socketPath })
  const said = stdout.replace(/\s+/g, ' ')
  expect(said).toContain('goes on after 40001 at POSL1')
  expect(said).toContain(
    'none was stated: 40000: 1000 for each of the 30 days that it may have sold without telling the server, and 10000 for restores',
  )
})

test.each([
  ['years', 5000 * DAY_MS],
  ['never', null],
])('a machine that was silent for %s is given the widest gap that the server follows', async (_how, silentMs) => {
  const { fresh, place } = await startAfter(silentMs)
  const { result } = await runReplace(fresh, place)
  expect(result.numbers).toMatchObject([{ seen: '1', after: '1000001', why: 'gap' }])
})

test('a gap that somebody states is taken as it is, however long the machine was silent', async () => {
  const { fresh, place } = await startAfter(29.5 * DAY_MS)
  const { result } = await runReplace(fresh, [...place, '--gap', '7'])
  expect(result.numbers).toMatchObject([{ seen: '1', after: '8', why: 'gap' }])
})
