import { expect, test } from 'vitest'
import { createFormats } from '../../src/dashboard/formats.ts'
import { shownTime } from '../../src/domain/zagreb.ts'
import { LANGUAGES } from '../../src/fiscal/ports/model.ts'

const AT = Date.UTC(2026, 10, 5, 13, 4)

test('a moment is written with spaces and a last full stop in Croatian, as the spelling rules have it', () => {
  expect(shownTime(AT, 'hr')).toBe('05. 11. 2026. 14:04')
})

test.each(LANGUAGES)('mails and alerts write a moment as the pages do, in %s', (language) => {
  expect(shownTime(AT, language)).toBe(createFormats(() => AT)(language).time(AT))
})
