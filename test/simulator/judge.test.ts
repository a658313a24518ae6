import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createPki, type Pki, type Simulator, startSimulator } from '../../src/simulator/index.ts'
import { OIBS } from '../support/pki.ts'
import { type RequestFields, type RequestSigner, type SigningFaults, signedRequest } from '../support/signed-request.ts'
import { post, readAnswer } from '../support/simulator.ts'

const OIB = OIBS[0]
/** 15.07.2026 14:00:00 in Zagreb. */
const NOW = Date.UTC(2026, 6, 15, 12, 0, 0)
const BASE: RequestFields = { oib: OIB, sentAt: '15.07.2026T14:00:00' }

let pki: Pki
let own: RequestSigner
let simulator: Simulator
beforeAll(async () => {
  // A fixed clock needs certificates that were valid then.
  pki = await createPki({ notBefore: new Date(Date.UTC(2026, 0, 1)) })
  own = await pki.issueCompany({ oib: OIB })
  simulator = await startSimulator({ pki, now: () => NOW })
})
afterAll(() => simulator.close())
afterEach(() => {
  simulator.registry = null
})

async function send(
  fields: Partial<RequestFields>,
  faults: SigningFaults = {},
  signer: RequestSigner | Promise<RequestSigner> = own,
) {
  const answer = await post(simulator, signedRequest({ ...BASE, ...fields }, await signer, faults))
  const last = simulator.received.at(-1)
  return { ...readAnswer(answer.body), status: answer.status, body: answer.body, recorded: last }
}

/** The error the recorded message got, as `code text`. */
function errorOf({ recorded }: Awaited<ReturnType<typeof send>>): string {
  return recorded?.errors.map(({ code, message }) => `${code} ${message}`).join() ?? 'nothing recorded'
}

test('a correct receipt gets a JIR, and what it said is on record', async () => {
  const messageId = 'aaaaaaaa-0000-4000-8000-000000000001'
  const answer = await send({ messageId, number: '7', late: true, occurredAt: '15.07.2026T13:00:00' })

  expect(answer).toMatchObject({ status: 200, messageId, codes: [] })
  expect(answer.jir).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(answer.recorded).toMatchObject({
    messageId,
    oib: OIB,
    number: '7',
    premisesCode: 'POSL1',
    registerMark: '123456789',
    lateDelivery: true,
    total: '2.50',
    sentAt: '15.07.2026T14:00:00',
    occurredAt: '15.07.2026T13:00:00',
    jir: answer.jir,
    errors: [],
    zkiMatches: true,
  })
  expect(answer.body).toContain('<tns:DatumVrijeme>15.07.2026T14:00:00</tns:DatumVrijeme>')
})

test('the same receipt sent again gets the same JIR, another receipt another one', async () => {
  const first = await send({ number: '8' })
  const again = await send({ number: '8', late: true })
  const other = await send({ number: '9' })

  expect(again.jir).toBe(first.jir)
  expect(other.jir).not.toBe(first.jir)
})

test('a ZKI that the company’s key did not make is accepted, as by the real service, and noticed', async () => {
  const wrong = await send({ number: '10', zki: '0123456789abcdef0123456789abcdef' })
  expect(wrong.jir).not.toBeNull()
  expect(wrong.recorded?.zkiMatches).toBe(false)
})

test('a ZKI made with the key of an earlier certificate still matches', async () => {
  const later = await pki.issueCompany({ oib: OIB })
  const zki = simulator.received[0]?.zki ?? ''
  const { number = '' } = simulator.received[0] ?? {}
  const resent = await send({ number, zki, occurredAt: '15.07.2026T13:00:00' }, {}, later)
  expect(resent.recorded).toMatchObject({ zkiMatches: true, errors: [] })
})

