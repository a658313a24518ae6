import { expect, test } from 'vitest'
import { claimsOf } from '../../../src/cis/answer/answer-claims.ts'
import { processorTime } from '../../support/processor-time.ts'
import { answer, F73, inEnvelope, JIR, racunOdgovor } from '../support/answers.ts'
import { ENCODINGS } from '../support/encodings.ts'
import { CONFIRMED, judged, UNAVAILABLE, UNBELIEVABLE, UNPROVEN } from '../support/judged.ts'

/** What may stand in the place of a JIR, and whether it claims one. */
const ELEMENTS: readonly [xml: string, claims: boolean][] = [
  [`<Jir>${JIR}</Jir>`, true],
  [`<tns:Jir>${JIR}</tns:Jir>`, true],
  [`<x:Jir xmlns:x="urn:x">${JIR}</x:Jir>`, true],
  [`<Jir><![CDATA[${JIR}]]></Jir>`, true],
  [`<Jir>\n<![CDATA[]]>${JIR}</Jir>`, true],
  ['<Jir><![CDATA[&#32;]]></Jir>', true],
  [`<Jir a="/>">${JIR}</Jir>`, true],
  [`<Jir a=">">${JIR}</Jir>`, true],
  [`<Jir a='"></Jir>'>${JIR}</Jir>`.replace('</Jir>', ''), true],
  [`<Jir\n>${JIR}</Jir>`, true],
  [`<Jir><b>${JIR}</b></Jir>`, true],
  [`<Jir><!-- -->${JIR}</Jir>`, true],
  [`<!--<x>--><Jir>${JIR}</Jir><!--</x>-->`, true],
  [`<Jir>&#57;${JIR.slice(1)}</Jir>`, true],
  ['<Jir>no UUID</Jir>', true],
  [`<x a="don't"/><Jir>${JIR}</Jir>`, true],
  ['<Jir/>', false],
  ['<Jir a=">" />', false],
  ['<Jir a="/">\n</Jir>', false],
  ['<Jir></Jir>', false],
  ['<Jir><!-- --></Jir>', false],
  [`<Jir><!-- ${JIR} --></Jir>`, false],
  ['<Jir><![CDATA[ ]]></Jir>', false],
  ['<Jir>&#32;</Jir>', false],
  ['<Jir>&#x0A;&#9; </Jir>', false],
  [`<!-- <Jir>${JIR}</Jir> -->`, false],
  [`<!-- <![CDATA[ --><!-- <Jir>${JIR}</Jir> -->`, false],
  [`<![CDATA[<Jir>${JIR}</Jir>]]>`, false],
  [`&lt;Jir>${JIR}&lt;/Jir>`, false],
  [`<Jirs>${JIR}</Jirs>`, false],
  [`<Jir.x>${JIR}</Jir.x>`, false],
]

/** Documents around it: one that is read as XML, and some that are not. */
const DOCUMENTS: Record<string, (xml: string) => string> = {
  'a document': (xml) => inEnvelope(`<a xmlns:tns="${F73}">${xml}</a>`),
  'a malformed document': (xml) => inEnvelope(`<a xmlns:tns="${F73}">${xml}</b>`),
  'a document that is cut off': (xml) => inEnvelope(`<a xmlns:tns="${F73}">${xml}`).replace(/<\/soap:Body>.*/, ''),
  'a document with a DOCTYPE': (xml) => inEnvelope(`<a>${xml}</a>`).replace('?>', '?><!DOCTYPE a SYSTEM "<!--">'),
  'a document with entities': (xml) =>
    inEnvelope(`<a>${xml}</a>`).replace('?>', `?><!DOCTYPE a [<!ENTITY e '<!--'><!ENTITY f "--&#62;">]>`),
  'a page': (xml) => `<!DOCTYPE html><html><body><p title=x>${xml}<br></body></html>`,
}

test.for(Object.entries(DOCUMENTS).flatMap(([where, write]) => ELEMENTS.map((one) => [where, ...one, write] as const)))(
  'in %s, %s claims a JIR: %s',
  ([, xml, claims, write]) => {
    expect(claimsOf(Buffer.from(write(xml))).jir).toBe(claims)
  },
)

