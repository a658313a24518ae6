import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  FORGED_JIR,
  type Misbehaviour,
  type Pki,
  type Simulator,
  startSimulator,
  WRAPPINGS,
} from '../../src/simulator/index.ts'
import { messageTime } from '../../src/simulator/zagreb.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { echoRequest, signedRequest } from '../support/signed-request.ts'
import { checkSignature, type HttpAnswer, post, readAnswer } from '../support/simulator.ts'

const OIB = OIBS[0]
let simulator: Simulator
let lastNumber = 0
beforeAll(async () => {
  simulator = await startSimulator({ pki })
})
afterAll(() => simulator.close())

/** Posts a new, correct sale under a misbehaviour. */
async function sell(behaviour: Misbehaviour | null, timeoutMs = 10_000) {
  if (behaviour !== null) simulator.misbehave(behaviour)
  lastNumber += 1
  const fields = { oib: OIB, sentAt: messageTime(Date.now()), number: String(lastNumber) }
  return post(simulator, signedRequest(fields, await certificateOf(OIB)), { timeoutMs })
}

/** The same of a service that is like this for as long as the test goes. */
async function sellWith(changes: Partial<Pick<Simulator, 'hash' | 'dateAheadMs'>>) {
  const { hash, dateAheadMs } = simulator
  onTestFinished(() => void Object.assign(simulator, { hash, dateAheadMs }))
  Object.assign(simulator, changes)
  return sell(null)
}

const lastReceived = () => simulator.received.find((message) => message.number === String(lastNumber))

function trustedBy(signer: X509Certificate): boolean {
  return pki.bundleDer.some((der) => signer.verify(new X509Certificate(der).publicKey))
}

describe('outages: nothing is processed', () => {
  test('timeout leaves the request unanswered', async () => {
    await expect(sell('timeout', 300)).rejects.toThrow(/abort/i)
    expect(lastReceived()).toBeUndefined()
  })

  test('drop-before closes the connection', async () => {
    await expect(sell('drop-before')).rejects.toThrow(/socket hang up|ECONNRESET/)
    expect(lastReceived()).toBeUndefined()
  })

  test.each([
    ['http-503', 503, 'text/plain', 'Service Unavailable'],
    ['html-500', 500, 'text/html', '<h1>Internal Server Error</h1>'],
    ['soap-fault', 500, 'text/xml;charset=UTF-8', '<faultcode>soap:Server</faultcode>'],
  ] as const)('%s answers what its name says', async (behaviour, status, type, text) => {
    const answer = await sell(behaviour)
    expect(answer).toMatchObject({ status, body: expect.stringContaining(text) })
    expect(answer.headers['content-type']).toBe(type)
    expect(lastReceived()).toBeUndefined()
  })

  test('redirect points somewhere else', async () => {
    const answer = await sell('redirect')
    expect(answer).toMatchObject({ status: 302, headers: { location: '/FiskalizacijaServiceDrugdje' } })
  })
})

describe('errors: genuine, signed answers', () => {
  test.each([
    ['s006', 's006', 'Sistemska pogreška'],
    ['s013', 's013', ': 179<'],
    [{ error: 's002' }, 's002', 'Certifikat nije izdan'],
    [{ error: 's013', codes: [182, 183] }, 's013', ': 182, 183<'],
    [{ error: 's999', message: 'Nešto & drugo' }, 's999', 'Nešto &amp; drugo'],
  ] as const)('%j', async (behaviour, code, text) => {
    const answer = await sell(behaviour as Misbehaviour)
    expect(answer).toMatchObject({ status: 500, body: expect.stringContaining(text) })
    expect(readAnswer(answer.body)).toMatchObject({ jir: null, codes: [code] })
    expect(checkSignature(answer.body).valid).toBe(true)
    expect(lastReceived()).toMatchObject({ jir: null, errors: [{ code }] })
  })
})

describe('deliveries: processed, then lost or spoilt', () => {
  test.each(['drop-after', 'truncated'] as const)(
    '%s: the client gets no whole answer, the JIR is issued',
    async (how) => {
      await expect(sell(how)).rejects.toThrow(/socket hang up|ECONNRESET|aborted/)
      expect(lastReceived()?.jir).toBeTruthy()
    },
  )

  test('a delayed answer is the right one', async () => {
    const started = performance.now()
    const answer = await sell({ delayMs: 300 })
    expect(performance.now() - started).toBeGreaterThan(295)
    expect(readAnswer(answer.body).jir).toBe(lastReceived()?.jir)
  })

  test('a trickling answer is whole in the end', async () => {
    const answer = await sell({ trickleMs: 0 })
    expect(checkSignature(answer.body).valid).toBe(true)
  })

  test('a slow trickle outlasts an impatient client', async () => {
    await expect(sell('trickle', 500)).rejects.toThrow(/abort/i)
  })

  test('a huge answer has 100 MB', async () => {
    const answer = await sell('huge', 25_000)
    expect(answer.body.length).toBeGreaterThan(100 * 1024 * 1024)
  })

  test.each([
    ['not-xml', 'OK'],
    ['empty', ''],
  ] as const)('%s answers 200 without a RacunOdgovor', async (how, body) => {
    expect(await sell(how)).toMatchObject({ status: 200, body })
    expect(lastReceived()?.jir).toBeTruthy()
  })
})