describe('s001, the schema', () => {
  const cases: [string, (xml: string) => string][] = [
    [
      'elements in another order',
      (xml) => xml.replace(/(<tns:USustPdv>.*?<\/tns:USustPdv>)(.*?<\/tns:DatVrijeme>)/, '$2$1'),
    ],
    ['an empty element', (xml) => xml.replace('</tns:NakDost>', '</tns:NakDost><tns:SpecNamj></tns:SpecNamj>')],
    ['the abolished payment kind C', (xml) => xml.replace('>G</tns:NacinPlac>', '>C</tns:NacinPlac>')],
    [
      'an uppercase message id',
      (xml) => xml.replace(/<tns:IdPoruke>[^<]*/, (id) => id.toUpperCase().replace('TNS:IDPORUKE', 'tns:IdPoruke')),
    ],
    ['a space between date and time', (xml) => xml.replace(/(<tns:DatVrijeme>[^T]*)T/, '$1 ')],
    ['a day that no calendar has', (xml) => xml.replace('>15.07.2026T', '>31.06.2026T')],
    ['one decimal', (xml) => xml.replace('>2.50<', '>2.5<')],
    ['letters in the ISU number', (xml) => xml.replace('>123456789<', '>ISU1<')],
    ['a hyphen in the premises code', (xml) => xml.replace('>POSL1<', '>POSL-1<')],
    ['an uppercase ZKI', (xml) => xml.replace(/<tns:ZastKod>[^<]*/, '<tns:ZastKod>0123456789ABCDEF0123456789ABCDEF')],
    ['no total', (xml) => xml.replace('<tns:IznosUkupno>2.50</tns:IznosUkupno>', '')],
    [
      'an element of nobody',
      (xml) => xml.replace('</tns:NakDost>', '</tns:NakDost><tns:Napojnica>1.00</tns:Napojnica>'),
    ],
    ['two signatures', (xml) => xml.replace(/<ds:Signature .*<\/ds:Signature>/, '$&$&')],
  ]
  test.each(cases)('%s is refused', async (_what, change) => {
    const answer = await send({}, { change })
    expect(answer).toMatchObject({ status: 500, jir: null, codes: ['s001'] })
  })

  test('every optional element in its place is taken, the recipient last', async () => {
    const line = '<tns:Stopa>3.00</tns:Stopa><tns:Osnovica>2.00</tns:Osnovica><tns:Iznos>0.06</tns:Iznos>'
    const taxes =
      `<tns:Pdv><tns:Porez>${line}</tns:Porez><tns:Porez>${line}</tns:Porez></tns:Pdv>` +
      `<tns:Pnp><tns:Porez>${line}</tns:Porez></tns:Pnp>` +
      `<tns:OstaliPor><tns:Porez><tns:Naziv>Porez na luksuz</tns:Naziv>${line}</tns:Porez></tns:OstaliPor>` +
      '<tns:IznosOslobPdv>1.00</tns:IznosOslobPdv><tns:IznosMarza>-1.00</tns:IznosMarza>' +
      '<tns:IznosNePodlOpor>+1.00</tns:IznosNePodlOpor><tns:Naknade><tns:Naknada><tns:NazivN>Povratna naknada</tns:NazivN>' +
      '<tns:IznosN>0.07</tns:IznosN></tns:Naknada></tns:Naknade>'
    const tail = '<tns:ParagonBrRac>1/458/5</tns:ParagonBrRac><tns:SpecNamj>Navedeno kao u računu</tns:SpecNamj>'
    expect(await send({ taxes, tail, recipientOib: OIBS[1] })).toMatchObject({ status: 200, codes: [] })
  })
})

