import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { COMMAND_TYPES, type CommandType } from '../../../src/fiscal/ports/gateway-commands.ts'
import { judgeCommand } from '../../../src/sync/gateway/judge-command.ts'
import type { SignedCommand } from '../../../src/sync/wire/commands.ts'
import { commandOf, commandServer, GATEWAY_ID, NOW } from '../../support/commands.ts'

const server = commandServer()
const judge = (signed: SignedCommand, lastCommand = 0, now = NOW) =>
  judgeCommand(signed, { gatewayId: GATEWAY_ID, serverKey: server.key, lastCommand }, now)
const codeOf = (signed: SignedCommand, lastCommand = 0, now = NOW) => {
  const judgement = judge(signed, lastCommand, now)
  return judgement.verdict === 'refused' ? judgement.code : judgement.verdict
}
const fill = (signed: SignedCommand, changes: (payload: Record<string, unknown>) => unknown): SignedCommand => {
  const payload = JSON.parse(Buffer.from(signed.payload, 'base64url').toString())
  return server.signText(JSON.stringify(changes(payload)))
}

const ID = randomUUID()
const SOUND: Record<CommandType, object> = {
  'device.set_isu': { device_id: ID, isu_number: '12345' },
  'device.change': {
    device_id: ID,
    label: 'Žuta 😀',
    premises_address: null,
    device_config: { a: [1] },
    status: 'suspended',
  },
  'device.set_setting': { device_id: ID, setting: 'receipt.footer', value: ['Hvala'] },
  'device.add': { company_id: ID, premises_code: 'POSL2', label: 'new', isu_number: null, device_config: {} },
  'company.set_status': { company_id: ID, status: 'suspended' },
  'certificate.add': { company_id: ID, sealed: 'AAAA' },
  'api_key.revoke': { id: ID },
  'invoice.retry': { invoice_id: 'inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6' },
  'receipt.copy': { invoice_id: 'inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6' },
  'invoice.correct': { invoice_id: 'inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6', payment_method: 'K', recipient_oib: null },
  'hours.show': { device_id: ID },
  'hours.set': {
    device_id: ID,
    regular: [{ from: '2026-12-01', hours: 'daily 00:00-24:00', note: 'š' }],
    exceptions: [{ date: '24. 12. 2026.', hours: '08:00-12:00' }],
  },
  'hours.remove': { device_id: ID, regular: ['2026-12-01'], exceptions: [] },
  'invoices.requeue': { code: 'upstream_signature_invalid' },
  doctor: {},
  support_bundle: {},
}

test.each(COMMAND_TYPES)('a sound %s is taken for what it is', (type) => {
  const command = commandOf({ type, body: SOUND[type] as never })
  expect(judge(server.sign(command))).toMatchObject({
    verdict: 'sound',
    command: { id: command.id, type, body: command.body },
  })
})

