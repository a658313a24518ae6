import { expect, test } from 'vitest'
import type { Line } from '../../../src/receipts/lines/line.ts'
import type { BegunJob } from '../../../src/receipts/printer/begun-job.ts'
import { confirmPrinted } from '../../../src/receipts/printer/confirm-printed.ts'
import { createProcessIds } from '../../../src/receipts/printer/process-ids.ts'
import { createQuestions } from '../../../src/receipts/printer/questions.ts'
import { createTimeLeft } from '../../../src/receipts/printer/time-left.ts'
import { HASTY, hastySettings } from '../../support/receipt-printer.ts'

const elapsed = () => performance.now()

test('a process id comes again only when all others have', () => {
  const next = createProcessIds(36 ** 4 - 2)
  expect([next(), next(), next()]).toEqual(['ZZZY', 'ZZZZ', '0000'])
})

/** A printer that is ready, and answers an id when it is told to. */
function answeringLine() {
  let listener: (bytes: Uint8Array) => void = () => {}
  const printer = { answersIds: true, answerId: (id: string) => listener(Buffer.from(`\x37\x22${id}\0`)) }
  const line: Line = {
    async write(bytes) {
      if (bytes[0] === 0x10) setImmediate(() => listener(Uint8Array.of(0x12)))
      else if (printer.answersIds) printer.answerId(Buffer.from(bytes.subarray(7)).toString())
    },
    onBytes(given) {
      listener = given
    },
    listen() {},
    broken: new Promise(() => {}),
    close: async () => {},
  }
  return { line, printer }
}

test('an id that was answered to an earlier receipt confirms no other one', async () => {
  const { line, printer } = answeringLine()
  const questions = createQuestions(line, {
    answerTimeoutMs: 400,
    msPerByte: 0,
    behindMs: () => 0,
    onPrinter() {},
    onStatus() {},
  })
  const job = {
    questions,
    settings: hastySettings({ confirmTimeoutMs: 50 }),
    timing: HASTY,
    elapsed,
    answers: true,
    giveUpAt: 0,
    processId: '0A1Z',
    statuses: { seen: 0, due: 0 },
    timeLeft: createTimeLeft(elapsed, undefined, 1000),
    look: async () => undefined,
  } as unknown as BegunJob

  expect(await confirmPrinted(job, 0)).toMatchObject({ status: 'printed' })
  printer.answersIds = false
  expect(await confirmPrinted(job, 0)).toMatchObject({ status: 'unconfirmed' })
  printer.answerId('0A1Z')
  expect(await confirmPrinted(job, 0)).toMatchObject({ status: 'unconfirmed' })
})
