import { expect, test } from 'vitest'
import { acceptedType } from '../../src/api/routes/receipts.ts'

const OFFERED = ['text/plain', 'image/png', 'application/pdf'] as const

test.each([
  [undefined, 'text/plain'],
  ['', 'text/plain'],
  ['*/*', 'text/plain'],
  ['image/png', 'image/png'],
  ['IMAGE/PNG', 'image/png'],
  ['image/*', 'image/png'],
  ['application/pdf, */*', 'text/plain'],
  ['application/pdf, */*;q=0.9', 'application/pdf'],
  ['text/plain;q=0.5, image/png; q=0.8', 'image/png'],
  ['text/plain; charset=utf-8', 'text/plain'],
  ['text/plain;q=0, */*', 'image/png'],
  ['text/*;q=0, image/*;q=0.1, */*;q=0', 'image/png'],
  ['nonsense, image/png', 'image/png'],
  // What HttpURLConnection of older Java sends by itself.
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'text/plain'],
])('of text, PNG and PDF, "%s" prefers %s', (header, type) => {
  expect(acceptedType(header, OFFERED)).toBe(type)
})

test.each(['text/html', 'image/png;q=0', '*/*;q=0', 'image/png;q=much', 'image/jpeg, text/html'])(
  'none of them is acceptable to "%s"',
  (header) => {
    expect(acceptedType(header, OFFERED)).toBeUndefined()
  },
)
