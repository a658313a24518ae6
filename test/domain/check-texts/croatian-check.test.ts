import { describe, expect, test } from 'vitest'
import { croatianCheck, croatianPhrase } from '../../../src/domain/check-texts/croatian-check.ts'
import { FISCAL_ERRORS } from '../../../src/domain/sale/invoice.ts'
import { explainCodes, RESTRICTIVE_CODES } from '../../../src/domain/sale/restrictive-codes.ts'
import { filesBelow } from '../../support/documents.ts'
import { textsOf } from '../../support/source-texts.ts'
import { inProject } from '../../support/stand-in.ts'

const check = (name: string, detail: string, fix: string | null = null) => ({ name, detail, fix })

test('a finding of the doctor is told in Croatian, with its figures and names', () => {
  expect(
    croatianCheck(
      check(
        'certificate Kava d.o.o.',
        'it is valid until 2027-03-01, 12 days more',
        'bring a valid one: fisk cert add --company 02994650199 --file FILE.p12',
      ),
    ),
  ).toEqual(
    check(
      'certifikat Kava d.o.o.',
      'vrijedi do 2027-03-01 (preostalo dana: 12)',
      'učitajte valjan certifikat: fisk cert add --company 02994650199 --file FILE.p12',
    ),
  )
})

test('several findings in one line are told one by one, and a phrase within a phrase too', () => {
  expect(croatianPhrase('Kava 1; Kava 2; and 3 more')).toBe('Kava 1; Kava 2; i još 3')
  expect(croatianPhrase('the last pass ended 40 minutes ago: nothing is sent again')).toBe(
    'posljednje slanje završilo je prije 40 min: ništa se ne šalje ponovno',
  )
})

test('values that are words of ours are told in Croatian: modes, checks, processes', () => {
  expect(croatianCheck(check('CIS live name', '10.0.0.1 is an address already')).name).toBe(
    'stvarni CIS, ime poslužitelja',
  )
  expect(croatianPhrase('not looked at: see "trust test" first')).toBe(
    'nije provjereno: najprije pogledajte „certifikati Porezne uprave (testni rad)”',
  )
  expect(croatianPhrase('it is on ext4, mounted at /')).toBe('podaci su na: ext4, priključen na /')
  expect(croatianPhrase('port 8443 is taken by process 12 (nginx) and process 13 (nginx)')).toBe(
    'priključak 8443 zauzima proces 12 (nginx) i proces 13 (nginx)',
  )
})

test('what a newer gateway says in words of its own stays as it came', () => {
  expect(croatianCheck(check('gearbox', 'it has lost a wheel', null))).toEqual(
    check('gearbox', 'it has lost a wheel', null),
  )
  expect(croatianPhrase(' '.repeat(100_000))).toHaveLength(100_000)
})

test.each(RESTRICTIVE_CODES)('the advice for refused sales of code %i is Croatian', (code) => {
  const [english, croatian] = [explainCodes([code], 'en')[0], explainCodes([code], 'hr')[0]]
  const fix = `${english?.label}: ${english?.means} ${english?.fix} All of them at once: fisk invoice retry --failed`
  expect(croatianPhrase(fix)).toBe(
    `${croatian?.label}: ${croatian?.means} ${croatian?.fix} Svi odjednom: fisk invoice retry --failed`,
  )
})

test.each(Object.values(FISCAL_ERRORS))('$means has its Croatian words', ({ means, fix }) => {
  expect(croatianPhrase(means)).not.toBe(means)
  expect(croatianPhrase(fix)).not.toBe(fix)
})

/** Pieces of texts that are whole only with others, and commands that are the same in every language. */
const NO_PHRASES = [
  /^[ ,:;]/,
  / $/,
  /^(ahead of|an unknown number of|ordinary log lines|other users|its group|waited for|not connected|not shown|up to date)$/,
  /^(chown|chmod|sudo (7|fisk init$)|fisk (company|device) set 7 |fisk key create|7 s behind$|7 \(7\)|7 in 77|7 sales?$|7sales?)/,
  /^7 (of )?7+$|^7: 7+$|^77 with 7: 7$|^7 7$/,
  /^7 s? ?7 the (one that it signs|time server)|ahead of the|behind the/,
  /^the clock of this machine is 7 s 7/,
  /^7: 7 are not kept$|^7 is open to 7|^it is 7 s 7 this one|^7( 7)? 7 \(7\)$|^7, 7$/,
  /^77 of 7 premises|^7 of 7 premises/,
]

