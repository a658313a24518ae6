import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { SyncRows } from '../../src/fiscal/ports/outbox.ts'
import { linkTo } from '../../src/fiscal/receipt-links/link.ts'
import type { PollResponse } from '../../src/sync/wire/messages.ts'
import { HEARTBEAT } from '../../test/support/commands.ts'
import type { Speaker } from '../../test/support/sync-gateway.ts'
import { fleet, record } from '../../test/support/sync-rows.ts'
import type { Target } from '../chaos/http.ts'
import type { KillableProcess } from '../chaos-sync/machine.ts'

/** Links to receipts of a server, all of them genuine or as near to that as a stranger can come. */
export interface Links {
  /** Where the receipts are shown. */
  target: Target
  /** The path of a receipt that is shown all the time. */
  shown: string
  /** Paths that show nothing, by what is wrong with them. */
  refused: Readonly<Record<string, () => string>>
}

/** Nobody has one but who has the key, so its time says nothing. */
export const UNKNOWN_TO_STRANGERS = 'without a link'

export const RECEIPTS_URL = 'https://racun.example.com'
const DAY_MS = 86_400_000

const FACTS: SyncRows['invoice']['receipt'] = {
  ...{ header: [], footer: [], language: 'hr', issuerName: 'Kava d.o.o.', issuerAddress: [] },
  ...{ premisesAddress: null, machine: 'Lobby 1', items: [], hasLink: true },
}

interface LinksOrder {
  server: KillableProcess
  listen: string
  /** Whose receipts they are, by the OIBs of two companies: the second one is archived. */
  seller: Speaker
  oibs: readonly [string, string]
  /** A gateway of another tenant: what it makes is genuine, and its sales are others. */
  stranger: Speaker
}

export async function setUpLinks({ server, listen, seller, oibs, stranger }: LinksOrder): Promise<Links> {
  const [own, archived] = oibs.map((oib, i) => fleet({ oib, premisesCode: `RACUN${i}`, isuNumber: `800${i}` })) as [
    ReturnType<typeof fleet>,
    ReturnType<typeof fleet>,
  ]
  archived.company.status = 'archived'
  const now = Date.now()
  const sold = (of: typeof own, number: number, changes: Partial<SyncRows['invoice']> = {}) =>
    of.invoice(number, { receipt: FACTS, createdAt: now, ...changes })
  const invoices = {
    shown: sold(own, 1),
    withdrawn: sold(own, 2),
    ended: sold(own, 3, { createdAt: now - 61 * DAY_MS }),
    [UNKNOWN_TO_STRANGERS]: sold(own, 4, { receipt: { ...FACTS, hasLink: undefined } as unknown as typeof FACTS }),
    'of an archived company': sold(archived, 1),
  }
  const rows = Object.values(invoices).map((row) => record('invoice', row))
  const { body } = await seller.push([...own.parents(), ...archived.parents(), ...rows])
  if (body.refused.length > 0) throw new Error(JSON.stringify(body.refused))
  withdraw(join(server.dataDir, 'fiskd.db'), invoices.withdrawn)

  const [makes, strangers] = [await makerOf(seller), await makerOf(stranger)]
  const { shown, ...over } = invoices
  const token = makes(shown.id).slice('/r/'.length)
  return {
    // Without a name: one of another host would be looked for in the certificate.
    target: { base: `https://${listen}`, agent: new Agent({ keepAlive: true, ca: caOf(server), servername: '' }) },
    shown: makes(shown.id),
    refused: {
      'made up': () => `/r/${randomBytes(36).toString('base64url')}`,
      'made up for a known receipt': () => makerBy(seller.id, randomBytes(32))(shown.id),
      'made by a gateway of another tenant': () => strangers(shown.id),
      'older than any link': () => makes(idAt(now - 401 * DAY_MS)),
      truncated: () => `/r/${token.slice(0, -1)}`,
      'too long': () => `/r/${token}A`,
      'in upper case': () => `/r/${token.toUpperCase()}`,
      'with one other character': () => `/r/${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`,
      ...Object.fromEntries(Object.entries(over).map(([kind, { id }]) => [kind, () => makes(id)])),
    },
  }
}

const caOf = ({ dataDir }: KillableProcess) => readFileSync(join(dataDir, 'tls', 'ca.pem'))
const idAt = (at: number) => `inv_${at.toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`

const makerBy = (gatewayId: string, key: Buffer) => (invoiceId: string) =>
  String(linkTo({ base: '', gatewayId, key }, invoiceId))

/** What a server has told a gateway makes its links. */
async function makerOf(speaker: Speaker) {
  const { body } = await speaker.ask<PollResponse>('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 })
  return makerBy(speaker.id, Buffer.from(String(body.receipt_links?.key), 'base64url'))
}

function withdraw(path: string, { id, companyId }: SyncRows['invoice']): void {
  const database = new Database(path, { timeout: 5000 })
  database
    .prepare('INSERT INTO receipt_withdrawals VALUES (?, ?, ?, ?, ?, ?)')
    .run(randomUUID(), id, companyId, Date.now(), Date.now(), 'operator')
  database.close()
}
