import { X509Certificate } from 'node:crypto'
import { XmlDocument } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { rootOf, writeRequest } from '../../../src/cis/message/request-message.ts'
import { signMessage } from '../../../src/cis/message/sign-message.ts'
import { envelope } from '../../../src/cis/message/soap.ts'
import type { WorkingHours } from '../../../src/domain/hours/hours.ts'
import type { AuthorityRequest } from '../../../src/fiscal/ports/tax-authority.ts'
import { hasOfficialSchema, OTHER_MESSAGES, officialSchema } from '../../support/official-schema.ts'
import { OIBS, pki } from '../../support/pki.ts'
import { document, fullDocument, identityOf, MESSAGE_ID, SUMMER } from '../support/messages.ts'
import { skipWithoutXmlsec, xmlsecBelieves } from '../support/xmlsec.ts'

const AUTHORITIES = pki.bundleDer.map((der) => new X509Certificate(der).toString())
const PREMISES = { companyOib: OIBS[0], premisesCode: 'POSL1', operatorOib: OIBS[0] }

const span = (day: number, from: string, to: string) => ({ day, from, to })
const week = [1, 2, 3, 4, 5, 6, 7, 8]
const EXCEPTIONS = [
  { date: '2026-12-24', spans: [{ from: '08:00', to: '12:00' }] },
  {
    date: '2026-12-25',
    spans: [
      { from: '08:00', to: '12:00' },
      { from: '16:00', to: '24:00' },
    ],
  },
]
const HOURS: WorkingHours = {
  regular: [
    {
      from: '2026-12-03',
      note: 'š < & "x"',
      kind: 'single',
      spans: week.map((day) => span(day, '00:00', '24:00')),
    },
    {
      from: '2026-12-02',
      kind: 'split',
      spans: week.flatMap((day) => [
        { ...span(day, '08:00', '12:00'), part: 1 as const },
        { ...span(day, '16:00', '20:00'), part: 2 as const },
      ]),
    },
    { from: '2026-12-01', kind: 'by_arrangement', spans: [] },
  ],
  exceptions: EXCEPTIONS,
}
const ODD_AND_EVEN: WorkingHours = {
  regular: [
    {
      from: '2026-12-01',
      kind: 'odd_even',
      spans: week.flatMap((day) => [
        { ...span(day, '08:00', '12:00'), parity: 'odd' as const },
        { ...span(day, '14:00', '20:00'), parity: 'even' as const },
      ]),
    },
  ],
  exceptions: EXCEPTIONS,
}

const CORRECTION: AuthorityRequest = {
  operation: 'promijeniPodatkeRacuna',
  document: document(),
  lateDelivery: false,
  paymentMethod: 'K',
  recipientOib: null,
}
/** Each message, with everything that it can hold. */
const REQUESTS: AuthorityRequest[] = [
  { operation: 'provjera', document: document(), lateDelivery: false },
  { operation: 'provjera', document: fullDocument(), lateDelivery: true },
  CORRECTION,
  {
    operation: 'promijeniPodatkeRacuna',
    document: fullDocument(),
    lateDelivery: true,
    paymentMethod: 'K',
    recipientOib: OIBS[1],
  },
  { operation: 'prijaviRadnoVrijeme', hours: HOURS, ...PREMISES },
  { operation: 'prijaviRadnoVrijeme', hours: ODD_AND_EVEN, ...PREMISES },
  {
    operation: 'obrisiRadnoVrijeme',
    dates: { regular: ['2026-12-01', '2026-12-08'], exceptions: ['2026-12-24'] },
    ...PREMISES,
  },
  { operation: 'dohvatiRadnoVrijeme', ...PREMISES },
]

async function signed(request: AuthorityRequest): Promise<Buffer> {
  const identity = await identityOf()
  return signMessage(writeRequest({ mode: 'test', messageId: MESSAGE_ID, sentAt: SUMMER, identity, request }), identity)
}

test.skipIf(!hasOfficialSchema).each(REQUESTS)('$operation fits the official schema', async (request) => {
  const validator = officialSchema(OTHER_MESSAGES)
  const parsed = XmlDocument.fromString((await signed(request)).toString())
  try {
    validator.validate(parsed)
  } finally {
    parsed.dispose()
    validator.dispose()
  }
})

test.skipIf(skipWithoutXmlsec).each(REQUESTS)('xmlsec1 believes our signature of $operation', async (request) => {
  const root = `${rootOf(request.operation)}Zahtjev`
  const sent = envelope(await signed(request)).toString()
  expect(await xmlsecBelieves(sent, root, AUTHORITIES)).toBe(true)
  expect(await xmlsecBelieves(sent.replace('>POSL1<', '>POSL2<'), root, AUTHORITIES)).toBe(false)
})

test('regular hours go out in the order of their days, whatever order they were given in', async () => {
  const xml = (await signed({ operation: 'prijaviRadnoVrijeme', hours: HOURS, ...PREMISES })).toString()
  expect([...xml.matchAll(/<tns:DatumOd>([^<]+)/g)].map(([, day]) => day)).toEqual([
    '01.12.2026',
    '02.12.2026',
    '03.12.2026',
  ])
})

test('a correction holds the sale as it was fiscalized, and an empty element where there is no recipient', async () => {
  expect((await signed(CORRECTION)).toString()).toContain(
    '<tns:NakDost>false</tns:NakDost><tns:PromijenjeniNacinPlac>K</tns:PromijenjeniNacinPlac>' +
      '<tns:PromijenjeniOibPrimateljaRacuna></tns:PromijenjeniOibPrimateljaRacuna></tns:Racun>',
  )
})
