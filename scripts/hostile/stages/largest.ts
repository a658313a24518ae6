import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { PAGE_BYTES } from '../../../src/domain/json-limits.ts'
import { MESSAGE_ARCHIVE } from '../../../src/domain/sale/message-reading-limits.ts'
import type { SyncRecord } from '../../../src/fiscal/ports/outbox.ts'
import { SYNC_BOUNDS } from '../../../src/sync/wire/bounds.ts'
import { encodeRecord } from '../../../src/sync/wire/records.ts'
import { HEARTBEAT } from '../../../test/support/commands.ts'
import { CHARACTERS, largestRequest, largestSale } from '../../../test/support/large-rows.ts'
import { fleet, record } from '../../../test/support/sync-rows.ts'
import { ask, JSON_TYPE } from '../../chaos/http.ts'
import { saleAt } from '../sales.ts'
import type { Attack, Stage } from '../stage.ts'
import { speaks } from './sync.ts'

const OFFICE = { name: 'office@example.hr', password: 'dovoljno duga lozinka' }
const SALES = 60
const COMMANDS = 20
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
/** As many characters of XML as there may be, which hardly pack. */
const xml = () => gzipSync(`<a>${randomBytes(70_000).toString('base64')}</a>`)

/**
 * The largest that is taken of each kind, told by a gateway of a tenant of its own; then every page, list, file and receipt
 * that shows it.
 */
export const largest: Stage = {
  name: 'the largest of each kind, and all that shows it',
  share: 0,
  async run(attack) {
    await sell(attack)
    const of = fleet({ oib: '85821130368', premisesCode: 'LARGEST', label: 'Largest', isuNumber: '7003' })
    const sales = await tell(attack, of)
    await read(attack, sales)
  },
}

/** The largest sales that `/v1` takes: the gateway tells them to its server in the end. */
async function sell({ world: { gateway, hostile }, send, found }: Attack): Promise<void> {
  for (const character of CHARACTERS) {
    const sale = saleAt({ ...hostile.shop, key: hostile.boundKey })
    const body = JSON.stringify({ ...JSON.parse(String(sale.body)), ...largestRequest(character) })
    const answer = await send(gateway, { ...sale, body })
    if (answer?.status !== 200) found(`a sale was refused: ${answer?.text.slice(0, 200) ?? 'no answer'}`)
  }
}

async function tell({ world, send, found }: Attack, of: ReturnType<typeof fleet>): Promise<string[]> {
  const { server, attacker } = world
  const note = 'x'.repeat(SYNC_BOUNDS.config.most - '{"note":""}'.length)
  /** In pushes of 4 MB, as the wire has them. */
  const push = async (records: SyncRecord[]) => {
    for (let start = 0; start < records.length; start += 15) {
      const rows = records.slice(start, start + 15).map(encodeRecord)
      const body = JSON.stringify({ after: 0, position: 1, records: rows })
      const answer = await send(server, speaks(attacker.speaker, '/push', body, start % 2 === 0))
      const refused = answer?.status === 200 ? JSON.parse(answer.text).refused : [{ code: answer?.status }]
      if (refused.length > 0) found(`refused: ${JSON.stringify(refused[0])}`)
    }
  }
  const company = { ...of.company, address: { note }, fiscalConfig: { note } }
  const devices = times(40, (n) => ({
    ...of.device,
    id: n === 0 ? of.device.id : randomUUID(),
    deviceConfig: { note },
    label: `Largest ${n}`,
    isuNumber: `${80_000 + n}`,
  }))
  await push([
    record('company', company),
    record('certificate', of.certificate),
    ...devices.map((one) => record('device', one)),
  ])
  const sales = times(SALES, (n) => largestSale(of, n + 1, {}, n % 2 === 0 ? '\u{20000}' : '"'))
  await push(sales.map((sale) => record('invoice', sale)))
  const [first] = sales
  const texts = { requestXml: xml(), responseXml: gzipSync('<a/>'), errorMessage: '"'.repeat(SYNC_BOUNDS.reason.most) }
  const attempts = times(MESSAGE_ARCHIVE.messagesWithXml, (n) =>
    of.message(first?.id ?? '', { ...texts, attemptNo: n + 1 }),
  )
  await push(attempts.map((message) => record('message', message)))
  await push(times(100, (n) => record('alert', of.alert({ detail: { note }, subject: `disk ${n}` }))))

  const tooLarge = largestSale(of, SALES + 1)
  if (tooLarge.receipt) tooLarge.receipt.machine += 'x'
  const body = JSON.stringify({ after: 0, position: 1, records: [encodeRecord(record('invoice', tooLarge))] })
  const answer = await send(server, speaks(attacker.speaker, '/push', body, true))
  if (!answer?.text.includes('record_too_large')) found('a record of one byte more is taken')

  const problems = times(SYNC_BOUNDS.heartbeatList.most, (n) => ({ code: `p${n}`, message: '"'.repeat(1000) }))
  const beat = { wait_s: 0, last_command: 0, heartbeat: { ...HEARTBEAT, problems } }
  await send(server, speaks(attacker.speaker, '/poll', JSON.stringify(beat), true))
  const result = { error: { code: 'x', message: 'M'.repeat(SYNC_BOUNDS.small.most - 200) } }
  for (let n = 0; n < COMMANDS; n++) {
    const path = `/admin/gateways/${attacker.speaker.id}/commands`
    const made = await server.mortal.admin('POST', path, { type: 'doctor' }, OF_TENANT)
    const said = JSON.stringify({ status: 'failed', result })
    await send(server, speaks(attacker.speaker, `/commands/${made.id}`, said, false))
  }
  return sales.map(({ id }) => id)
}

