import { isDeepStrictEqual } from 'node:util'
import { COMMANDS, type GatewayCommand } from '../ports/gateway-commands.ts'

type Wanted = Pick<GatewayCommand, 'type' | 'body'>

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
  return COMMANDS[type].about?.every((field) => one.body[field] === body[field]) === true
}

/** The fields of what is there that a command changes; undefined for one that changes no single fields. */
function changedBy({ type, body: { device_id: _, invoice_id: __, ...changes } }: Wanted): string[] | undefined {
  if (type === 'device.set_setting') return [`device_config.${changes.setting}`]
  return type === 'device.change' || type === 'invoice.correct' ? Object.keys(changes) : undefined
}

const isPartOf = (field: string, whole: string) => `${field}.`.startsWith(`${whole}.`)
