import { X509Certificate } from 'node:crypto'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/simulator/index.ts'
import { messageTime } from '../../src/simulator/zagreb.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { echoRequest, envelope, signedRequest } from '../support/signed-request.ts'
import { checkSignature, post, readAnswer } from '../support/simulator.ts'

const open: Simulator[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()))
})

async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ pki, ...options })
  open.push(simulator)
  return simulator
}

async function sale(number = '1'): Promise<string> {
  return signedRequest({ oib: OIBS[0], sentAt: messageTime(Date.now()), number }, await certificateOf(OIBS[0]))
}

function handshake(simulator: Simulator, ca: string | string[], options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const port = Number(new URL(simulator.url).port)
    const socket = connect({ host: '127.0.0.1', port, ca, ...options }, () => resolve(socket))
    socket.on('error', reject)
  })
}

describe('TLS, as the real service does it', () => {
  test('only the leaf is sent', async () => {
    // A client without any trust sees exactly what came over the wire: nothing completes the chain for it.
    const socket = await handshake(await start(), [], { rejectUnauthorized: false })
    const { fingerprint256, issuerCertificate } = socket.getPeerCertificate(true)
    socket.destroy()
    expect(fingerprint256).toBe(new X509Certificate(pki.tls.certPem).fingerprint256)
    expect(issuerCertificate).toBeUndefined()
  })

  test('a client that trusts the root alone cannot build the chain', async () => {
    const [root = ''] = pki.bundlePem.split(/(?<=-----END CERTIFICATE-----\n)/)
    await expect(handshake(await start(), root)).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  })

  test('TLS 1.1 is refused', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const refused = handshake(await start(), pki.bundlePem, old)
    await expect(refused).rejects.toThrow(/alert protocol version|protocol/i)
  })
})

