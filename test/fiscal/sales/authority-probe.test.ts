import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Probe, TaxAuthority } from '../../../src/fiscal/ports/tax-authority.ts'
import { createFiscalProbe } from '../../../src/fiscal/sales/authority-probe.ts'

/** An authority whose echo comes when it is let go, and a clock that is set by hand. */
function silentAuthority() {
  const clock = { at: 1_000_000, now: () => clock.at }
  const waiting: ((probe: Probe) => void)[] = []
  const authority: Pick<TaxAuthority, 'echo'> = { echo: () => new Promise((resolve) => waiting.push(resolve)) }
  const probe = createFiscalProbe(authority as TaxAuthority, 'test', clock)
  const answer = (reachable: boolean) => waiting.shift()?.({ reachable, latencyMs: 1, endpoint: 'e', detail: null })
  return { probe, clock, waiting, answer }
}

test('before the first answer nothing is known, and nobody waits for it', async () => {
  const { probe, waiting, answer } = silentAuthority()
  expect(await probe.lastKnown()).toBeNull()
  expect(await probe.lastKnown()).toBeNull()
  expect(waiting).toHaveLength(1)
  answer(true)
  expect(await probe.lastKnown()).toMatchObject({ reachable: true, checkedAt: 1_000_000 })
})

test('an old answer is given as it is, and the next one is asked for once', async () => {
  const { probe, clock, waiting, answer } = silentAuthority()
  void probe.lastKnown()
  answer(true)
  await setTimeout(1)
  clock.at += 15_000
  expect(await probe.lastKnown()).toMatchObject({ reachable: true, checkedAt: 1_000_000 })
  expect(await probe.lastKnown()).toMatchObject({ reachable: true })
  expect(waiting).toHaveLength(1)
  answer(false)
  expect(await probe.lastKnown()).toMatchObject({ reachable: false, checkedAt: 1_015_000 })
  expect(waiting).toHaveLength(0)
})

test('what was heard before other certificates are trusted is forgotten, also what is still being asked', async () => {
  const { probe, waiting, answer } = silentAuthority()
  void probe.lastKnown()
  answer(false)
  expect(await probe.lastKnown()).toMatchObject({ reachable: false })
  probe.forget()
  void probe.lastKnown()
  probe.forget()
  expect(await probe.lastKnown()).toBeNull()
  expect(waiting).toHaveLength(2)
  answer(false)
  expect(await probe.lastKnown()).toBeNull()
  answer(true)
  expect(await probe.lastKnown()).toMatchObject({ reachable: true })
})
