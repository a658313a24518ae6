import { beforeAll, describe, expect, test } from 'vitest'
import { checksText } from '../../src/cli/text/check-text.ts'
import { languageOf, loadWords, translate } from '../../src/cli/words/translate.ts'
import { fine } from '../../src/domain/check.ts'
import { alike } from '../../src/domain/texts/both.ts'
import { filesBelow } from '../support/documents.ts'
import { fisk } from '../support/fisk.ts'
import { textsOf } from '../support/source-texts.ts'
import { inProject } from '../support/stand-in.ts'

beforeAll(() => loadWords('hr'))

test.each([
  [{}, 'en'],
  [{ LANG: 'hr_HR.UTF-8' }, 'hr'],
  [{ LANG: 'hr_HR.UTF-8', LC_ALL: 'C' }, 'en'],
  [{ LANG: 'de_AT.UTF-8', LC_MESSAGES: 'hr_HR' }, 'hr'],
  [{ FISKD_LANGUAGE: 'hr', LC_ALL: 'C' }, 'hr'],
  [{ FISKD_LANGUAGE: 'en', LANG: 'hr_HR.UTF-8' }, 'en'],
  [{ FISKD_LANGUAGE: '', LANG: 'hr' }, 'hr'],
])('%j means %s', (env, language) => {
  expect(languageOf(env)).toBe(language)
})

test('an error is Croatian with its names and commands, and as JSON the same in every language', async () => {
  const [socket, env] = ['/nowhere/fiskd.sock', { FISKD_LANGUAGE: 'hr' }]
  const croatian = await fisk(['status'], { socket, env })
  expect(croatian).toMatchObject({ code: 1, stdout: '' })
  expect(croatian.stderr).toContain('Pogreška:    fiskd se ne javlja na /nowhere/fiskd.sock.')
  expect(croatian.stderr).toContain('Što učiniti: ')
  const json = await fisk(['status', '--json'], { socket, env })
  expect(json.stdout).toBe((await fisk(['status', '--json'], { socket })).stdout)
})

test.each([
  [['bogus'], 'Pogreška: nepoznata naredba „bogus”'],
  [['status', '--watc'], 'Pogreška: nepoznata opcija „--watc”\n(Mislite li na --watch?)'],
  [['isu', 'set'], 'Pogreška: nedostaje argument „device”'],
])('a command line that is wrong, %j, is Croatian and ends with 2', async (argv, text) => {
  const { code, stderr } = await fisk(argv, { env: { FISKD_LANGUAGE: 'hr' } })
  expect(code).toBe(2)
  expect(stderr).toContain(text)
  expect(stderr).not.toMatch(/error|to see/)
})

test('the doctor tells in Croatian that no daemon answers', async () => {
  const { stdout } = await fisk(['doctor'], { socket: '/nowhere/fiskd.sock', env: { FISKD_LANGUAGE: 'hr' } })
  expect(stdout).toContain('fiskd se ne javlja na')
  expect(stdout).not.toContain('No daemon')
})

test('a finding is told in the words of the doctor, whatever other commands say alike', () => {
  const detail = {
    en: 'it is valid until 2036-11-26, 3652 days more',
    hr: 'vrijedi do 2036-11-26 (preostalo dana: 3652)',
  }
  const found = fine(alike('local CA'), detail)
  expect(checksText([found], { columns: 100, colour: false, language: 'hr' })).toContain(
    'vrijedi do 2036-11-26 (preostalo dana: 3652)',
  )
})

test('names of fields stay as they are', async () => {
  const { stderr } = await fisk(['invoice', 'retry'], { env: { LANG: 'hr_HR.UTF-8' } })
  expect(stderr).toMatch(/^Polje: {7}id$/m)
})

test('a text without a translation, and one that is far too long, stay as they came', () => {
  expect(translate('A gearbox has lost a wheel.', 'hr')).toBe('A gearbox has lost a wheel.')
  const long = '"'.repeat(100_000)
  expect(translate(long, 'hr')).toBe(long)
})

