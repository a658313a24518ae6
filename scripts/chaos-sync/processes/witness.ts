import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { tick } from '../../chaos/wait.ts'
import { ask, type Node } from '../cluster.ts'

/** An outcome that is stored, and who has stored it, as PostgreSQL knows it. */
export interface Write {
  messageId: string
  invoiceId: string
  /** The role of the process. */
  who: string
  /** By `tick`. */
  at: number
}

/**
 * PostgreSQL tells the role and the transaction of every statement in its log, and keeps when a transaction was
 * committed. Each process has a role of its own: so what a process wrote shows, whatever it thinks of itself.
 */
export const WITNESS_SETTINGS = {
  log_line_prefix: 'u=%u x=%x ',
  log_min_duration_statement: '0',
  log_parameter_max_length: '0',
  track_commit_timestamp: 'on',
}

const PREFIX = /^u=(\w*) x=(\d+) /

/** A role that may do all that the owner of the cluster may. */
export async function createRole(node: Node, role: string): Promise<void> {
  await ask(node.url('postgres'), `CREATE ROLE ${role} LOGIN SUPERUSER`)
}

/**
 * Who stored the outcome of each message.
 * @param nodes all on which the database was, oldest first
 */
export async function writesOf(url: string, nodes: readonly Node[]): Promise<Write[]> {
  const roles = new Map<string, string>()
  // A transaction that a crash undid leaves its number to a later one: the last one counts.
  for (const { log } of nodes) {
    for await (const line of createInterface({ input: createReadStream(log) })) {
      const [, role = '', transaction = '0'] = PREFIX.exec(line) ?? []
      if (transaction !== '0') roles.set(transaction, role)
    }
  }
  const rows = await ask<{ message_uuid: string; invoice_id: string; transaction: string; ms: string }>(
    url,
    `SELECT message_uuid, invoice_id, xmin AS transaction, extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS ms FROM messages
      ORDER BY ms`,
  )
  const ahead = Date.now() - tick()
  return rows.map(({ message_uuid, invoice_id, transaction, ms }) => ({
    messageId: message_uuid,
    invoiceId: invoice_id,
    who: roles.get(transaction) ?? 'nobody',
    at: Number(ms) - ahead,
  }))
}