describe('s004, the signature', () => {
  const cases: [string, SigningFaults][] = [
    ['no signature', { withoutSignature: true }],
    ['inclusive canonical XML', { c14n: 'inclusive' }],
    ['SHA-1', { hash: 'sha1' }],
    ['a reference to something else', { referenceId: 'drugo' }],
    ['the serial number of another certificate', { serial: '12345' }],
    ['no issuer and serial', { withoutIssuerSerial: true }],
    ['a total changed after signing', { change: (xml) => xml.replace('>2.50<', '>2.51<') }],
    ['a changed signature', { change: (xml) => xml.replace(/SignatureValue>..../, 'SignatureValue>AAAA') }],
    ['a changed digest', { change: (xml) => xml.replace(/DigestValue>..../, 'DigestValue>AAAA') }],
    ['a certificate that is none', { change: (xml) => xml.replace(/X509Certificate>[^<]*/, 'X509Certificate>AAAA') }],
    ['a reference to the whole document', { change: (xml) => xml.replace(/URI="[^"]*"/, 'URI=""') }],
    ['a second reference', { change: (xml) => xml.replace(/<ds:Reference .*<\/ds:Reference>/, '$&$&') }],
    ['one transform', { change: (xml) => xml.replace(/<ds:Transform Algorithm="[^"]*enveloped-signature"\/>/, '') }],
  ]
  test.each(cases)('%s is refused', async (_what, faults) => {
    expect(await send({}, faults)).toMatchObject({ status: 500, jir: null, codes: ['s004'] })
  })
})

describe('s002, s003 and s005, the certificate', () => {
  test('a self-signed certificate is not trusted', async () => {
    expect((await send({}, {}, pki.issueCompany({ oib: OIB, selfSigned: true }))).codes).toEqual(['s002'])
  })

  test('a certificate of another CA with the same name is not trusted', async () => {
    expect((await send({}, {}, pki.issueSigner({ cn: 'FISKAL 1', fromOtherCa: true }))).codes).toEqual(['s002'])
  })

  test.each([
    ['ended yesterday', { notBefore: new Date(NOW - 9e9), notAfter: new Date(NOW - 86_400_000) }],
    ['begins tomorrow', { notBefore: new Date(NOW + 86_400_000) }],
  ])('a certificate that %s is refused', async (_what, validity) => {
    expect((await send({}, {}, pki.issueCompany({ oib: OIB, ...validity }))).codes).toEqual(['s002'])
  })

  test('a certificate without an OIB lacks mandatory data', async () => {
    expect((await send({}, {}, pki.issueCompany({ oib: OIB, oibIn: 'none' }))).codes).toEqual(['s003'])
  })

  test('a certificate of another company is refused', async () => {
    expect((await send({}, {}, pki.issueCompany({ oib: OIBS[1] }))).codes).toEqual(['s005'])
  })

  test('both places must name the company', async () => {
    const order = { oib: OIB, oibIn: 'O' as const, organizationIdentifier: `HR${OIBS[1]}` }
    expect((await send({}, {}, pki.issueCompany(order))).codes).toEqual(['s005'])
  })

  test.each([
    ['O', { oibIn: 'O' as const, name: 'Šećer i žito d.o.o.' }],
    ['organizationIdentifier with the prefix VATHR-', { organizationIdentifier: `VATHR-${OIB}` }],
  ])('the OIB may stand in %s', async (_where, order) => {
    expect((await send({}, {}, pki.issueCompany({ oib: OIB, ...order }))).codes).toEqual([])
  })
})

describe('s013, the restrictive rules', () => {
  const cases: [string, Partial<RequestFields>, string][] = [
    ['a sale of 31 days ago', { occurredAt: '14.06.2026T14:00:00' }, '176'],
    ['a sale in two minutes', { occurredAt: '15.07.2026T14:02:00' }, '177'],
    ['number 0', { number: '0' }, '178'],
    ['an operator OIB with a wrong check digit', { operatorOib: '12345678901' }, '179'],
    ['a recipient OIB with a wrong check digit', { recipientOib: '12345678901' }, '180'],
    ['a recipient with payment T', { recipientOib: OIBS[1], payment: 'T' }, '181'],
    ['cash above the limit', { total: '10000.01' }, '185'],
    ['a card above the limit, negative', { total: '-10000.01', payment: 'K' }, '185'],
    ['several at once', { number: '00', total: '99999.00' }, '178, 185'],
  ]
  test.each(cases)('%s is refused', async (_what, fields, codes) => {
    const answer = await send(fields)
    expect(answer).toMatchObject({ status: 500, jir: null, codes: ['s013'] })
    expect(errorOf(answer)).toBe(`s013 Račun sadrži restriktivne pogreške. Šifre pogrešaka: ${codes}`)
  })

  const allowed: [string, Partial<RequestFields>][] = [
    ['a sale of 29 days ago', { occurredAt: '16.06.2026T14:00:00' }],
    ['a clock half a minute ahead', { occurredAt: '15.07.2026T14:00:30' }],
    ['exactly the limit in cash', { total: '10000.00' }],
    ['more than the limit by other means', { total: '10000.01', payment: 'O' }],
  ]
  test.each(allowed)('%s is allowed', async (_what, fields) => {
    expect((await send(fields)).codes).toEqual([])
  })

  const devices: [string, Partial<RequestFields>, string][] = [
    ['an unknown premises code', { premises: 'POSL9' }, '182, 184'],
    ['an unknown ISU number', { register: '5' }, '183'],
    ['an ISU number of other premises', { premises: 'POSL2' }, '184'],
    ['another company’s ISU number', { register: '333' }, '183'],
  ]
  test.each(devices)('with a registry, %s is refused', async (_what, fields, codes) => {
    simulator.registry = [
      { oib: OIB, premisesCode: 'POSL1', registerMark: '123456789' },
      { oib: OIB, premisesCode: 'POSL2', registerMark: '22' },
      { oib: OIBS[1], premisesCode: 'POSL1', registerMark: '333' },
    ]
    expect((await send({})).codes).toEqual([])
    expect(errorOf(await send(fields))).toContain(`Šifre pogrešaka: ${codes}`)
  })
})