test.for<[what: string, document: string, claims: boolean]>([
  ['holds the JIR', `<!DOCTYPE a [<!ENTITY e "${JIR}">]><a><Jir>&e;</Jir></a>`, true],
  ['is kept elsewhere', '<!DOCTYPE a [<!ENTITY e SYSTEM "http://example.org/e">]><a><Jir>&e;</Jir></a>', true],
  ['holds the element', `<!DOCTYPE a [<!ENTITY e "<Jir>${JIR}</Jir>">]><a>&e;</a>`, true],
  ['holds the element in references', `<!DOCTYPE a [<!ENTITY e "&#60;Jir>${JIR}&#x3C;/Jir>">]><a>&e;</a>`, true],
  ['holds a letter of its name', `<!DOCTYPE a [<!ENTITY e "<J&#105;r>${JIR}</J&#105;r>">]><a>&e;</a>`, true],
  [
    'is declared by another',
    `<!DOCTYPE a [<!ENTITY % p "<!ENTITY e '&#38;#60;Jir&#62;${JIR}&#38;#60;/Jir&#62;'>">%p;]><a>&e;</a>`,
    true,
  ],
  ['stands elsewhere', `<!DOCTYPE a [<!ENTITY e "${JIR}">]><a><Jir> </Jir><b>&e;</b></a>`, false],
  ['bears the name', `<!DOCTYPE a [<!ENTITY Jir "${JIR}">]><a>&Jir;</a>`, false],
])('an entity that %s: %s', ([, document, claims]) => {
  expect(claimsOf(Buffer.from(document)).jir).toBe(claims)
})

test.for(['<a><Jir>', '<a><tns:Jir', '<a><Jir a="x', `<a><Jir>${JIR.slice(0, 9)}`, '<a><Jir><![CDATA[9d6f'])(
  'a JIR that is cut off is one: %s',
  (text) => {
    expect(claimsOf(Buffer.from(text)).jir).toBe(true)
  },
)

test.for(Object.entries(ENCODINGS))('a JIR is found in %s, in what is malformed too', async ([, encode]) => {
  const unsigned = inEnvelope(racunOdgovor({ said: `<tns:Naziv>Čaša</tns:Naziv><tns:Jir>${JIR}</tns:Jir>` }))
  for (const xml of [unsigned, unsigned.replace('</soap:Body>', '')]) {
    for (const status of [200, 502]) expect(await judged(encode(xml), { status })).toMatchObject(UNBELIEVABLE)
    const without = await judged(encode(xml.replace(JIR, ' ')), { status: 200 })
    expect(without).toMatchObject(UNPROVEN)
  }
})

test('a genuine answer is believed in UTF-16 without a byte order mark, too', async () => {
  const xml = answer().replace('UTF-8', 'UTF-16')
  expect(await judged(Buffer.from(xml, 'utf16le'))).toEqual(CONFIRMED)
  expect(await judged(Buffer.from(xml, 'utf16le').swap16())).toEqual(CONFIRMED)
})

test('an answer that cannot be read and holds a JIR is a claim, whatever its status', async () => {
  const malformed = inEnvelope(racunOdgovor()).replace('</soap:Body>', '')
  const blank = malformed.replace(JIR, '')
  for (const circumstances of [{ status: 502 }, { status: 404 }]) {
    expect(await judged(malformed, circumstances)).toMatchObject(UNBELIEVABLE)
    expect(await judged(blank, circumstances)).toMatchObject(UNAVAILABLE)
  }
})

test.for([
  '<!--',
  '<![CDATA[',
  '<?',
  '<a"',
  `<a'"`,
  '<Jir ',
  '<Jir a="',
  '<Jir>&#32;',
  '<a:',
  '&#38;',
  '&#0',
  '<!ENTITY',
])('a body that repeats %s is looked through at once', (text) => {
  const body = Buffer.from(text.repeat(64 * 1024).slice(0, 64 * 1024))
  const spent = processorTime()
  claimsOf(body)
  expect(spent()).toBeLessThan(300)
})