describe('oddities: answers that are genuine', () => {
  test('sha1: both algorithms are the old ones, for one answer or for all', async () => {
    for (const body of [(await sell('sha1')).body, (await sellWith({ hash: 'sha1' })).body]) {
      expect(body).toContain('xmldsig#rsa-sha1')
      expect(body).toContain('xmldsig#sha1')
      expect(body).not.toContain('sha256')
    }
  })

  test('spaced: what is around the JIR was signed', async () => {
    const { body } = await sell('spaced')
    expect(body).toMatch(/<tns:Jir>\n {2}[0-9a-f-]{36}\n<\/tns:Jir>/)
    expect(checkSignature(body).valid).toBe(true)
  })

  test.each(['gzip', 'deflate'] as const)('%s: compressed, and said to be so', async (encoding) => {
    const { headers, body } = await sell(encoding)
    expect(headers['content-encoding']).toBe(encoding)
    expect(body).not.toContain('<tns:Jir>')
    expect(lastReceived()?.jir).toBeTruthy()
  })

  test('a Date ahead: of one answer, or of all of them', async () => {
    const dateOf = ({ headers }: { headers: HttpAnswer['headers'] }) => Date.parse(String(headers.date))
    expect(dateOf(await sell({ dateAheadMs: -86_400_000 })) - Date.now()).toBeLessThan(-86_000_000)
    expect(Math.abs(dateOf(await sell(null)) - Date.now())).toBeLessThan(60_000)
    expect(dateOf(await sellWith({ dateAheadMs: 86_400_000 })) - Date.now()).toBeGreaterThan(86_000_000)
  })
})

describe('hearsay: answers that say nothing which could be believed', () => {
  test.each([
    ['unsigned-error', 's001', false],
    ['odgovor', 's006', false],
    ['empty-message-id', 's001', true],
    ['foreign-error', 's001', true],
  ] as const)('%s: %s without a JIR', async (kind, code, isSigned) => {
    const before = simulator.received.length
    const answer = await sell(kind)
    const said = readAnswer(answer.body)
    expect([answer.status, said.jir, said.codes]).toEqual([500, null, [code]])
    expect(answer.body.includes('<Signature')).toBe(isSigned)
    if (isSigned) expect(checkSignature(answer.body).valid).toBe(true)
    expect(answer.body.includes('<tns:Odgovor')).toBe(kind === 'odgovor')
    expect(simulator.received.length - before).toBe(kind === 'odgovor' ? 0 : 1)
  })
})

describe('forgeries: answers that must not be believed', () => {
  test('wrong-signer-ca: right name, right signature, foreign CA', async () => {
    const { valid, signer } = checkSignature((await sell('wrong-signer-ca')).body)
    expect(valid).toBe(true)
    expect(signer.subject).toContain('CN=fiskalcistest')
    expect(trustedBy(signer)).toBe(false)
  })

  test('wrong-signer-cn: trusted CA, another name', async () => {
    const { valid, signer } = checkSignature((await sell('wrong-signer-cn')).body)
    expect(valid).toBe(true)
    expect(signer.subject).toContain('CN=somebody')
    expect(trustedBy(signer)).toBe(true)
  })

  test('expired-signer: right name, trusted CA, over', async () => {
    const { valid, signer } = checkSignature((await sell('expired-signer')).body)
    expect(valid).toBe(true)
    expect(trustedBy(signer)).toBe(true)
    expect(Date.parse(signer.validTo)).toBeLessThan(Date.now())
  })

  test('unsigned has no signature', async () => {
    const answer = await sell('unsigned')
    expect(answer.body).not.toContain('<Signature')
    expect([answer.status, readAnswer(answer.body).codes]).toEqual([200, []])
  })

  test('tampered: the JIR is not the one that was signed', async () => {
    const { body } = await sell('tampered')
    expect(readAnswer(body).jir).toBe(FORGED_JIR)
    expect(checkSignature(body).valid).toBe(false)
  })

  test('wrong-message-id: genuine, about another message', async () => {
    const { body } = await sell('wrong-message-id')
    expect(checkSignature(body).valid).toBe(true)
    expect(readAnswer(body).messageId).not.toBe(lastReceived()?.messageId)
  })

  test('bad-jir: genuine, but no UUID', async () => {
    const { body } = await sell('bad-jir')
    expect(checkSignature(body).valid).toBe(true)
    expect(readAnswer(body).jir).toBe('nije-jir')
  })

  test('mixed-hashes: the digest is the old one, the signature is not', async () => {
    const { body } = await sell('mixed-hashes')
    expect(body).toContain('xmldsig-more#rsa-sha256')
    expect(body).toContain('xmldsig#sha1')
  })

  test('doctype: verifies for whoever expands entities', async () => {
    const { body } = await sell('doctype')
    expect(body).toContain('<!DOCTYPE')
    expect(body).toContain('<tns:Jir>&jir;</tns:Jir>')
    expect(checkSignature(body)).toMatchObject({
      valid: true,
      covered: expect.stringContaining(lastReceived()?.jir ?? '?'),
    })
  })

  test.each([
    ['xml-bomb', '<!ENTITY jir "&i;&i;'],
    ['external-entity', '<!ENTITY jir SYSTEM "file:///'],
  ] as const)('%s: the JIR is an entity that costs or betrays whoever expands it', async (kind, declaration) => {
    const { body } = await sell(kind)
    expect(body).toContain(declaration)
    expect(body).toContain('<tns:Jir>&jir;</tns:Jir>')
    expect(body.length).toBeLessThan(10_000)
  })

  test.each(WRAPPINGS)('wrapped %s: the signature holds, the first JIR is the forged one', async (wrapped) => {
    const { body } = await sell({ wrapped })
    const { valid, signer, covered } = checkSignature(body)
    expect(valid).toBe(true)
    expect(signer.subject).toContain('CN=fiskalcistest')
    expect(covered).not.toContain(FORGED_JIR)
    const soapBody = body.slice(body.indexOf('<soap:Body>'))
    expect(readAnswer(soapBody).jir).toBe(FORGED_JIR)
  })
})

