import type { Kept, Stored } from '../../chaos/database.ts'
import { judgeJournals } from '../../chaos/journals.ts'
import { SUMS, type Sum } from '../../chaos/sums.ts'
import { ask } from '../cluster.ts'

/** What the database of a server holds of its own sales, and what the doctor's own reading finds wrong with it. */
export interface KeptByServer extends Kept {
  /** When each invoice got its JIR, ms since 1970. */
  confirmedAt: Map<string, number>
  /** The doctor's findings about journals and numbers. */
  journal: string[]
}

/** Reads it while no process writes. */
export async function readServer(url: string): Promise<KeptByServer> {
  const invoices = await ask<Stored & { confirmedAt: string | null }>(url, INVOICES)
  const ofGateways = await ask<{ id: string }>(url, `SELECT id FROM devices WHERE gateway_id <> ''`)
  const theirs = new Set(ofGateways.map(({ id }) => id))
  const { entries, problems } = await judgeJournals(url)
  return {
    invoices: invoices.map(({ confirmedAt: _, year, ...invoice }) => ({ ...invoice, year: Number(year) })),
    confirmedAt: new Map(
      invoices.flatMap(({ id, confirmedAt }) => (confirmedAt === null ? [] : [[id, Number(confirmedAt)]])),
    ),
    receipts: [],
    keys: await ask(url, KEYS),
    sums: (await ask<Sum>(url, SUMS))
      .filter(({ deviceId }) => !theirs.has(deviceId))
      .map((sum) => ({ ...sum, invoices: Number(sum.invoices) })),
    damage: [],
    // A standby may lack sales: what comes of that is judged by itself.
    stopped: [],
    journal: entries === 0 ? ['the journals are empty'] : problems,
  }
}

const INVOICES = `SELECT id, status, jir, zki, number, premises_code AS "premisesCode", year, device_id AS "deviceId",
  occurred_at_text AS "occurredAt", document::json ->> 'total' AS total, confirmed_at AS "confirmedAt"
  FROM invoices WHERE gateway_id = '' ORDER BY id`
const KEYS = 'SELECT key, invoice_id AS "invoiceId" FROM idempotency_keys WHERE invoice_id IS NOT NULL'
