import { answer, F73, greske, inEnvelope, JIR, racunOdgovor, signed } from './answers.ts'
import { FORGED } from './forgeries.ts'
import type { Circumstances } from './judged.ts'

export interface JirForgery {
  what: string
  /** Of the sale (docs/spec/cis.md, XML signature). */
  state: 'failed' | 'retrying'
  /** Why it is not believed; null for what is no answer at all. */
  reason: string | null
  body: string
  circumstances?: Circumstances
}

const jir = (content: string, attributes = '') => `<tns:Jir${attributes}>${content}</tns:Jir>`
const unsigned = (said: string) => inEnvelope(racunOdgovor({ said }))
const malformed = (said: string) => unsigned(said).replace('</soap:Body>', '')
const declaring = (declaration: string, said: string) =>
  unsigned(said).replace('?>', `?><!DOCTYPE Envelope [${declaration}]>`)
const odgovor = (said: string) => inEnvelope(`<tns:Odgovor xmlns:tns="${F73}" Id="G1">${said}</tns:Odgovor>`)
const fault = (detail: string) =>
  inEnvelope(`<soap:Fault><faultcode>soap:Server</faultcode><detail>${detail}</detail></soap:Fault>`)
const S006 = greske(['s006', 'Sistemska pogreška prilikom obrade zahtjeva.'])

const NEITHER = 'it holds neither a JIR nor an error'
const NO_UUID = 'its JIR is not a UUID'
const UNSIGNED = 'there is not exactly one signature'
const MALFORMED = 'it is not well-formed XML'
const DOCTYPE = 'it holds a DOCTYPE'
const NO_ANSWER = 'it is no answer to a receipt'

type Row = [what: string, reason: string | null, body: string, circumstances?: Circumstances]

const CLAIMING: Row[] = [
  ['a genuine answer whose JIR is no UUID', NO_UUID, answer({ said: jir(JIR.replaceAll('-', '')) })],
  ['a genuine answer whose JIR is a UUID with a tail', NO_UUID, answer({ said: jir(`${JIR} ${FORGED}`) })],
  [
    'a genuine answer whose JIR stands in pieces',
    'Jir holds more than text',
    answer({ said: jir(`${JIR.slice(0, 9)}<b/>${JIR.slice(9)}`) }),
  ],
  ['a genuine answer with two JIRs', 'there is not exactly one Jir', answer({ said: jir(JIR) + jir(FORGED) })],
  ['a genuine answer with a JIR of another name space', NEITHER, answer({ said: `<Jir xmlns="urn:x">${JIR}</Jir>` })],
  ['a genuine answer whose JIR stands one level down', NEITHER, answer({ said: `<tns:Racun>${jir(JIR)}</tns:Racun>` })],
  ['a JIR in a CDATA section', UNSIGNED, unsigned(jir(`<![CDATA[${JIR}]]>`))],
  ['a JIR behind an attribute with />', UNSIGNED, unsigned(jir(JIR, ' a="/>"'))],
  ['a JIR behind an attribute with >', UNSIGNED, unsigned(jir(JIR, ' a=">"'))],
  ['a JIR in an element of its own', UNSIGNED, unsigned(jir(`<b>${JIR}</b>`))],
  ['a JIR behind a comment', UNSIGNED, unsigned(jir(`<!-- -->${JIR}`))],
  ['a JIR in references to characters', UNSIGNED, unsigned(jir(`&#57;${JIR.slice(1)}`))],
  ['a JIR that is an entity', DOCTYPE, declaring(`<!ENTITY e "${JIR}">`, jir('&e;'))],
  ['a JIR that is kept elsewhere', DOCTYPE, declaring('<!ENTITY e SYSTEM "http://example.org/">', jir('&e;'))],
  ['an entity that is a JIR with its element', DOCTYPE, declaring(`<!ENTITY e "&#60;Jir>${JIR}&#60;/Jir>">`, '&e;')],
  ['a JIR in a malformed answer', MALFORMED, malformed(jir(JIR))],
  ['a JIR in a CDATA section of a malformed answer', MALFORMED, malformed(jir(`<![CDATA[${JIR}]]>`))],
  ['a JIR in a malformed answer with HTTP 502', MALFORMED, malformed(jir(JIR)), { status: 502 }],
  ['a JIR that is cut off', MALFORMED, unsigned(jir(JIR)).replace(/b6-.*/, '')],
  ['an element Odgovor with a JIR', NO_ANSWER, odgovor(jir(JIR))],
  ['a fault with a JIR in it', NO_ANSWER, fault(racunOdgovor())],
  ['a page with a JIR in it', NO_ANSWER, `<html><body><Jir>${JIR}</Jir></body></html>`],
  ['a malformed page with a JIR in it', NO_ANSWER, `<html><body><Jir>${JIR}</Jir><br></body></html>`, { status: 502 }],
]