test('misbehaviours are used up one per receipt, in order; then the service is itself again', async () => {
  simulator.misbehave('s006', 'http-503')
  expect((await sell(null)).body).toContain('s006')
  expect((await sell(null)).status).toBe(503)
  expect(readAnswer((await sell(null)).body).jir).toBe(lastReceived()?.jir)
})

test('a standing misbehaviour waits behind the queue and ends when told', async () => {
  simulator.always('http-503')
  expect((await sell('s006')).body).toContain('s006')
  expect((await sell(null)).status).toBe(503)
  expect((await sell(null)).status).toBe(503)
  simulator.always(null)
  expect((await sell(null)).status).toBe(200)
})

test('a standing outage meets an echo too, a queued one does not', async () => {
  const echo = () => post(simulator, echoRequest('bok'), { operation: 'echo' })
  simulator.always('html-500')
  expect((await echo()).status).toBe(500)
  simulator.always(null)
  simulator.misbehave('http-503')
  expect((await echo()).status).toBe(200)
  expect((await sell(null)).status).toBe(503)
})

test('an error that was imposed once does not stick to the receipt', async () => {
  const fields = { oib: OIB, sentAt: messageTime(Date.now()), number: '900' }
  const signer = await certificateOf(OIB)
  simulator.misbehave('s006')
  expect((await post(simulator, signedRequest(fields, signer))).status).toBe(500)
  expect((await post(simulator, signedRequest(fields, signer))).status).toBe(200)
})

test('signers that must not be believed are made as soon as they are asked for, not inside an answer', async () => {
  const made: string[] = []
  const counted: Pki = {
    ...pki,
    issueSigner(order) {
      made.push(order.cn)
      return pki.issueSigner(order)
    },
  }
  const prepared = await startSimulator({ pki: counted })
  onTestFinished(() => prepared.close())
  prepared.misbehave('s006', 'wrong-signer-cn')
  expect(made).toEqual(['somebody'])
  prepared.always('expired-signer')
  expect(made).toEqual(['somebody', 'fiskalcistest'])
  prepared.misbehave('wrong-signer-cn', { delayMs: 1 })
  prepared.always(null)
  await prepared.prepared()
  expect(made).toHaveLength(2)
})

test('a mood decides about what nothing queued or standing decides about', async () => {
  const moods: (Misbehaviour | null)[] = ['http-503', null]
  const moody = await startSimulator({ pki, mood: () => moods.shift() ?? null })
  onTestFinished(() => moody.close())
  const signer = await certificateOf(OIB)
  const statusOf = async (number: string) =>
    (await post(moody, signedRequest({ oib: OIB, sentAt: messageTime(Date.now()), number }, signer))).status
  moody.misbehave('html-500')
  expect(await statusOf('1')).toBe(500)
  moody.always('soap-fault')
  expect(await statusOf('2')).toBe(500)
  expect(moods).toHaveLength(2)
  moody.always(null)
  expect([await statusOf('3'), await statusOf('4')]).toEqual([503, 200])
})