describe('SOAP', () => {
  test('an echo comes back with the same text, status 200', async () => {
    const answer = await post(await start(), echoRequest('bok &amp; dobar dan, čšž'), { operation: 'echo' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(/<tns:EchoResponse [^>]*>bok &amp; dobar dan, čšž<\/tns:EchoResponse>/)
  })

  test.each([
    ['a SOAPAction of nobody', { operation: 'nista' }],
    ['the SOAPAction of another operation', { operation: 'echo' }],
    ['a SOAPAction without quotes', { headers: { soapaction: 'http://e-porezna.porezna-uprava.hr/racuni' } }],
  ])('%s gets a fault and is not processed', async (_what, options) => {
    const simulator = await start()
    const answer = await post(simulator, await sale(), options)
    expect(answer).toMatchObject({ status: 500, body: expect.stringContaining('<soap:Fault>') })
    expect(simulator.received).toEqual([])
  })

  test.each([
    ['no XML', 'račun'],
    ['XML cut short', '<a><b></a>'],
    ['no envelope', '<racun/>'],
    ['two elements in the body', envelope('<a/><b/>')],
    ['a DOCTYPE', `<!DOCTYPE x [<!ENTITY e "e">]>${envelope('<x/>').replace(/<\?xml.*?\?>/, '')}`],
  ])('%s gets a fault', async (_what, body) => {
    const answer = await post(await start(), body)
    expect(answer).toMatchObject({ status: 500, body: expect.stringContaining('<faultcode>soap:Client</faultcode>') })
  })

  test('an empty body gets a signed s006 that is about no message, or a fault where that is wanted', async () => {
    const simulator = await start()
    const answer = await post(simulator, envelope(''))
    expect(answer.status).toBe(500)
    expect(readAnswer(answer.body)).toEqual({ messageId: '', jir: null, codes: ['s006'] })
    expect(checkSignature(answer.body).valid).toBe(true)
    simulator.signsNothing = false
    expect((await post(simulator, envelope(''))).body).toContain('<faultcode>soap:Client</faultcode>')
    expect(simulator.received).toEqual([])
  })

  test.each([
    [404, { path: '/Nista' }],
    [405, { method: 'PUT' }],
    [415, { headers: { 'content-type': 'application/json' } }],
  ])('HTTP %i for what is no SOAP request of this service', async (status, options) => {
    expect((await post(await start(), await sale(), options)).status).toBe(status)
  })

  test('a request of more than 1 MB is refused', async () => {
    expect((await post(await start(), 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
  })

  test('two body elements are one too many', async () => {
    const body = (await sale()).replace('</soapenv:Body>', '<x/></soapenv:Body>')
    expect((await post(await start(), body)).body).toContain('<soap:Fault>')
  })
})

test('in live mode the path and the signer are the live ones', async () => {
  const simulator = await start({ mode: 'live' })
  expect(new URL(simulator.url).pathname).toBe('/FiskalizacijaService')
  const answer = await post(simulator, await sale())
  expect(checkSignature(answer.body)).toMatchObject({ valid: true })
  expect(checkSignature(answer.body).signer.subject).toContain('CN=fiskalcis')
  expect(checkSignature(answer.body).signer.subject).not.toContain('test')
})

test('down means refused connections, and the same address works again afterwards', async () => {
  const simulator = await start()
  const { url } = simulator
  await simulator.goDown()
  await expect(post(simulator, await sale())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await simulator.comeBack()
  expect(simulator.url).toBe(url)
  expect(readAnswer((await post(simulator, await sale())).body).jir).toBe(simulator.received[0]?.jir)
})

test('going down destroys the connections that wait for an answer', async () => {
  const simulator = await start()
  simulator.always('timeout')
  const waiting = post(simulator, await sale())
  const failed = expect(waiting).rejects.toThrow(/socket hang up|ECONNRESET/)
  await new Promise((resolve) => setTimeout(resolve, 200))
  await simulator.goDown()
  await failed
})

test.each(['timeout', 'slow', 'trickle', 'huge'] as const)(
  'close() under %s leaves no connection behind',
  async (how) => {
    const simulator = await start()
    simulator.always(how)
    const waiting = expect(post(simulator, await sale())).rejects.toThrow(/socket hang up|ECONNRESET|aborted/)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const started = performance.now()
    await simulator.close()
    await waiting
    expect(performance.now() - started).toBeLessThan(20_000)
    await simulator.close()
  },
)

test('twenty sales at once get twenty JIRs', async () => {
  const simulator = await start()
  const bodies = await Promise.all(Array.from({ length: 20 }, (_, index) => sale(String(index + 1))))
  const answers = await Promise.all(bodies.map((body) => post(simulator, body)))
  expect(new Set(answers.map(({ body }) => readAnswer(body).jir)).size).toBe(20)
  expect(simulator.received.map(({ jir }) => jir)).not.toContain(null)
})

describe('the control endpoint', () => {
  const misbehave = (simulator: Simulator, body: string) => post(simulator, body, { path: '/_simulator/misbehave' })

  test('queues misbehaviours and sets the standing one', async () => {
    const simulator = await start()
    const order = { behaviours: ['http-503', { error: 's006' }], always: 'html-500' }
    expect((await misbehave(simulator, JSON.stringify(order))).status).toBe(204)
    expect((await post(simulator, await sale())).status).toBe(503)
    expect((await post(simulator, await sale())).body).toContain('s006')
    expect((await post(simulator, await sale())).body).toContain('<!DOCTYPE html>')
    await misbehave(simulator, '{"always":null}')
    expect((await post(simulator, await sale())).status).toBe(200)
  })

  test.each([
    ['{', 'not JSON'],
    ['[]', 'not an object'],
    ['{"behaviors":[]}', 'behaviors is not known'],
    ['{"behaviours":"timeout"}', 'not a list'],
    ['{"behaviours":["explode"]}', '"explode" is not known'],
    ['{"behaviours":[{"wrapped":"twice"}]}', 'is not known'],
    ['{"behaviours":[{"delayMs":"long"}]}', 'is not known'],
    ['{"always":{"error":6}}', 'always'],
  ])('refuses %s', async (body, text) => {
    const answer = await misbehave(await start(), body)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).error).toContain(text)
  })

  test('tells what was received', async () => {
    const simulator = await start()
    await post(simulator, await sale('77'))
    const answer = await post(simulator, '', { path: '/_simulator/received', method: 'GET' })
    expect(JSON.parse(answer.body).received).toMatchObject([{ number: '77', oib: OIBS[0], errors: [] }])
  })
})