const SILENT: Row[] = [
  ['a genuine answer that says nothing', NEITHER, answer({ said: '' })],
  ['a genuine answer with an empty list of errors', NEITHER, answer({ said: '<tns:Greske/>' })],
  ['a genuine answer with an empty JIR', NO_UUID, answer({ said: '<tns:Jir/>' })],
  ['a genuine answer with a blank JIR', NO_UUID, answer({ said: jir('\n ') })],
  [
    'a genuine answer that has an error without a code',
    'there is not exactly one SifraGreske',
    answer({ said: '<tns:Greske><tns:Greska/></tns:Greske>' }),
  ],
  ['a JIR in a comment', UNSIGNED, unsigned(`<!-- ${jir(JIR)} -->`)],
  ['a JIR in a comment in its element', UNSIGNED, unsigned(jir(`<!-- ${JIR} -->`))],
  ['a JIR in an attribute', UNSIGNED, unsigned(jir('', ` a="${JIR}"`))],
  ['a JIR in a processing instruction', UNSIGNED, unsigned(`<?jir ${JIR}?>`)],
  ['a JIR that is a reference to a space', UNSIGNED, unsigned(jir('&#32;'))],
  ['a JIR that is an empty CDATA section', UNSIGNED, unsigned(jir('<![CDATA[]]>'))],
  ['a JIR with its markup escaped', UNSIGNED, unsigned(`&lt;tns:Jir>${JIR}&lt;/tns:Jir>`)],
  ['an entity beside an empty JIR', DOCTYPE, declaring(`<!ENTITY e "${JIR}">`, `${jir('')}<tns:Naziv>&e;</tns:Naziv>`)],
  ['a blank JIR in a malformed answer', MALFORMED, malformed(jir('&#x20;\n'))],
  ['a JIR in a comment of a malformed answer', MALFORMED, malformed(`<!-- ${jir(JIR)} -->`)],
  ['an element Odgovor with errors', NO_ANSWER, odgovor(S006)],
  [
    'a signed element Odgovor with errors',
    NO_ANSWER,
    signed(odgovor(S006), { xpath: "//*[local-name()='Odgovor']", into: 'Odgovor' }),
  ],
  ['a fault with errors in it', NO_ANSWER, fault(S006.replaceAll('tns:', ''))],
  ['a page that names a JIR', null, '<html><body>&lt;Jir&gt; is missing<br></body></html>'],
]

/** What claims a JIR in a way of its own, or only seems to. */
export const JIR_FORGERIES: readonly JirForgery[] = [
  ...CLAIMING.map(
    ([what, reason, body, circumstances]): JirForgery => ({
      ...{ what, state: 'failed', reason, body },
      ...(circumstances && { circumstances }),
    }),
  ),
  ...SILENT.map(
    ([what, reason, body, circumstances]): JirForgery => ({
      ...{ what, state: 'retrying', reason, body },
      ...(circumstances && { circumstances }),
    }),
  ),
]