/** A value that fits the place, by the expression that makes it. */
function valueIn(expression: string): string {
  if (/mode/i.test(expression)) return 'test'
  if (/^(path|file|place|database|socketPath)/.test(expression)) return '/x'
  return '7'
}

/** Commands, which are the same in every language, and pieces of texts that are whole only with others. */
const NO_PHRASES = [
  /^(; )?\s*(fisk |sudo |--|7sudo|# Process|7\s+7\s+7\s+sudo fisk)/,
  /^ (--device 7|--pwprompt)$/,
  /^[\s7,:;()%"]*$/,
  /^(or|\(the key is shown only now\)|Put into the firmware7:|already there:|to do:|, whose firmware runs on it|gateway: in a vending machine7)$/,
]

/** Each whole that comes of these is tested as a whole below. */
const PIECES = new Set([
  'in both backends a line for each process (7 here)',
  "have a load balancer stand before them. Debian's haproxy does with 7: 7",
  'OIB 7',
  '7 (7, test)',
  'The old configuration is back in /x',
  'Somebody else changed /x meanwhile: it stays',
  'and fiskd runs with it',
  'but fiskd does not run: 7',
  'fiskd does not come up with 7: 7. /x, 7.',
  'more than 7',
  '"7" has a printer already: 7 at 7.',
  '7 as 7',
  '7, 7',
  'is registered in test mode; fisk init does not change the mode',
  'is the name of the company with the OIB 7',
  'is registered in the VAT system',
  'is not in the VAT system',
  'sells at a VAT rate of 7 %',
  'has no VAT rate: its firmware sends the VAT',
  '7 7.',
  '7--vat-rate 7',
  'fisk key create --mode test7',
  '7 7, for the certificate cannot carry addresses that are not known yet.',
])
const isPiece = (text: string) => PIECES.has(text) || text.startsWith('An address works as long as this machine keeps')

const WHOLE = [
  ...[
    'is registered in test mode; fisk init does not change the mode',
    'is the name of the company with the OIB 02994650199',
    'is registered in the VAT system',
    'is not in the VAT system',
    'sells at a VAT rate of 13.00 %',
    'has no VAT rate: its firmware sends the VAT',
  ].map((is) => `Kava d.o.o. ${is}.`),
  "have a load balancer stand before them. Debian's haproxy does with /x: in both backends a line for each process (3 here)",
  ...['The old configuration is back in /x', 'Somebody else changed /x meanwhile: it stays'].flatMap((file) =>
    [`and fiskd runs with it`, 'but fiskd does not run: it is gone'].map(
      (runs) => `fiskd does not come up with FISKD_LISTEN=x: it is gone. ${file}, ${runs}.`,
    ),
  ),
  '"Lobby 1" has a printer already: generic at tcp:10.0.0.9:9100.',
  'https://office.example.hr as kiosk-7',
  'more than 100 registered',
  'Put into the firmware:',
  'Put into the firmware (the key is shown only now):',
  'gateway: in a vending machine',
  'gateway: in a vending machine, whose firmware runs on it',
  'Lobby 1 at POSL1',
  'generic at tcp:10.0.0.9:9100',
]

/** What the firmware sends. */
const DEPOSIT = '"total":"1.50","fees":[{"name":"Povratna naknada","amount":"0.10"}]'

describe('each text of fisk init', () => {
  const files = filesBelow(inProject('src/cli/setup'))
  const texts = [...new Set(files.flatMap((file) => textsOf(file, valueIn)))].map((text) => text.trim())
  const wanted = texts.filter((text) => !isPiece(text) && !NO_PHRASES.some((piece) => piece.test(text)))

  test('is found', () => {
    expect(wanted.length).toBeGreaterThan(150)
  })

  test('has its Croatian words', () => {
    const same = new Set([
      'API key',
      'device_id',
      'CA SHA-256',
      'docs/before-live.md; fisk doctor --before-live',
      DEPOSIT,
    ])
    expect([...wanted, ...WHOLE].filter((text) => translate(text, 'hr') === text && !same.has(text))).toEqual([])
  })
})
