import { stat } from 'node:fs'
import { expect, test } from 'vitest'
import { questionsOver } from '../../support/receipt-printer.ts'

const ANSWER = 0x12

/** What `DLE EOT 1` finds out where this process does not get to run for 600 ms after it, and the printer answers meanwhile, or never. */
function askHeldUp(answers: boolean): Promise<boolean | undefined> {
  let arrive: (bytes: Uint8Array) => void = () => {}
  const heldUp = () => {
    const until = performance.now() + 600
    while (performance.now() < until);
    // What has arrived meanwhile is read after the timers that are due.
    if (answers) stat('/', () => arrive(Uint8Array.of(ANSWER)))
  }
  const line = {
    write: async () => stat('/', heldUp),
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
  expect(await askHeldUp(true)).toBe(false)
})

test('a printer that says nothing while the process is held up is silent', async () => {
  expect(await askHeldUp(false)).toBeUndefined()
})
