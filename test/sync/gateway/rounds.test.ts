import { expect, onTestFinished, test } from 'vitest'
import { createRounds } from '../../../src/sync/gateway/rounds.ts'

const LONG_MS = 3_600_000

/** Rounds that write down what happens; each goes on when it is let go, unless its signal ends it. */
function counted(restMs = LONG_MS) {
  const log: string[] = []
  let goOn = () => {}
  const rounds = createRounds({
    async step(signal) {
      log.push('begun')
      await new Promise<void>((resolve, reject) => {
        goOn = resolve
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      log.push('ended')
      return restMs
    },
    failed() {
      log.push('failed')
      return restMs
    },
  })
  onTestFinished(() => rounds.close())
  const settled = () => new Promise((resolve) => setTimeout(resolve, 5))
  return {
    rounds,
    log,
    settled,
    async letGo() {
      goOn()
      await settled()
    },
  }
}

test('a wake ends the rest; one that comes during a round is remembered for the next', async () => {
  const { rounds, log, letGo, settled } = counted()
  rounds.start()
  await settled()
  rounds.wake()
  expect(log).toEqual(['begun'])
  await letGo()
  expect(log).toEqual(['begun', 'ended', 'begun'])
  await letGo()
  expect(log).toEqual(['begun', 'ended', 'begun', 'ended'])
  rounds.wake()
  await settled()
  expect(log.at(-1)).toBe('begun')
})

test('what is done apart ends the round, without a failure, and no round begins before it is done', async () => {
  const { rounds, log, settled } = counted()
  rounds.start()
  await settled()
  let finish = () => {}
  const done = rounds.apart(async () => {
    log.push('apart')
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return 7
  })
  rounds.wake()
  await settled()
  expect(log).toEqual(['begun', 'apart'])
  finish()
  expect(await done).toBe(7)
  await settled()
  expect(log).toEqual(['begun', 'apart', 'begun'])
})

test('work apart that fails says so, and the rounds go on', async () => {
  const { rounds, log, settled } = counted()
  rounds.start()
  await settled()
  await expect(rounds.apart(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await settled()
  expect(log).toEqual(['begun', 'begun'])
})

test('a close ends the round under way and the rest, and no round follows', async () => {
  const { rounds, log, settled } = counted()
  rounds.start()
  await settled()
  await rounds.close()
  rounds.wake()
  await settled()
  expect(log).toEqual(['begun'])
})
