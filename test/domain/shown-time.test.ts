import { expect, test } from 'vitest'
import { createFormats } from '../../src/dashboard/formats.ts'
import { shownTime, timeInSentence } from '../../src/domain/zagreb.ts'
import { LANGUAGES } from '../../src/fiscal/ports/model.ts'

const AT = Date.UTC(2026, 11, 9, 7, 34)

test.each([
  ['hr', '9. 12. 2026. 8:34', '9. 12. 2026. u 8:34'],
  ['en', '09/12/2026, 08:34', '09/12/2026, 08:34'],
] as const)(
  'a moment has no leading zeros in Croatian, and a preposition in its sentences: %s',
  (language, shown, said) => {
    expect(shownTime(AT, language)).toBe(shown)
    expect(timeInSentence(AT, language)).toBe(said)
  },
)

test('the hour of midnight keeps one zero in Croatian', () => {
  expect(shownTime(Date.UTC(2026, 11, 8, 23, 5), 'hr')).toBe('9. 12. 2026. 0:05')
})

test.each(LANGUAGES)('mails and alerts write a moment as the pages do, in %s', (language) => {
  const f = createFormats(() => AT)(language)
  expect([f.time(AT), f.inText(AT)]).toEqual([shownTime(AT, language), timeInSentence(AT, language)])
})
