import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { loadWords, translate } from '../../src/cli/words/translate.ts'
import { refusal, startAdminStub } from '../support/admin-stub.ts'
import { filesBelow } from '../support/documents.ts'
import { fisk } from '../support/fisk.ts'
import { textsGivenTo } from '../support/source-texts.ts'
import { inProject } from '../support/stand-in.ts'

/** Whatever ends a command with an explanation. */
const MAKERS = [
  'wrongUse',
  'missing',
  'clash',
  'refused',
  'broken',
  'misshapen',
  'new Failure',
  'Failure',
  'InvalidArgumentError',
]

/** A value that fits the place, by the expression that makes it. */
function valueIn(expression: string): string {
  if (/mode$/i.test(expression)) return 'test'
  if (/^flagOf/.test(expression)) return '--7'
  if (/^trial$/.test(expression)) return '/x/main.js'
  return '7'
}

/** Commands, joints of lists, names of fields, and what is whole only with other texts. */
const PIECES = [
  /^[\s7,:;()%"]*$/,
  /^(fisk |--|sudo )/,
  /^(Type it again|With the right file|Take the (renewed one|certificate).*), then$|^(Type it again|With the right file)$/,
  /^7: fisk cert add/,
  /^7: only root and the group 7 may\.$/,
  /^7 may not open the socket of the daemon, 7$/,
  /^7 devices carry the label "7":\n7$/,
  /^What listens on 7 answered 7 in a form that fiskd does not use7\.$/,
  /^: 7 7$/,
  /^the answer$/,
  /^The 7 is (missing|not UTF-8 text)\.$/,
  /^(The old configuration|Somebody else changed|fiskd does not come up with|and fiskd runs|but fiskd does not run)/,
  /^"7" has a printer already: 7 at 7\.$/,
  /^7 is larger than 7$/,
]

/** What comes of these, whole. */
const WHOLE = [
  ...['Type it again', 'With the right file', 'Take the renewed one, or order it from FINA, then']
    .concat('Take the certificate that was issued to this company, then')
    .map((lead) => `${lead}: fisk cert add --company 02994650199 --file FILE`),
  'ana may not open the socket of the daemon, /run/fiskd/fiskd.sock: only root and the group fiskd may.',
  'ana may not open the socket of the daemon, /run/fiskd/fiskd.sock.',
  '2 devices carry the label "Lobby 1":',
  'What listens on /x answered 200 in a form that fiskd does not use.',
  'What listens on /x answered 500 in a form that fiskd does not use: error must be object.',
  ...['256 KB: it is not a fiscal certificate.', '100 KB: make it smaller.', '1 MB.'].map(
    (most) => `/x/file is larger than ${most}`,
  ),
  ...['passphrase', 'password'].flatMap((name) => [`The ${name} is missing.`, `The ${name} is not UTF-8 text.`]),
]

beforeAll(() => loadWords('hr'))

const files = filesBelow(inProject('src/cli')).filter((file) => !file.includes('/cli/words/'))
const texts = [...new Set(files.flatMap((file) => textsGivenTo(MAKERS, file, valueIn)))].map((text) => text.trim())
const wanted = texts.filter((text) => !PIECES.some((piece) => piece.test(text)))

test('the texts of failures of all commands are found', () => {
  expect(wanted.length).toBeGreaterThan(140)
  expect(wanted).toContain('No firmware is named.')
})

test('whatever fisk refuses has its Croatian words', () => {
  expect([...wanted, ...WHOLE].filter((text) => translate(text, 'hr') === text)).toEqual([])
})

test('a refusal of the daemon that has no Croatian words is told by its code, with its own words below', async () => {
  const stub = await startAdminStub()
  onTestFinished(() => stub.close())
  const said = 'The gearbox of the OIB has lost a wheel.'
  stub.answer('POST /v1/companies', refusal(400, 'hr.invalid_oib', said, 'oib'))
  const argv = ['company', 'add', '--oib', '123', '--name', 'Kava']
  const ran = await fisk(argv, { socket: stub.socket, env: { FISKD_LANGUAGE: 'hr' } })
  expect(ran.stderr).toBe(
    [
      'Pogreška:    OIB nije ispravan.',
      `Poruka:      ${said}`,
      'Polje:       oib',
      'Što učiniti: Pošaljite 11 znamenaka s točnom kontrolnom znamenkom.',
      'Sljedeće:    fisk company add --oib OIB --name Kava\n',
    ].join('\n'),
  )
})

test.each([
  [['status', '--frobnicate'], 'Pogreška: nepoznata opcija „--frobnicate”'],
  [['stauts'], 'Pogreška: nepoznata naredba „stauts”\n(Mislite li na status?)'],
  [['isu', 'set'], 'Pogreška: nedostaje argument „device”'],
  [['status', 'now'], 'Pogreška: previše argumenata'],
  [['status', '--device'], 'Pogreška: opciji „--device <label-or-id>” nedostaje vrijednost'],
  [
    ['doctor', '--lang', 'de'],
    'Pogreška: vrijednost „de” opcije „--lang <language>” nije ispravna. Moguće su vrijednosti: hr, en.',
  ],
  [['status', '--watch', 'x'], 'nije ispravna. Očekuje se broj sekundi.'],
  [['init', '--printer-line', 'x', '--no-printer'], 'ne mogu se navesti zajedno'],
])('a command line that is wrong is explained in Croatian: %j', async (argv, said) => {
  const ran = await fisk(argv, { env: { FISKD_LANGUAGE: 'hr' } })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(said)
  expect(ran.stderr).toContain('Kako se naredba koristi, pokazuje --help.')
  expect(ran.stderr).not.toMatch(/\b(error|unknown|missing|argument is|used)\b/)
})
