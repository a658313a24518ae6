import { stat } from 'node:fs'
import { expect, test } from 'vitest'
import { questionsOver } from '../../support/receipt-printer.ts'

const ANSWER = 0x12

/** This process does not get to run for 600 ms. What comes meanwhile is noticed after the timers that are due. */
function holdUp(comes: () => void): void {
  const until = performance.now() + 600
  while (performance.now() < until);
  stat('/', comes)
}

/** What `DLE EOT 1` finds out over a line that writes as told. */
function askOver(write: (bytes: Uint8Array, signal: AbortSignal | undefined, answer: () => void) => Promise<void>) {
  let arrive: (bytes: Uint8Array) => void = () => {}
  const answer = () => arrive(Uint8Array.of(ANSWER))
  const line = {
    write: (bytes: Uint8Array, signal?: AbortSignal) => write(bytes, signal, answer),
    onBytes: (listener: typeof arrive) => {
      arrive = listener
    },
    listen() {},
    broken: new Promise<never>(() => {}),
    close: async () => {},
  }
  return questionsOver(line).stands()
}

test('an answer that lay there unread while the process was held up is no silence', async () => {
  expect(await askOver(async (_bytes, _signal, answer) => stat('/', () => holdUp(answer)))).toBe(false)
})

test('a printer that says nothing while the process is held up is silent', async () => {
  expect(await askOver(async () => stat('/', () => holdUp(() => {})))).toBeUndefined()
})

test('a question that the port took while the process was held up has not stalled', async () => {
  const stands = askOver((_bytes, signal, answer) => {
    const written = new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stalled')))
      stat('/', () => holdUp(resolve))
    })
    return written.finally(() => setImmediate(answer))
  })
  expect(await stands).toBe(false)
})
