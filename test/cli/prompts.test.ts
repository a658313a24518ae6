import { PassThrough } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { GO_LIVE } from '../../src/cli/consent.ts'
import { createPrompter } from '../../src/cli/prompts.ts'
import { createSession } from '../../src/cli/session.ts'
import { loadWords } from '../../src/cli/words/translate.ts'

beforeAll(() => loadWords('hr'))

/** What a person who types one key is shown, and what is understood. */
async function asked(key: string, env: Record<string, string>) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const session = createSession({ stdin, stdout, stderr: new PassThrough(), isTty: true, env }, () => ({}))
  const answer = (await createPrompter(session)).confirm(GO_LIVE, key.toLowerCase() === 'n')
  stdin.write(key)
  return { answer: await answer, shown: String(stdout.read()) }
}

test.each([
  ['d', true],
  ['D', true],
  ['y', true],
  ['n', false],
])('in Croatian %s answers a question with %s', async (key, meant) => {
  const { answer, shown } = await asked(key, { FISKD_LANGUAGE: 'hr' })
  expect(answer).toBe(meant)
  expect(shown).toContain('Prijeći na stvarni rad?')
  expect(shown).toContain('Da')
  expect(shown).not.toMatch(/Yes|\bNo\b/)
})

test('on a console that says it has no columns, a question is drawn as on one of 80', async () => {
  const [stdin, stdout] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 0 })]
  const session = createSession({ stdin, stdout, stderr: new PassThrough(), isTty: true, env: {} }, () => ({}))
  const answer = (await createPrompter(session)).text('Name of the company')
  stdin.write('a\r')
  expect(await answer).toBe('a')
  expect(String(stdout.read())).toContain('Name of the company')
})

test('in English a question is answered as before', async () => {
  expect(await asked('y', {})).toMatchObject({ answer: true, shown: expect.stringContaining('Go live?') })
})