/** Over the admin socket. */
const OF_TENANT = { 'x-tenant': 'attacker' }

/** The lists of `/v1` to their ends, and the pages and files of the office. */
async function read({ world, send, found, sent }: Attack, sales: readonly string[]): Promise<void> {
  const { server, attacker } = world
  const { socketPath } = server.mortal
  const { id: gatewayId, name } = attacker.speaker
  const lists = [
    '/v1/invoices',
    '/v1/companies',
    '/v1/devices',
    '/admin/alerts',
    `/admin/gateways/${gatewayId}/commands`,
  ]
  for (const list of lists) {
    for (let cursor: string | null = ''; cursor !== null; sent(1)) {
      const path: string = `${list}?limit=200${cursor && `&cursor=${cursor}`}`
      const answer = await ask({ socketPath }, { path, headers: OF_TENANT })
      if (answer?.status !== 200) found(`${path}: ${answer?.status ?? 'no answer'} ${answer?.text.slice(0, 200)}`)
      if (Buffer.byteLength(answer?.text ?? '') > PAGE_BYTES) found(`${path}: a page of more than 2 MB`)
      cursor = answer?.status === 200 ? JSON.parse(answer.text).next_cursor : null
    }
  }
  await server.mortal.admin('POST', '/admin/users', { ...OFFICE, role: 'admin', language: 'hr' }, OF_TENANT)
  const signIn = {
    method: 'POST',
    path: '/dashboard/session',
    headers: JSON_TYPE,
    body: JSON.stringify(OFFICE),
  } as const
  const cookie = String((await send(server, signIn))?.headers['set-cookie']?.[0]?.split(';')[0])
  const [first = '', second = ''] = sales
  const files = ['', '/receipt.txt', '/receipt.pdf', '/receipt.png', '/messages?before=60']
  const paths = [
    ...['', '/overview/now', '/invoices', '/invoices?status=confirmed', '/invoices?order=amount', '/invoices/failed'],
    ...[first, second].flatMap((id) => files.map((file) => `/invoices/${id}${file}`)),
    ...['/companies', '/devices', '/alerts', '/gateways', `/gateways/${name}`, `/commands?gateway=${name}`, '/audit'],
    ...['invoices', 'turnover', 'tax'].flatMap((what) =>
      ['csv', 'xlsx'].map((format) => `/export/file?what=${what}&format=${format}`),
    ),
  ]
  for (const path of paths) {
    const answer = await send(server, {
      path: `/dashboard${path}`,
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    // A receipt that is too long for a form is refused with the reason.
    const isRight = answer?.status === 200 || (answer?.status === 400 && path.includes('/receipt.'))
    if (!isRight) found(`${path}: ${answer?.status ?? 'no answer'}`)
  }
  const path = `/v1/invoices/${first}?include_messages=true`
  const answer = await ask({ socketPath }, { path, headers: OF_TENANT })
  if (answer?.status !== 200) found(`${path}: ${answer?.status ?? 'no answer'}`)
}
