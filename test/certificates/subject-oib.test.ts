import {
  Set as AsnSet,
  type BaseBlock,
  BmpString,
  Integer,
  ObjectIdentifier,
  PrintableString,
  Sequence,
  TeletexString,
  Utf8String,
} from 'asn1js'
import { RelativeDistinguishedNames } from 'pkijs'
import { describe, expect, test } from 'vitest'
import { oibElsewhere, subjectOib } from '../../src/certificates/inspector.ts'
import { formatName } from '../../src/x509/distinguished-name.ts'

const OIB = '02994650199'
const OTHER_OIB = '94577403194'

type Pair = [type: string, value: string | BaseBlock]

/** A name as a certificate carries it: a list of relative names, each with one attribute or more. */
function name(...rdns: (Pair | Pair[])[]): RelativeDistinguishedNames {
  const pair = ([type, value]: Pair) =>
    new Sequence({
      value: [new ObjectIdentifier({ value: type }), typeof value === 'string' ? new Utf8String({ value }) : value],
    })
  const sets = rdns.map(
    (rdn) => new AsnSet({ value: (Array.isArray(rdn[0]) ? (rdn as Pair[]) : [rdn as Pair]).map(pair) }),
  )
  return RelativeDistinguishedNames.fromBER(new Sequence({ value: sets }).toBER())
}

const CN = '2.5.4.3'
const C = '2.5.4.6'
const O = '2.5.4.10'
const ID = '2.5.4.97'

describe('the OIB of a subject', () => {
  test.each([
    ['organizationIdentifier', name([O, 'Firma d.o.o.'], [ID, `HR${OIB}`])],
    ['organizationIdentifier with VAT in front', name([ID, `VATHR-${OIB}`])],
    ['O, behind the company name', name([C, 'HR'], [O, `APIS IT D.O.O. HR${OIB}`])],
    ['O in another string type', name([O, new BmpString({ value: `ŠEĆER D.O.O. HR${OIB}` })])],
    [
      'an attribute that shares its relative name with another',
      name([
        [CN, 'FISKAL 1'],
        [ID, `HR${OIB}`],
      ]),
    ],
  ])('is found in %s', (_where, subject) => {
    expect(subjectOib(subject)).toBe(OIB)
  })

  test('is taken from organizationIdentifier when O holds another one', () => {
    expect(subjectOib(name([O, `Grupa HR${OTHER_OIB}`], [ID, `HR${OIB}`]))).toBe(OIB)
  })

  test('is taken from O when organizationIdentifier holds something else', () => {
    expect(subjectOib(name([ID, 'NTRHR-080000000'], [O, `Firma HR${OIB}`]))).toBe(OIB)
  })

  test.each([
    ['a wrong check digit', name([ID, 'HR02994650198'], [O, 'Firma HR02994650198'])],
    ['no country prefix', name([ID, OIB], [O, `Firma ${OIB}`])],
    ['more digits', name([O, `Firma HR${OIB}0`])],
    ['letters before it', name([O, `FirmaHR${OIB}`])],
    ['the OIB in another attribute', name([CN, `HR${OIB}`])],
    ['two different OIBs', name([O, `HR${OIB} HR${OTHER_OIB}`])],
    ['a value that is no text', name([O, new Integer({ value: 5 })])],
    ['an empty subject', name()],
  ])('is null for %s', (_what, subject) => {
    expect(subjectOib(subject)).toBeNull()
  })
})

describe('a name as text (RFC 4514)', () => {
  test.each([
    [
      'starts with the most specific part',
      name([C, 'HR'], [O, 'Financijska agencija'], [CN, 'Fina Demo CA 2020']),
      'CN=Fina Demo CA 2020,O=Financijska agencija,C=HR',
    ],
    ['keeps Croatian letters', name([O, 'Čćđšž ČĆĐŠŽ']), 'O=Čćđšž ČĆĐŠŽ'],
    [
      'reads every string type',
      name([O, new TeletexString({ value: 'abc' })], [CN, new PrintableString({ value: 'x' })]),
      'CN=x,O=abc',
    ],
    ['escapes what RFC 4514 uses itself', name([CN, 'a,b+c"d\\e<f>g;h=i']), 'CN=a\\,b\\+c\\"d\\\\e\\<f\\>g\\;h=i'],
    [
      'escapes spaces at the ends and a # in front',
      name([CN, ' x '], [O, '#x#'], [C, ' ']),
      'C=\\ ,O=\\#x#,CN=\\ x\\ ',
    ],
    ['escapes control characters', name([CN, 'a\0b\nc']), 'CN=a\\00b\\0ac'],
    [
      'joins the attributes of one part by a plus',
      name(
        [C, 'HR'],
        [
          [CN, 'x'],
          [O, 'y'],
        ],
      ),
      'CN=x+O=y,C=HR',
    ],
    [
      'writes unknown attributes and values that are no text as hex',
      name(['1.2.3', 'ab'], [CN, new Integer({ value: 5 })]),
      'CN=#020105,1.2.3=#0c026162',
    ],
    ['is empty for an empty name', name(), ''],
  ])('%s', (_what, subject, text) => {
    expect(formatName(subject)).toBe(text)
  })
})

const SERIAL = '2.5.4.5'

describe('an OIB that CIS does not read where it stands', () => {
  test.each([
    [`serialNumber=PNOHR-${OIB}`, name([CN, 'Ana'], [SERIAL, `PNOHR-${OIB}`])],
    [`organizationIdentifier=TINHR-${OIB}`, name([ID, `TINHR-${OIB}`])],
    [`serialNumber=HR${OIB}.3.12`, name([SERIAL, `HR${OIB}.3.12`])],
    [`O=Firma d.o.o. HR ${OIB}`, name([O, `Firma d.o.o. HR ${OIB}`])],
    [`O=Dvije HR${OIB} HR${OTHER_OIB}`, name([O, `Dvije HR${OIB} HR${OTHER_OIB}`])],
  ])('is found as %s', (form, subject) => {
    expect(subjectOib(subject)).toBeNull()
    expect(oibElsewhere(subject)).toBe(form)
  })

  test.each([
    ['a number of other digits', name([SERIAL, '12345678901'])],
    ['a longer number', name([SERIAL, `${OIB}0`])],
    ['a name alone', name([CN, 'FISKAL 1'])],
  ])('is not seen in %s', (_what, subject) => {
    expect(oibElsewhere(subject)).toBeNull()
  })
})
