import { withoutControls } from '../../domain/control-characters.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { audit, changesBetween } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { slicesOf } from '../in-slices.ts'
import type { DeviceNote } from '../ports/rows/tags-notes-views.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findDevice } from '../registry/devices.ts'
import { type Expected, requireExpected } from '../registry/expected-fields.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'

/** In characters. */
export const NOTE_LIMITS = { note: 1000, contact: 200 } as const
export const NOTE_FIELDS = ['note', 'contact'] as const satisfies (keyof DeviceNote)[]

/** Notes of the office about devices, own ones and those of gateways; they stay in this database. */
export function createNotes({ store, clock }: Context) {
  return {
    /** @throws FiskError 404, `insufficient_scope`, 400 (`note`, `contact`), 409 when they are not as they were seen */
    async set(
      principal: Principal,
      deviceId: string,
      wanted: DeviceNote,
      seen: Expected<DeviceNote>,
      keep?: Keep<void>,
    ): Promise<void> {
      requireScope(principal, 'fleet:write')
      const after = { note: readText('note', wanted), contact: readText('contact', wanted) }
      await keeping(store, keep, async (tx) => {
        await tx.subjects.hold(`note ${deviceId}`)
        const { id, companyId, label } = await findDevice(tx, principal, deviceId)
        const before = await tx.deviceNotes.of(principal.tenantId, id)
        requireExpected(before, seen)
        const changed = changesBetween(before, after, NOTE_FIELDS, NOTE_FIELDS)
        if (changed) {
          await tx.deviceNotes.put(principal.tenantId, id, after)
          await audit(tx, principal, clock.now(), 'device.noted', { id, company_id: companyId, label, changed })
        }
      })
    },
  }
}

/** Lines stay; other control characters become blanks. */
function readText(field: keyof DeviceNote, wanted: DeviceNote): string {
  const text = wanted[field].split(/\r?\n/).map(withoutControls).join('\n').trim()
  if ([...text].length > NOTE_LIMITS[field]) throw invalidRequest(field, `${field} is too long`, `${field}_too_long`)
  return text
}

/** Rows per query: a sale in between waits for a few milliseconds. */
const SLICE = 500

/** By device. */
export async function readNotes({ deviceNotes }: Pick<StoreTransaction, 'deviceNotes'>, tenantId: string) {
  const notes = new Map<string, DeviceNote>()
  const slices = slicesOf<DeviceNote & { deviceId: string }>(SLICE, (last) =>
    deviceNotes.list(tenantId, { limit: SLICE, after: last?.deviceId }),
  )
  for await (const some of slices) for (const { deviceId, ...note } of some) notes.set(deviceId, note)
  return notes
}
