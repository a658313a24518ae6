import { beforeAll } from 'vitest'
import { ADMIN_BOUNDS } from '../../src/api/admin/bounds.ts'
import { type Bring, TAKEN, testBounds } from '../support/bounds.ts'
import type { Call } from '../support/call.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'
import { rowCounts } from '../support/row-counts.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
  const printer = { line: 'tcp:127.0.0.1:9', profile: 'epson-tm-t20' }
  await gateway.admin(`/admin/printers/${gateway.deviceId}`, { method: 'PATCH', body: printer })
})

const x = (count: number) => 'x'.repeat(count)

/** What the daemon says of the size; what it says of anything else comes after that. */
async function said(path: string, body: unknown, options: Omit<Call, 'path' | 'body'> = {}): Promise<string> {
  const answer = await gateway.admin<{ error: InvoiceBody['error'] }>(`/admin/${path}`, { body, ...options })
  if (answer.status < 300) return TAKEN
  const { code, message } = answer.body.error
  const isOfSize = answer.status === 413 || /at most|or less|is malformed/.test(message)
  return isOfSize ? `${answer.status} ${code}` : TAKEN
}

const PASSWORD = 'a long test password'
const printer = (body: object) => said(`printers/${gateway.deviceId}`, body, { method: 'PATCH' })

const cases: Record<keyof typeof ADMIN_BOUNDS, Bring> = {
  trust: (bytes) => said('trust', '{"mode":"test","for":"service","certificates":""}'.padEnd(bytes)),
  userName: (length) => said('users', { name: x(length), password: PASSWORD }),
  password: (length) => said('users', { name: `user ${length}`, password: x(length) }),
  email: (length) =>
    said('users', { name: `mail ${length}`, password: PASSWORD, email: x(length - 11).concat('@example.hr') }),
  keyName: (length) => said('keys', { mode: 'test', name: x(length) }),
  reason: (length) => said('deadlines/extend', { company_id: 'none', reason: x(length) }),
  tenantName: (length) => said('tenants', { name: x(length) }),
  commandType: (length) => said('gateways/none/commands', { type: x(length) }),
  serverUrl: (length) => said('sync/enroll', { url: x(length), token: 'x' }),
  enrolmentToken: (length) => said('sync/enroll', { url: 'x', token: x(length) }),
  serverCa: (length) => said('sync/enroll', { url: 'x', token: 'x', ca: x(length) }),
  statedNumber: (length) => said('sync/replacement', { highest: [x(length)], gap: 0 }),
  statedNumbers: (count) => said('sync/replacement', { highest: Array(count).fill('x'), gap: 0 }),
  numberGap: (gap) => said('sync/replacement', { highest: [], gap }),
  printerLine: (length) => printer({ line: `/dev/${x(length - 5)}` }),
  printerBytes: (digits) => printer({ settings: { before_hex: '1'.repeat(digits) } }),
  codePage: (number) => printer({ settings: { code_page: number } }),
  feedLines: (lines) => printer({ settings: { feed_lines: lines } }),
  answerTimeout: (ms) => printer({ settings: { answer_timeout_ms: ms } }),
  confirmTimeout: (ms) => printer({ settings: { confirm_timeout_ms: ms } }),
  notTakenAfter: (seconds) => printer({ settings: { not_taken_after_s: seconds } }),
  baudRate: (rate) => printer({ settings: { baud_rate: rate } }),
  expireAfter: (seconds) => printer({ expire_after_s: seconds }),
}

testBounds(ADMIN_BOUNDS, cases, () => rowCounts(gateway))