describe('a hostile server gets nothing done by', () => {
  test('another signature, a changed byte, or none', () => {
    const signed = server.sign(commandOf())
    expect(codeOf(commandServer().sign(commandOf()))).toBe('command_signature_invalid')
    expect(codeOf({ ...signed, signature: server.sign(commandOf()).signature })).toBe('command_signature_invalid')
    for (const signature of ['', 'AAAA', '!!', `${signed.signature}AA`]) {
      expect(codeOf({ ...signed, signature }), signature).toBe('command_signature_invalid')
    }
    const bytes = Buffer.from(signed.payload, 'base64url')
    const number = bytes.indexOf('"number":1') + 9
    bytes[number] = 0x32
    expect(codeOf({ ...signed, payload: bytes.toString('base64url') })).toBe('command_signature_invalid')
  })

  test('a command for another gateway', () => {
    expect(codeOf(server.sign(commandOf({ gatewayId: randomUUID() })))).toBe('command_of_other_gateway')
  })

  test('a number that was here before, or lies below one', () => {
    expect(codeOf(server.sign(commandOf({ number: 7 })), 7)).toBe('command_replayed')
    expect(codeOf(server.sign(commandOf({ number: 6 })), 7)).toBe('command_replayed')
    expect(codeOf(server.sign(commandOf({ number: 8 })), 7)).toBe('sound')
  })

  test('what is too old', () => {
    const signed = server.sign(commandOf())
    expect(codeOf(signed, 0, NOW + 7 * 86_400_000 - 1)).toBe('sound')
    expect(codeOf(signed, 0, NOW + 7 * 86_400_000)).toBe('command_expired')
  })

  test('a type that nobody knows, a name of the prototype among them', () => {
    for (const type of ['shell', 'toString', '__proto__', 'constructor', 'device.remove', 'numbers.set', 'doctor ']) {
      expect(codeOf(server.sign(commandOf({ type: type as CommandType }))), type).toBe('command_unknown')
    }
  })

  test('a payload that is none: too large, no JSON, other members, wrong kinds', () => {
    const big = server.sign(
      commandOf({ type: 'device.change', body: { device_id: ID, device_config: { a: 'x'.repeat(1_000_000) } } }),
    )
    expect(codeOf(big)).toBe('command_malformed')
    expect(codeOf(server.signText('x'.repeat(10_000_000)))).toBe('command_malformed')
    for (const text of ['', 'null', '[]', '{', '{}', '"doctor"', '['.repeat(100_000), '\u0000']) {
      expect(codeOf(server.signText(text)), text.slice(0, 10)).toBe('command_malformed')
    }
    const signed = server.sign(commandOf())
    const wrong: [string, unknown][] = [
      ['number', 0],
      ['number', 1.5],
      ['number', '1'],
      ['number', -1],
      ['number', 2 ** 60],
      ['id', 'x'],
      ['id', null],
      ['body', []],
      ['body', null],
      ['body', 'x'],
      ['type', ''],
      ['issued_by', ''],
      ['issued_by', '\u0000'],
      ['expires_at', null],
      ['issued_at', -1],
      ['extra', true],
    ]
    for (const [name, value] of wrong) {
      expect(codeOf(fill(signed, (payload) => ({ ...payload, [name]: value }))), `${name} ${value}`).toBe(
        'command_malformed',
      )
    }
    for (const name of ['gateway_id', 'id', 'number', 'type', 'body', 'issued_by', 'issued_at', 'expires_at']) {
      expect(codeOf(fill(signed, ({ [name]: _, ...rest }) => rest)), name).toBe('command_malformed')
    }
  })
})

/** What nobody may change from afar: whose a machine is, where it stands, numbers, and all that was issued. */
const FORBIDDEN = [
  'company_id',
  'companyId',
  'premises_code',
  'premisesCode',
  'tenant_id',
  'gateway_id',
  'id',
  'number',
  'highest',
  'sequence',
  'sequences',
  'level',
  'journal_position',
  'seal',
  'zki',
  'jir',
  'document',
  'receipt',
  'status',
  'mode',
  'total',
  'occurred_at',
  'deadline_at',
  'attempts',
  'late_delivery',
  'isu_status',
  'isuNumber',
  'sealed',
  'keep',
  '__proto__x',
]

test.each(COMMAND_TYPES)('%s refuses every field that is not its own, those of what was issued among them', (type) => {
  const body = SOUND[type]
  for (const field of FORBIDDEN.filter((name) => !Object.hasOwn(body, name))) {
    if (type === 'device.change' && field === 'status') continue
    const signed = server.sign(commandOf({ type, body: { ...body, [field]: '1' } }))
    expect(judge(signed), field).toMatchObject({ code: 'command_body_invalid', message: `there is no field ${field}` })
  }
})

test.each([
  ['device.set_isu', { device_id: ID }],
  ['device.set_isu', { device_id: ID, isu_number: '007' }],
  ['device.set_isu', { device_id: ID, isu_number: 7 }],
  ['device.set_isu', { device_id: 'inv_1', isu_number: '7' }],
  ['device.change', { device_id: ID, status: 'sold' }],
  ['device.change', { device_id: ID, label: '' }],
  ['device.change', { device_id: ID, label: 'x'.repeat(201) }],
  ['device.change', { device_id: ID, label: '\u0007' }],
  ['device.change', { device_id: ID, label: '\ud800' }],
  ['device.change', { device_id: ID, device_config: [] }],
  ['device.set_setting', { device_id: ID, value: 'K' }],
  ['device.set_setting', { device_id: ID, setting: '__proto__', value: {} }],
  ['device.set_setting', { device_id: ID, setting: 'receipt.footer.more', value: 'K' }],
  ['device.add', { company_id: ID, premises_code: 'POSL 2', label: 'x' }],
  ['certificate.add', { company_id: ID, sealed: '???' }],
  ['invoice.retry', { invoice_id: '../../etc/passwd' }],
  ['receipt.copy', { invoice_id: ['inv_1'] }],
  ['invoices.requeue', { code: 'everything' }],
  ['invoices.requeue', {}],
] as const)('%s refuses %j', (type, body) => {
  expect(codeOf(server.sign(commandOf({ type, body })))).toBe('command_body_invalid')
})
