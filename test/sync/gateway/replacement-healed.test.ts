import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startEnrolled, told } from '../../support/central-server.ts'
import { fisk } from '../../support/fisk.ts'
import { OIBS } from '../../support/pki.ts'
import { runReplace, startFreshCard } from '../../support/replacing.ts'

test('a number that is on no receipt is put right at the server, and both refusals of a replacement name the command', async () => {
  const { gateway: dead, link, token, server } = await startEnrolled()
  await dead.sell()
  await told(dead)
  await dead.stop()
  const db = new Database(server.database)
  db.prepare('UPDATE sequences SET highest = ?').run('500000001')
  db.close()
  const fresh = await startFreshCard(dead)
  const refusal = async (...args: string[]) => (await runReplace(fresh, args)).result.error?.message
  const command = ['numbers', 'heal', OIBS[0], 'POSL1']
  const advice = `at the server (sudo fisk ${command.join(' ')})`
  const high = await refusal(link.url, await token('kiosk', { again: true }))
  expect(high).toContain('number 500000001')
  expect(high).toContain(advice)
  const low = await refusal('--highest', 'POSL1=1')
  expect(low).toContain('is too low')
  expect(low).toContain(advice)

  const healed = await fisk([...command, '--yes'], { socket: server.socketPath })
  expect(healed.code).toBe(0)
  const { result } = await runReplace(fresh, ['--highest', 'POSL1=1', '--no-key'])
  expect(result.numbers).toMatchObject([{ seen: '1', after: '1', why: 'stated' }])
})
