import { join } from 'node:path'
import { readDatabase, type Stored } from '../chaos/database.ts'
import { judgeJournals } from '../chaos/journals.ts'
import type { Sale, Seen } from '../chaos/sale.ts'
import { checkCard, withCard } from '../machine/card.ts'

/** Something that a client was told before the moment that a card is judged for. */
export interface ToldAnswer {
  sale: Sale
  seen: Seen
}

/**
 * Mounts a card as a boot does, opens the database on it as the daemon does, and judges both.
 * @param image an ext4 card; it is changed
 * @param told what had been answered before
 * @returns every promise that it breaks
 */
export async function judgeCard(image: string, dir: string, told: readonly ToldAnswer[]): Promise<string[]> {
  let problems: string[]
  try {
    problems = await withCard(image, dir, (folder) => judgeData(join(folder, 'fiskd'), told))
  } catch (error) {
    return [(error as Error).message]
  }
  return [...problems, ...checkCard(image)]
}

/** @param dataDir of a daemon that has ended; what it left in its log is brought into its database */
export async function judgeData(dataDir: string, told: readonly ToldAnswer[]): Promise<string[]> {
  const { problems } = await judgeJournals(join(dataDir, 'fiskd.db'))
  const { invoices, damage } = readDatabase(dataDir)
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  return [...problems, ...damage, ...told.flatMap((answer) => lostOf(answer, byId.get(answer.seen.id)))]
}

function lostOf({ sale, seen }: ToldAnswer, stored: Stored | undefined): string[] {
  const name = `the sale of ${sale.occurredAt} at ${sale.machine.premisesCode}`
  if (!stored) return [`${name} was answered with number ${seen.number}, and is not there`]
  const told = [seen.number, seen.zki, sale.machine.id, sale.occurredAt, sale.total].join(' ')
  const holds = [stored.number, stored.zki, stored.deviceId, stored.occurredAt, stored.total].join(' ')
  if (told !== holds) return [`${name} was told as ${told}, and is stored as ${holds}`]
  if (seen.jir !== null && seen.jir !== stored.jir)
    return [`${name} was told with JIR ${seen.jir}, and has ${stored.jir}`]
  return []
}
