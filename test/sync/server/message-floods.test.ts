import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { MESSAGE_ARCHIVE } from '../../../src/domain/sale/message-reading-limits.ts'
import { FAULT_LENGTH } from '../../../src/domain/text-lengths.ts'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

interface Trail {
  messages: { attempt_no: number; request_xml: string | null; response_xml: string | null }[]
  messages_left_out?: { messages: number; xml: number }
}

const LONGEST = gzipSync(Buffer.alloc(MESSAGE_ARCHIVE.textBytes, 97))

let server: Gateway
let premises = 0
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

/** A gateway that has told of one sale. */
async function seller(): Promise<Fleet & { gateway: Speaker; sold: string }> {
  premises++
  const made = fleet({ premisesCode: `M${premises}`, label: `Machine ${premises}`, isuNumber: `${7000 + premises}` })
  const gateway = await enrolGateway(server)
  const sold = made.invoice(1)
  const { body } = await gateway.push([...made.parents(), record('invoice', sold)])
  expect(body.refused).toEqual([])
  return { ...made, gateway, sold: sold.id }
}

const trailOf = async (id: string) => (await server.admin<Trail>(`/v1/invoices/${id}?include_messages=true`)).body

test('a gateway that pushes 1,200 messages of 256 KB about one invoice leaves no more than are kept', async () => {
  const { gateway, message, sold } = await seller()
  const flood = Array.from({ length: 1200 }, (_, i) =>
    record('message', message(sold, { attemptNo: i + 1, requestXml: LONGEST, responseXml: null })),
  )
  const answers = [await gateway.push(flood.slice(0, 600)), await gateway.push(flood.slice(600))]
  const refused = answers.flatMap(({ body }) => body.refused)
  expect(refused).toHaveLength(1200 - MESSAGE_ARCHIVE.messagesWithXml)
  expect(refused[0]).toMatchObject({ kind: 'message', code: 'too_many_messages' })
  expect(refused[0]?.message).toContain('64 messages with XML')

  const trail = await trailOf(sold)
  expect(trail.messages.map(({ attempt_no }) => attempt_no)).toEqual(Array.from({ length: 64 }, (_, i) => i + 1))
  const kept = trail.messages.filter(({ request_xml }) => request_xml !== null)
  expect(kept.map(({ attempt_no }) => attempt_no)).toEqual(Array.from({ length: 16 }, (_, i) => i + 49))
  expect(trail.messages_left_out).toEqual({ messages: 0, xml: 48 })
})

test('what such a gateway says is told again is not refused, and messages without XML are still taken', async () => {
  const { gateway, message, sold } = await seller()
  const full = Array.from({ length: 64 }, (_, i) => record('message', message(sold, { attemptNo: i + 1 })))
  expect((await gateway.push(full)).body.refused).toEqual([])
  expect((await gateway.push(full)).body.refused).toEqual([])
  const more = record('message', message(sold, { attemptNo: 65 }))
  const bare = record('message', message(sold, { attemptNo: 66, requestXml: null, responseXml: null }))
  expect((await gateway.push([more, bare])).body.refused).toMatchObject([{ id: more.id, code: 'too_many_messages' }])
  expect(await trailOf(sold)).toMatchObject({ messages: { length: 65 } })
  expect(await trailOf(sold)).not.toHaveProperty('messages_left_out')
})

test('of messages without end that an earlier version took the newest fit into an answer', async () => {
  const { gateway, message, sold } = await seller()
  const [one] = [message(sold, { attemptNo: 1, errorCode: 's006', errorMessage: 'x'.repeat(FAULT_LENGTH) })]
  await gateway.push([record('message', one)])
  const same = 'http_status, error_code, error_message, duration_ms, created_at, request_xml, response_xml'
  const id = 'lower(hex(randomblob(16)))'
  await inDatabase(
    server,
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
     INSERT INTO messages (id, message_uuid, invoice_id, attempt_no, ${same})
     SELECT ${id}, ${id}, invoice_id, i, ${same} FROM messages, n WHERE invoice_id = '${sold}'`,
  )
  const { messages, messages_left_out } = await trailOf(sold)
  expect(messages.at(-1)).toMatchObject({ attempt_no: 3000, request_xml: '<a/>', response_xml: '<b>č</b>' })
  expect(messages).toHaveLength(Math.floor(MESSAGE_ARCHIVE.answerTextLength / (FAULT_LENGTH + 300)))
  expect(messages_left_out).toEqual({ messages: 3000 - messages.length, xml: 0 })
})

test('XML that unpacks to more than is taken today is left out of every answer, and the loop goes on meanwhile', async () => {
  const { gateway, message, sold } = await seller()
  const bomb = message(sold, { requestXml: null, attemptNo: 1 })
  await gateway.push([record('message', bomb)])
  const zipped = gzipSync(Buffer.alloc(200e6, 97)).toString('hex')
  const id = randomUUID()
  await inDatabase(
    server,
    `INSERT INTO messages (id, invoice_id, message_uuid, attempt_no, duration_ms, created_at, request_xml)
     VALUES ('${id}', '${sold}', '${id}', 2, 1, 1, X'${zipped}')`,
  )
  const before = process.memoryUsage().rss
  const trail = await trailOf(sold)
  expect(trail).toMatchObject({
    messages: [{ response_xml: null }, { request_xml: null }],
    messages_left_out: { xml: 2 },
  })
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6)
})
