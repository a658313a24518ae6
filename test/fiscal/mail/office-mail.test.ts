import { randomUUID } from 'node:crypto'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { createMailTransport } from '../../../src/alerts/smtp-transport.ts'
import { createLease } from '../../../src/fiscal/lease.ts'
import { createOfficeMailing, OFFICE_MAIL_BOUNDS, type WantedMail } from '../../../src/fiscal/mail/office-mail.ts'
import { createOfficeSending } from '../../../src/fiscal/mail/send-office-mails.ts'
import type { MailTransport } from '../../../src/fiscal/ports/mail.ts'
import { watched } from '../../support/alerting.ts'
import { TAKEN, testBounds } from '../../support/bounds.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { OPERATOR } from '../../support/people.ts'

const file = { name: 'racun.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7 žuta', 'latin1') }
const wanted: WantedMail = {
  ...{ to: 'kupac@example.hr', subject: 'Kopija računa', text: 'U prilogu.', html: '<p>U prilogu.</p>' },
  ...{ files: [file], kind: 'receipt_copy', about: 'inv_1', companyId: null },
}

/** A store, a mail server, and processes that send. */
async function mailing(options: SMTPServerOptions & { isSet?: boolean } = {}) {
  const { isSet = true, ...smtp } = options
  const it = await watched()
  const { store, clock } = it
  const mailServer = await startMailServer(smtp)
  const server = { host: '127.0.0.1', port: mailServer.port, secure: false, login: null }
  const smtpTransport = createMailTransport({ server, from: 'fiskd@example.hr', timeoutMs: 20_000 })
  const results: string[] = []
  const leaseOf = () => createLease({ store, clock }, 'office-mails', randomUUID())
  const process = (transport: MailTransport = smtpTransport, lease = leaseOf()) =>
    createOfficeSending({
      ...{ store, clock, transport, lease },
      onMail: (_mail, result) => void results.push(result),
    })
  const office = createOfficeMailing({ store, clock, newUuid: randomUUID, isSet, onQueued: () => {} })
  const pass = process()
  const passAt = async (minutes: number) => {
    it.at(minutes)
    await pass()
    return results.splice(0)
  }
  const state = async () => (await office.about(OPERATOR, 'inv_1')).map(({ status, lastError }) => [status, lastError])
  return { ...it, office, mailServer, leaseOf, process, passAt, results, state }
}

test('a mail goes out with its file, byte for byte, and says where it stands', async () => {
  const { office, mailServer, passAt, state, store } = await mailing()
  const { id } = await office.queue(OPERATOR, wanted)
  expect(await state()).toEqual([['waiting', null]])
  expect(await passAt(1)).toEqual(['sent'])
  const [mail] = mailServer.mails
  expect(mail).toMatchObject({ subject: 'Kopija računa', text: 'U prilogu.', messageId: `<${id}@fiskd>` })
  expect(mail?.attachments).toMatchObject([{ filename: 'racun.pdf', contentType: 'application/pdf' }])
  expect(mail?.attachments[0]?.content).toEqual(file.content)
  expect(await state()).toEqual([['sent', null]])
  // The file of a customer is not kept for longer than it is needed.
  expect(await store.officeMails.files(id)).toEqual([])
  expect(await passAt(2)).toEqual([])
})

test('a mail waits while the mail server is away, for longer each time, and is given up after two days', async () => {
  const { office, mailServer, passAt, state } = await mailing()
  await mailServer.goDown()
  await office.queue(OPERATOR, wanted)
  expect([await passAt(0), await passAt(0), await passAt(1), await passAt(2), await passAt(3)]).toEqual([
    ...[['failed'], [], ['failed'], [], ['failed']],
  ])
  expect(await state()).toEqual([['waiting', expect.stringContaining('ECONNREFUSED')]])
  await mailServer.comeBack()
  expect(await passAt(7)).toEqual(['sent'])
  await office.queue(OPERATOR, wanted)
  await mailServer.goDown()
  expect(await passAt(8)).toEqual(['failed'])
  expect(await passAt(48 * 60 + 8)).toEqual(['given_up'])
  expect(await passAt(72 * 60)).toEqual([])
  expect((await state())[0]?.[0]).toBe('given_up')
})

test('an address that the mail server refuses is not tried again, and its words are kept', async () => {
  const { office, mailServer, passAt, state } = await mailing({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody'))
        return done(Object.assign(new Error('no such user here'), { responseCode: 550 }))
      done()
    },
  })
  await office.queue(OPERATOR, { ...wanted, to: 'nobody@example.hr' })
  await office.queue(OPERATOR, { ...wanted, about: 'inv_2' })
  expect((await passAt(1)).sort()).toEqual(['refused', 'sent'])
  expect(await passAt(120)).toEqual([])
  expect(await state()).toEqual([['given_up', expect.stringContaining('no such user here')]])
  expect(mailServer.mails).toHaveLength(1)
})

test('a mail that a process was sending when it died goes out again with the same Message-ID', async () => {
  const { office, mailServer, process, results, leaseOf } = await mailing()
  const lease = leaseOf()
  const { id } = await office.queue(OPERATOR, wanted)
  const dying = { send: () => new Promise<never>(() => {}), check: async () => ({ ok: true, answer: '' }) }
  void process(dying, lease)()
  await expect.poll(async () => (await office.about(OPERATOR, 'inv_1'))[0]?.status).toBe('sending')
  // As after a minute.
  await lease.release()
  await process()()
  expect(results).toEqual(['sent'])
  expect(mailServer.mails.map(({ messageId }) => messageId)).toEqual([`<${id}@fiskd>`])
  expect(mailServer.mails[0]?.attachments).toHaveLength(1)
})

