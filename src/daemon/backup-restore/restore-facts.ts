import type { EpochMs } from '../../domain/instant.ts'
import { formatZagreb } from '../../domain/zagreb.ts'
import { inSlices } from '../../fiscal/in-slices.ts'
import type { NumberFacts, WantedNumbers } from '../../fiscal/numbering/wanted-numbers.ts'
import type { Company, Device, Journal } from '../../fiscal/ports/model.ts'
import { OURS } from '../../fiscal/registry/active-devices.ts'
import type { KnownNumbers } from '../../store/shared/sync/known-numbers.ts'
import type { OpenStore } from '../../store/store.ts'

/** What a backup knows of its numbers. @param left what the databases know that are still there */
export async function numberFacts(store: OpenStore, left: KnownNumbers[], now: EpochMs) {
  const lasts = new Map<string, EpochMs>()
  let invoices = 0
  for (const journal of await store.invoices.journals()) {
    const end = await store.invoices.lastOf(journal)
    if (!end) continue
    invoices += end.journalPosition
    const [last] = await store.invoices.journal(journal, end.journalPosition - 1, 1)
    if (last) lasts.set(keyOf(journal), last.createdAt)
  }
  const newestAt = lasts.size === 0 ? null : Math.max(...lasts.values())
  const elsewhere = left.flatMap(({ sequences }) => sequences)
  const companies = await store.companies.all()
  const devices: Device[] = []
  for await (const device of inSlices((slice) => store.devices.list(OURS, slice))) devices.push(device)
  return {
    facts: {
      companies: [...companies, ...companiesOnlyIn(left, companies)],
      devices,
      sequences: await store.numbering.sequences(),
      elsewhere,
      levels: [...(await store.numbering.levels()), ...left.flatMap(({ levels }) => levels)],
      now,
      newestAt,
    },
    invoices,
    newestAt,
    /** When the last sale of a premises in the backup was stored, for people. */
    about(wanted: WantedNumbers): string {
      const at = lasts.get(keyOf(wanted))
      return at === undefined ? '' : `, ${formatZagreb(at, 'dd.MM.yyyy HH:mm:ss')}`
    },
  }
}

/** Those that were added after the backup. */
function companiesOnlyIn(left: KnownNumbers[], known: readonly Company[]): NumberFacts['companies'] {
  const found = new Map<string, NumberFacts['companies'][number]>()
  for (const { companyId: id } of left.flatMap(({ sequences }) => sequences)) {
    found.set(id, { id, oib: id, mode: 'test', fiscalConfig: {} })
  }
  for (const one of left.flatMap(({ companies }) => companies)) found.set(one.id, { ...one, fiscalConfig: {} })
  for (const { id } of known) found.delete(id)
  return [...found.values()]
}

const keyOf = ({ companyId, mode, premisesCode }: Journal): string => `${companyId} ${mode} ${premisesCode}`
