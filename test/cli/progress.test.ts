import { PassThrough } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { during } from '../../src/cli/progress.ts'
import { createSession } from '../../src/cli/session.ts'
import { loadWords } from '../../src/cli/words/translate.ts'

beforeAll(() => loadWords('hr'))

/** What a terminal gets while work takes so long, and what comes of the work. */
async function shown(ms: number, { isTty = true, json = false, env = {} } = {}) {
  const stdout = new PassThrough()
  const io = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), isTty, env }
  const session = createSession(io, () => ({ json }))
  const work = new Promise((done) => setTimeout(done, ms, 'the answer'))
  const answer = await during(session, 'Printing a test page', work)
  return { answer, text: String(stdout.read() ?? '') }
}

test('what takes over a second says on a terminal what it is and for how long, and leaves nothing', async () => {
  const { answer, text } = await shown(1300, { env: { LANG: 'hr_HR.UTF-8' } })
  expect(answer).toBe('the answer')
  expect(text).toBe('\r\u001b[KIspis probne stranice … 1 s\r\u001b[K')
})

test('what is quick, has no terminal, answers as JSON or has a dumb terminal says nothing', async () => {
  const all = [
    shown(20),
    shown(1300, { isTty: false }),
    shown(1300, { json: true }),
    shown(1300, { env: { TERM: 'dumb' } }),
  ]
  expect((await Promise.all(all)).map(({ text }) => text)).toEqual(['', '', '', ''])
})

test('a failure of the work is the failure of the command, and the line is gone', async () => {
  const stdout = new PassThrough()
  const session = createSession(
    { stdin: new PassThrough(), stdout, stderr: new PassThrough(), isTty: true, env: {} },
    () => ({}),
  )
  const work = new Promise((_, fail) => setTimeout(() => fail(new Error('no paper')), 1300))
  await expect(during(session, 'Printing a test page', work)).rejects.toThrow('no paper')
  expect(String(stdout.read()).endsWith('\r\u001b[K')).toBe(true)
})
