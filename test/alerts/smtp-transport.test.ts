import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMailTransport } from '../../src/alerts/smtp-transport.ts'
import { parseSmtpUrl, type SmtpServer } from '../../src/alerts/smtp-url.ts'
import { startMailServer } from '../support/mail-server.ts'

const LETTER = { id: 'a-b-c', recipient: 'ana@example.hr', subject: 'Čaj', text: 'Žuto.', html: '<p>Žuto.</p>' }

const transportTo = (server: Partial<SmtpServer>, timeoutMs = 10_000) =>
  createMailTransport({
    server: { host: '127.0.0.1', port: 1, secure: false, login: null, ...server },
    from: 'fiskd <fiskd@example.hr>',
    timeoutMs,
  })

/** Something on loopback that is no mail server. */
async function startStranger(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

test('a mail arrives as text and HTML, with the Message-ID of its id', async () => {
  const { port, mails } = await startMailServer()
  expect(await transportTo({ port }).send(LETTER)).toMatchObject({
    result: 'sent',
    answer: expect.stringMatching(/^250/),
  })
  expect(mails[0]).toMatchObject({ messageId: '<a-b-c@fiskd>', subject: 'Čaj', html: expect.stringContaining('Žuto.') })
  expect(mails[0]?.text?.trim()).toBe('Žuto.')
  expect(mails[0]?.from?.text).toBe('"fiskd" <fiskd@example.hr>')
})

test('the sender can have a name of its own at the configured address, and answers an address of theirs', async () => {
  const { port, mails } = await startMailServer()
  await transportTo({ port }).send({ ...LETTER, sender: 'Kava "na klik" <d.o.o.>', replyTo: 'ured@kava.hr' })
  expect(mails[0]?.from?.value).toEqual([{ name: 'Kava "na klik" <d.o.o.>', address: 'fiskd@example.hr' }])
  expect(mails[0]?.replyTo?.value).toEqual([{ name: '', address: 'ured@kava.hr' }])
})

test('a wrong password is said without the password, and every mail would meet the same', async () => {
  const { port } = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => done(new Error(`${password} is not the password of anybody`)),
  })
  const transport = transportTo({ port, login: { user: 'fiskd', pass: 'p&ss tajna' } })
  const delivery = await transport.send(LETTER)
  expect(delivery).toMatchObject({ result: 'failed', unreachable: true })
  expect(delivery.answer).toContain('*** is not the password')
  expect(JSON.stringify([delivery, await transport.check()])).not.toContain('tajna')
})

test('whoever signs in to another machine does it over TLS, or not at all', async () => {
  let login = ''
  const { port } = await startMailServer({
    ...{ authOptional: false, allowInsecureAuth: true },
    onAuth: ({ password }, _session, done) => {
      login = String(password)
      done(null, { user: 'fiskd' })
    },
  })
  // It leads to this machine, too, and is no address of loopback.
  const transport = transportTo({ host: '0.0.0.0', port, login: { user: 'fiskd', pass: 'tajna' } })
  const answer = expect.stringContaining('STARTTLS')
  expect(await transport.send(LETTER)).toMatchObject({ result: 'failed', unreachable: true, answer })
  expect(login).toBe('')
})

test('a server that does not take the sender refuses no recipient: the next mail would meet the same', async () => {
  const { port } = await startMailServer({
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('Not you'), { responseCode: 550 })),
  })
  expect(await transportTo({ port }).send(LETTER)).toMatchObject({ result: 'failed', unreachable: true })
})

test('contents that the server does not take are refused for this mail alone', async () => {
  const { port } = await startMailServer({
    onData(stream, _session, done) {
      stream.resume().on('end', () => done(Object.assign(new Error('Looks like spam'), { responseCode: 554 })))
    },
  })
  expect(await transportTo({ port }).send(LETTER)).toEqual({
    ...{ result: 'refused', unreachable: false, answer: expect.stringContaining('Looks like spam') },
  })
})

describe('the mail server is', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['silent', () => {}],
    ['gone in the middle', (socket) => socket.end('220 x\r\n')],
    ['something else', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['talking without end', (socket) => void setInterval(() => socket.write('220-x\r\n'), 5).unref()],
  ])('%s: an attempt ends soon, and fails', async (_name, behave) => {
    const port = await startStranger(behave)
    const begun = performance.now()
    expect(await transportTo({ port }, 300).send(LETTER)).toMatchObject({ result: 'failed', unreachable: true })
    expect(await transportTo({ port }, 300).check()).toMatchObject({ ok: false })
    expect(performance.now() - begun).toBeLessThan(9000)
  })
})

test('a server that is there is called ready', async () => {
  const { port } = await startMailServer()
  expect(await transportTo({ port }).check()).toEqual({ ok: true, answer: `127.0.0.1 port ${port} is ready` })
})

test.each([
  ['smtp://mail.example.hr', { host: 'mail.example.hr', port: 25, secure: false, login: null }],
  ['smtps://mail.example.hr', { host: 'mail.example.hr', port: 465, secure: true, login: null }],
  ['smtp://[::1]:2525/', { host: '::1', port: 2525, secure: false, login: null }],
  ['smtp://a:b@h', { host: 'h', port: 587, secure: false, login: { user: 'a', pass: 'b' } }],
  ['smtps://a%40b:p%2F%23@h:99', { host: 'h', port: 99, secure: true, login: { user: 'a@b', pass: 'p/#' } }],
])('%s is understood', (url, server) => {
  expect(parseSmtpUrl(url)).toEqual(server)
})

test.each([
  '',
  'mail',
  'http://h',
  'smtp://',
  'smtp://a@h',
  'smtp://:b@h',
  'smtp://h/x',
  'smtp://h?x=1',
  'smtp://a:%ff@h',
  'smtp:h',
])('%j is no mail server', (url) => {
  expect(parseSmtpUrl(url)).toBeUndefined()
})
