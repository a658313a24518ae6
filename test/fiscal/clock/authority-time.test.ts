import { expect, test } from 'vitest'
import { createAuthorityTime } from '../../../src/fiscal/clock/authority-time.ts'

const HOUR_MS = 3_600_000

/** A machine that follows no time server, what it has asked the tax authority, and how that answers. */
function machine(service: { isDown?: boolean; contradicts?: boolean; settles?: boolean; signature?: string } = {}) {
  const asked: string[] = []
  const watch = { wants: true, elapsed: 5000 }
  const askForTime = createAuthorityTime({
    store: { companies: { activeModes: async () => [] } } as never,
    authority: {
      echo: async () => {
        asked.push('echo')
        return { reachable: !service.isDown, latencyMs: 1, endpoint: 'https://cis', detail: null }
      },
      reach: async () => {
        asked.push('reach')
        if (service.settles) service.contradicts = false
        return { signature: service.signature ?? null } as never
      },
    },
    clock: { of: () => ({ wantsWord: () => watch.wants, isContradicted: () => service.contradicts === true }) },
    elapsed: () => watch.elapsed,
    deploymentMode: 'live',
    pause: async (ms) => void asked.push(`${ms} ms`),
  })
  /** Each minute until then, as the daemon does. */
  async function askFor(ms: number): Promise<string[]> {
    for (const end = watch.elapsed + ms; watch.elapsed < end; watch.elapsed += 60_000) await askForTime()
    return asked.splice(0)
  }
  return { watch, askFor, service }
}

test('where nobody vouches for the clock the authority is asked at the start and every hour', async () => {
  const { askFor } = machine()
  expect(await askFor(1)).toEqual(['echo'])
  expect(await askFor(3 * HOUR_MS)).toEqual(['echo', 'echo', 'echo'])
})

test('who is not answered asks again each minute until it is', async () => {
  const { askFor, service } = machine({ isDown: true })
  expect(await askFor(5 * 60_000)).toHaveLength(5)
  service.isDown = false
  expect(await askFor(HOUR_MS)).toEqual(['echo'])
})

test('an echo that contradicts the clock is followed by one signed answer, and not by one each minute', async () => {
  const { askFor } = machine({ contradicts: true, settles: true })
  expect(await askFor(HOUR_MS)).toEqual(['echo', 'reach'])
})

test('where no signed answer decides, a second echo follows once the connection of the first is closed', async () => {
  const { askFor } = machine({ contradicts: true })
  expect(await askFor(HOUR_MS)).toEqual(['echo', 'reach', '2500 ms', 'echo'])
  const signing = machine({ contradicts: true, signature: 'rsa-sha256' })
  expect(await signing.askFor(HOUR_MS)).toEqual(['echo', 'reach'])
})

test('a clock that somebody vouches for asks nobody', async () => {
  const { askFor, watch } = machine()
  watch.wants = false
  expect(await askFor(2 * HOUR_MS)).toEqual([])
})