/** Put together from pieces; each whole that comes of them is a phrase of its own. */
const PUT_TOGETHER = new Set([
  'CIS 7 7',
  'the time in the headers of the service is 7: it is not believed',
  '7, or take the company live',
  'no number is missing7',
  'lists, pages and exports are read from 7, which is 7',
  '7; alerts go to 7 7',
  '7, receipts',
  'fisk7 invoice retry --failed --code 7',
  '7: 7 7',
  'fisk device add --company OIB --premises CODE --label LABEL',
  'the disk of 7 has become read-only7',
  '7 (ZKI 7, JIR 7)',
  '7: no more files can be made',
  'fisk sync leave --yes; 7',
  '7 7 7',
])

/** Values that have the form which these texts have. */
const formed = (expression: string) =>
  /^mode$/.test(expression) ? 'test' : /address|found\.map/.test(expression) ? '10.0.0.1' : '7'

const AUTHORITY = ['reach-in-steps', 'network-failure', 'tls-handshake'].map((name) => `src/cis/transport/${name}.ts`)

/** Names of errors, and pieces of texts that are tested as a whole below. */
const NOT_SAID = [
  /^[\s7,:;]*$|^, by $|^Basic|^fiskd 7|^<|^fisk trust add|^77, 7 canonical form$|^7, issued by 7$/,
  /^ \(|^7, 7 issued by 7|^7 \(HTTP 7\)$|^an answer of the service would not be believed: 77$|^7 \(7\)$|^7 7 of 77, number 7$/,
  /^the 7 certificate 7 is missing|^timeout 5 bash/,
  /^the proxy 7 does not let this machine through to port 7 of 7$|^7: it answered HTTP 7$|^7 The echo failed: 7\.$/,
  /^answers are signed by 7, valid until 7; 7$/,
  /^something else than an echo came back$|^another text came back$/,
]

describe('each text of the way to the authority, and of closings', () => {
  const files = [...AUTHORITY, 'src/cis/message/echo.ts', 'src/cis/answer/signature-check.ts']
  const texts = [...files, 'src/fiscal/closings/closing-checks.ts', 'src/fiscal/closings/verify-closing.ts']
    .flatMap((file) => textsOf(inProject(file), formed))
    .filter((text) => !NOT_SAID.some((piece) => piece.test(text)))

  test('is found', () => {
    expect(texts.length).toBeGreaterThan(45)
  })

  test.each([
    ...texts,
    'TLSv1.3, cistest issued by Fina Demo CA, by Fina Root; the certificate of the service is valid until 2027-01-01',
    'the root certificate Fina Root is missing in the trust bundle (X)',
    'the proxy 10.0.0.2:3128 does not let this machine through to port 443 of cis.example.hr: it answered HTTP 407',
    'answers are signed by fiskalcis, issued by Fina, valid until 2027-01-01; rsa-sha256, exclusive canonical form',
    'something else than an echo came back (HTTP 502)',
    'another text came back (HTTP 200)',
  ])('has its Croatian words: %s', (text) => {
    expect(croatianPhrase(text)).not.toBe(text)
  })
})

describe('each text of the doctor', () => {
  const files = filesBelow(inProject('src/fiscal/doctor')).filter((file) =>
    /-checks\.ts$|file-system\.ts$|doctor\.ts$/.test(file),
  )
  const texts = [...new Set(files.flatMap((file) => textsOf(file)))].filter(
    (text) => !PUT_TOGETHER.has(text) && !NO_PHRASES.some((piece) => piece.test(text)),
  )

  test('is found', () => {
    expect(texts.length).toBeGreaterThan(180)
  })

  test('has its Croatian words', () => {
    const missing = texts.filter((text) => {
      const { name, detail } = croatianCheck(check(text, text))
      return name === text && detail === text
    })
    expect(missing).toEqual([])
  })
})
