import { expect, test } from 'vitest'
import { failure, sayCheck, skipped } from '../../src/domain/check.ts'
import { alike, joined, together } from '../../src/domain/texts/both.ts'

const slow = { en: 'it is slow', hr: 'spor je' }

test('a check is said in the language of its reader, with its name and what to do', () => {
  const found = failure({ en: 'disk writes', hr: 'pisanje na disk' }, slow, alike('fisk backup FILE'))
  const fix = 'fisk backup FILE'
  expect(sayCheck(found, 'en')).toEqual({ name: 'disk writes', status: 'fail', detail: 'it is slow', fix })
  expect(sayCheck(found, 'hr')).toEqual({ name: 'pisanje na disk', status: 'fail', detail: 'spor je', fix })
  expect(sayCheck(skipped(alike('TLS'), slow), 'hr')).toEqual({
    name: 'TLS',
    status: 'skip',
    detail: 'spor je',
    fix: null,
  })
})

test('texts are put together in each language', () => {
  const more = { en: 'and 2 more', hr: 'i još 2' }
  expect(together`${slow}: ${7} of ${'/data'}`).toEqual({ en: 'it is slow: 7 of /data', hr: 'spor je: 7 of /data' })
  expect(joined([slow, more])).toEqual({ en: 'it is slow; and 2 more', hr: 'spor je; i još 2' })
  expect(joined([slow, more], ' ')).toEqual({ en: 'it is slow and 2 more', hr: 'spor je i još 2' })
})