test('of two processes one sends', async () => {
  const { office, mailServer, process, results } = await mailing()
  for (let n = 0; n < 5; n++) await office.queue(OPERATOR, wanted)
  await Promise.all([process()(), process()()])
  expect(results).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
  expect(new Set(mailServer.mails.map(({ messageId }) => messageId)).size).toBe(5)
})

test('a mail server that does not answer after it may have taken a mail is given the same mail three times at most', async () => {
  const { office, process, results, at } = await mailing()
  await office.queue(OPERATOR, wanted)
  const slow = process({
    send: async () => ({ result: 'failed', unreachable: true, mayHaveArrived: true, answer: 'too late' }),
    check: async () => ({ ok: true, answer: '' }),
  })
  for (const minute of [0, 2, 10, 60, 120]) {
    at(minute)
    await slow()
  }
  expect(results).toEqual(['failed', 'failed', 'given_up'])
})

test('what is asked for twice with the same mark is one mail, also by two at a time', async () => {
  const { office, mailServer, passAt } = await mailing()
  const once = 'closing 2026-03-03 kupac@example.hr'
  const kept: string[] = []
  const ask = () => office.queue(OPERATOR, { ...wanted, once }, async (_tx, { id }) => void kept.push(id))
  const [one, other] = await Promise.all([ask(), ask()])
  expect(other.id).toBe(one.id)
  expect(new Set(kept)).toEqual(new Set([one.id]))
  await passAt(1)
  expect((await ask()).id).toBe(one.id)
  expect(await passAt(2)).toEqual([])
  expect(mailServer.mails).toHaveLength(1)
})

test('nothing is stored when the transaction of the caller refuses', async () => {
  const { office, state } = await mailing()
  const refuse = async () => {
    throw new Error('too many of these')
  }
  await expect(office.queue(OPERATOR, wanted, refuse)).rejects.toThrow('too many of these')
  expect(await state()).toEqual([])
})

test('mails are seen within their tenant only', async () => {
  const { office } = await mailing()
  await office.queue(OPERATOR, wanted)
  expect(await office.about({ ...OPERATOR, tenantId: 'other' }, 'inv_1')).toEqual([])
})

test('mails that have ended are forgotten after 90 days, and the others stay', async () => {
  const { office, passAt, mailServer, state } = await mailing()
  await office.queue(OPERATOR, wanted)
  await passAt(1)
  expect(await passAt(91 * 24 * 60)).toEqual([])
  expect(await state()).toEqual([])
  await office.queue(OPERATOR, wanted)
  await mailServer.goDown()
  await passAt(91 * 24 * 60 + 1)
  expect(await state()).toHaveLength(1)
})

test.each([
  '',
  'kupac',
  'a@example.hr, b@example.hr',
  'Kupac <a@example.hr>',
  'a@example.hr\r\nBcc: b@example.hr',
  'a b@c',
])('the address %j is refused', async (to) => {
  const { office, state } = await mailing()
  await expect(office.queue(OPERATOR, { ...wanted, to })).rejects.toMatchObject({ param: 'to', status: 400 })
  expect(await state()).toEqual([])
})

test('a subject of two lines and a file name that is a path are refused', async () => {
  const { office } = await mailing()
  const wrong = [{ subject: 'a\r\nBcc: b@example.hr' }, { files: [{ ...file, name: '../racun.pdf' }] }]
  for (const changes of wrong) {
    await expect(office.queue(OPERATOR, { ...wanted, ...changes })).rejects.toMatchObject({ code: 'invalid_request' })
  }
})

test('without a mail server nothing is taken', async () => {
  const { office, state } = await mailing({ isSet: false })
  await expect(office.queue(OPERATOR, wanted)).rejects.toMatchObject({ status: 409, reason: 'mail_not_set' })
  expect(await state()).toEqual([])
})

describe('as many as SECURITY.md says', () => {
  const asked = async (
    changes: (amount: number) => Partial<WantedMail>,
    amount: number,
    times = 1,
    requester = (_n: number) => OPERATOR,
  ) => {
    const { office } = await mailing()
    try {
      for (let n = 0; n < times; n++) await office.queue(requester(n), { ...wanted, files: [], ...changes(amount) })
      return TAKEN
    } catch (error) {
      const { status, code } = error as { status: number; code: string }
      return `${status} ${code}`
    }
  }
  testBounds(OFFICE_MAIL_BOUNDS, {
    files: (n) => asked(() => ({ files: Array.from({ length: n }, () => file) }), n),
    fileBytes: (n) => asked(() => ({ files: [{ ...file, content: Buffer.alloc(n) }] }), n),
    text: (n) => asked(() => ({ html: 'x'.repeat(n) }), n),
    subject: (n) => asked(() => ({ subject: 'x'.repeat(n) }), n),
    hourly: (n) => asked(() => ({}), n, n),
    waiting: (n) =>
      asked(
        () => ({}),
        n,
        n,
        (nth) => ({ ...OPERATOR, id: `user_${nth}` }),
      ),
  })
})
