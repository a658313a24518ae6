import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createConnection } from '../../../src/receipts/lines/reconnecting-line.ts'
import type { Questions } from '../../../src/receipts/printer/questions.ts'

/** @param attempts how long each line holds; nothing where it cannot be opened, and the last one for all that follow */
function open(...attempts: (number | undefined)[]): number[] {
  const openedAt: number[] = []
  const connection = createConnection({
    async open() {
      const holdsMs = attempts[Math.min(openedAt.length, attempts.length - 1)]
      openedAt.push(performance.now())
      if (holdsMs === undefined) throw new Error('No answer')
      return { isOpen: true, ended: sleep(holdsMs), close: async () => {} } as unknown as Questions
    },
    reopenMs: { first: 10, last: 200 },
    changed() {},
  })
  connection.start()
  onTestFinished(() => connection.close(0))
  return openedAt
}

test('a host that takes connections and drops them is asked less and less often', async () => {
  const openedAt = open(0)
  await sleep(600)
  expect(openedAt.length).toBeLessThan(8)
})

test('a line that has held for long is opened again at once', async () => {
  const openedAt = open(undefined, undefined, undefined, undefined, undefined, 250)
  await expect.poll(() => openedAt.length, { interval: 5 }).toBe(7)
  const [heldAt = 0, nextAt = 0] = openedAt.slice(-2)
  expect(nextAt - heldAt - 250).toBeLessThan(150)
})
