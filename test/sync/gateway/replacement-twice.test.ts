import { expect, test } from 'vitest'
import { startEnrolled, told } from '../../support/central-server.ts'
import { certificateFlags, giveKey, runReplace, startFreshCard } from '../../support/replacing.ts'

test('a second replacement gives out no number that the first one may have sold without telling the server', async () => {
  const { gateway: dead, link, token } = await startEnrolled()
  await dead.sell()
  await told(dead)
  await dead.stop()
  const replaced = async () => {
    const fresh = await startFreshCard(dead)
    const place = [link.url, await token('kiosk', { again: true })]
    const { code, result } = await runReplace(fresh, [...place, ...(await certificateFlags())])
    expect([code, result.error]).toEqual([0, undefined])
    giveKey(fresh, result)
    return { fresh, result }
  }
  const first = await replaced()
  link.goDown()
  const sold = await first.fresh.sell()
  expect(sold.number).toBe('11002')
  await first.fresh.stop()
  link.comeBack()

  const second = await replaced()
  expect(Number((await second.fresh.sell()).number)).toBeGreaterThan(11002)
})
