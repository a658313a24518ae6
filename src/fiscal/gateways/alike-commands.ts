import { isDeepStrictEqual } from 'node:util'
import type { CommandType, GatewayCommand } from '../ports/gateway-commands.ts'

type Wanted = Pick<GatewayCommand, 'type' | 'body'>

/** The fields of a body that name what the command is about; of an empty list there is one of a kind. */
const OBJECT_OF: Record<CommandType, readonly string[]> = {
  'device.set_isu': ['device_id'],
  'device.change': ['device_id'],
  'device.set_setting': ['device_id'],
  'device.add': ['company_id', 'premises_code', 'label'],
  'certificate.add': ['company_id'],
  'api_key.revoke': ['id'],
  'invoice.retry': ['invoice_id'],
  'invoices.requeue': ['code'],
  'receipt.copy': ['invoice_id'],
  doctor: [],
  support_bundle: [],
}

/** What a new command means for those that wait. */
export interface AmongWaiting {
  /** The same is asked for already, and nothing that was asked for later says otherwise. */
  same: GatewayCommand | undefined
  /** Commands that were never sent, and of which the new one says all anew. */
  replaced: GatewayCommand[]
}

/** Compares a new command with the unanswered ones of its gateway. @param waiting in order */
export function amongWaiting(waiting: readonly GatewayCommand[], wanted: Wanted): AmongWaiting {
  const alike = waiting.filter((one) => isAlike(one, wanted))
  const last = alike.at(-1)
  const same = last?.type === wanted.type && isDeepStrictEqual(last.body, wanted.body) ? last : undefined
  return { same, replaced: alike.filter((one) => one !== same && one.sentAt === null && isSaidAnew(one, wanted)) }
}

/** Whether both are about the same of the same object: a new name and a new status of a device are not. */
function isAlike(one: Wanted, wanted: Wanted): boolean {
  const [changed, anew] = [changedBy(one), changedBy(wanted)]
  if (!anew) return one.type === wanted.type && isOfSame(one, wanted)
  const isSame = (field: string) => anew.some((other) => isPartOf(field, other) || isPartOf(other, field))
  return isOfSame(one, wanted) && changed?.some(isSame) === true
}

/** A whole configuration may hold what single settings were asked to be, so neither is replaced by the other. */
function isSaidAnew(older: Wanted, wanted: Wanted): boolean {
  const [changed, anew] = [changedBy(older), changedBy(wanted)]
  if (older.type !== wanted.type) return false
  return !changed || changed.every((field) => anew?.some((other) => isPartOf(field, other)))
}

function isOfSame(one: Wanted, { type, body }: Wanted): boolean {
  return OBJECT_OF[type].every((field) => one.body[field] === body[field])
}

/** The fields of a device that a command changes; undefined for one that changes none of a device that is there. */
function changedBy({ type, body: { device_id: _, ...changes } }: Wanted): string[] | undefined {
  if (type === 'device.set_setting') return [`device_config.${changes.setting}`]
  return type === 'device.change' ? Object.keys(changes) : undefined
}

const isPartOf = (field: string, whole: string) => `${field}.`.startsWith(`${whole}.`)
