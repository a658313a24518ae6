import { expect, test } from 'vitest'
import { createMasker } from '../../src/cli/support/masker.ts'
import { processorTime } from '../support/processor-time.ts'

const [ONE, OTHER] = ['02994650199', '18683136487']

test('an OIB gets the same mask wherever it stands, also within longer texts', () => {
  const { mask } = createMasker()
  expect(mask(`company ${ONE}/POSL1, HR${ONE}, CN=X ${OTHER}, "oib":"${ONE}", oib=${ONE}; ${ONE}.`)).toBe(
    'company OIB-1/POSL1, HROIB-1, CN=X OIB-2, "oib":"OIB-1", oib=OIB-1; OIB-1.',
  )
})

test.each([
  ['eleven digits without the right check digit', '12345678901'],
  ['a longer number', `1${ONE}`],
  ['a moment in milliseconds', '1795314490331'],
  ['the count of bytes of a field', `{"free_bytes": ${OTHER}, "total": ${OTHER}}`],
  ['a UUID', `a2ab7d10-2b86-5da6-aa42-3${OTHER}`],
  ['an id of an invoice', `inv_01a2011504a45c58ed97${OTHER}a`],
  ['a time', '2026-11-22T02:28:39.462Z'],
  ['a serial number of a certificate', '5f3a09b2c1'],
])('%s is kept', (_what, text) => {
  expect(createMasker().mask(text)).toBe(text)
})

test.each([
  ['an API key', 'tried fisk_live_AbC-123_x.', 'tried API-KEY-1.'],
  ['a database address', 'postgres://fiskd:p@ss:w0rd@db.hr:5432/x', 'postgres://***@db.hr:5432/x'],
  ['a mail server', 'FISKD_SMTP_URL=smtps://me%40x.hr:geheim@mail.hr', 'FISKD_SMTP_URL=smtps://***@mail.hr'],
  ['a setting', 'FISKD_PASSWORD="two words" NEXT=1', 'FISKD_PASSWORD=*** NEXT=1'],
  ['a field', '{"passphrase":"a \\" b","ok":true}', '{"passphrase":"***","ok":true}'],
  [
    'a field of JSON in a text',
    String.raw`{"body":"{\"password\":\"abc\",\"x\":1}"}`,
    String.raw`{"body":"{\"password\":\"***\",\"x\":1}"}`,
  ],
  ['a header', 'authorization: Bearer abcdef.ghi-jkl', 'authorization: *** ***'],
  ['a cookie', 'Cookie __Host-fiskd_session=abcd1234; path=/', 'Cookie __Host-fiskd_session=***; path=/'],
  ['a key', '-----BEGIN PRIVATE KEY-----\nMIIE\nvQ==\n-----END PRIVATE KEY-----\nrest', '[private key]\nrest'],
  ['half a key', 'x -----BEGIN EC PRIVATE KEY-----\\nMIIE', 'x [private key]'],
  ['a mail address', 'by ana.anic@example.hr', 'by MAIL-1'],
  ['a home directory', 'read /home/ivo/a and /home/ivo/b', 'read /home/USER-1/a and /home/USER-1/b'],
])('%s is masked', (_what, text, masked) => {
  expect(createMasker().mask(text)).toBe(masked)
})

test('what only names a secret is kept', () => {
  const text = 'the passphrase is wrong: read it from --passphrase-file=/root/p'
  expect(createMasker().mask(text)).toContain('--passphrase-file=/root/p')
})

test('one long word takes no time', () => {
  const spent = processorTime()
  for (const word of ['a', 'token', 'a.', 'a@']) createMasker().mask(word.repeat(200_000 / word.length))
  expect(spent()).toBeLessThan(3000)
})

test('a known name is masked with its accents apart or together, in JSON and in an address', () => {
  const { know, mask } = createMasker()
  know('COMPANY', 'Z\u030Car "A"  kava')
  const forms = [
    'Žar "A"  kava',
    'Z\u030Car "A"  kava',
    JSON.stringify('Žar "A"  kava'),
    encodeURIComponent('Žar "A"  kava'),
  ]
  for (const form of [...forms, '%C5%BDar+%22A%22++kava']) expect(mask(`x ${form} y`)).toMatch(/^x "?COMPANY-1"? y$/)
  know('COMPANY', 'Žar "A"  kava')
  expect(mask('Žar "A"  kava')).toBe('COMPANY-1')
})

test('a known name is masked as a word, in any case, with signs that mean something elsewhere', () => {
  const { know, mask } = createMasker()
  know('COMPANY', 'Žar "A+B" (Split)')
  know('COMPANY', 'Žar')
  know('USER', 'x')
  expect(mask('ŽAR "a+b" (split) and Žar, not Žarko; x')).toBe('COMPANY-1 and COMPANY-2, not Žarko; x')
  expect(mask(JSON.stringify({ name: 'Žar "A+B" (Split)' }))).toBe('{"name":"COMPANY-1"}')
})
