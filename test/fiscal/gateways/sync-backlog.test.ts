import { expect, test } from 'vitest'
import { createBacklog } from '../../../src/fiscal/gateways/sync-status.ts'

/** A database with so much that waits, which tells how often it was counted. */
function counting(waiting: number) {
  const at = { waiting, counts: 0, elapsed: 0 }
  const outbox = {
    async waiting() {
      at.counts++
      return at.waiting
    },
  }
  const enrolment = { refusals: { count: async () => 0 } }
  return { at, backlog: createBacklog({ outbox, enrolment } as never, () => at.elapsed) }
}

test('a large backlog is counted once in ten seconds, however many ask at once', async () => {
  const { at, backlog } = counting(1_000_000)
  await backlog(0)
  at.waiting = 900_000
  expect(await Promise.all([backlog(0), backlog(0)])).toMatchObject([{ waiting: 1_000_000 }, { waiting: 1_000_000 }])
  expect(at.counts).toBe(1)
  at.elapsed = 10_000
  expect(await Promise.all([backlog(0), backlog(0)])).toMatchObject([{ waiting: 900_000 }, { waiting: 900_000 }])
  expect(at.counts).toBe(2)
})

test('where little waits the number is exact each time', async () => {
  const { at, backlog } = counting(0)
  expect(await backlog(0)).toEqual({ waiting: 0, refused: 0 })
  at.waiting = 1
  expect(await backlog(0)).toEqual({ waiting: 1, refused: 0 })
})
