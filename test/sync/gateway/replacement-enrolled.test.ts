import { expect, test } from 'vitest'
import { startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { fisk } from '../../support/fisk.ts'
import { runReplace, startFreshCard } from '../../support/replacing.ts'

/** A fresh card that is enrolled as `kiosk` already, as after an interruption. */
async function startInterrupted() {
  const { gateway: dead, link, token } = await startEnrolled()
  await dead.sell()
  await told(dead)
  await dead.stop()
  const fresh = await startFreshCard(dead)
  const place = [link.url, await token('kiosk', { again: true })]
  const [url, used] = place
  expect((await fresh.admin('/admin/sync/enroll', { body: { url, token: used } })).status).toBe(200)
  return { fresh, link, token }
}

test('a token that is given to an enrolled machine is refused with its gateway and the command that leaves', async () => {
  const { fresh, link, token } = await startInterrupted()
  const { code, result, stderr } = await runReplace(fresh, [link.url, await token('other')])
  expect([code, result.error?.message]).toEqual([2, expect.stringContaining('enrolled already, as kiosk at')])
  expect(stderr.replace(/\s+/g, ' ')).toContain('sudo fisk sync leave --yes')
  expect((await syncOf(fresh)).sync.gateway.name).toBe('kiosk')
  const { body } = await fresh.admin<{ fresh: boolean }>('/admin/sync/replacement')
  expect(body).toEqual({ fresh: true })

  expect((await fisk(['sync', 'leave', '--yes'], { socket: fresh.socketPath })).code).toBe(0)
  const other = await runReplace(fresh, [link.url, await token('other', { again: true })])
  expect(other.result.error?.message).toContain('no device of this gateway')
})

test('a person at a terminal who does not want to go on as that gateway changes nothing', async () => {
  const { fresh, link, token } = await startInterrupted()
  const { code, stderr } = await fisk(['replace', link.url, await token('other')], {
    socket: fresh.socketPath,
    dialogue: [['This machine is enrolled already', 'n']],
  })
  expect(code).toBe(2)
  expect(stderr.replace(/\s+/g, ' ')).toContain('sudo fisk sync leave --yes')
})

test('the last screen says to destroy a card that no gap was left for', async () => {
  const { fresh } = await startInterrupted()
  const { stdout } = await fisk(['replace', '--highest', 'POSL1=4', '--no-key'], { socket: fresh.socketPath })
  expect(stdout).toContain('goes on after 4 at POSL1')
  expect(stdout.replace(/\s+/g, ' ')).toContain('Destroy the old card: no gap is left')
})
