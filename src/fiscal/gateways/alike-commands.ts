import { isDeepStrictEqual } from 'node:util'
import type { CommandType, GatewayCommand } from '../ports/gateway-commands.ts'
import type { JsonObject } from '../ports/model.ts'

type Wanted = Pick<GatewayCommand, 'type' | 'body'>

/** The fields of a body that name what the command is about; of an empty list there is one of a kind. */
const OBJECT_OF: Record<CommandType, readonly string[]> = {
  'device.set_isu': ['device_id'],
  'device.change': ['device_id'],
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
  const same = last && isDeepStrictEqual(last.body, wanted.body) ? last : undefined
  return { same, replaced: alike.filter((one) => one !== same && one.sentAt === null && isSaidAnew(one, wanted)) }
}

/** Whether both are about the same of the same object: a new name and a new status of a device are not. */
function isAlike(one: Wanted, { type, body }: Wanted): boolean {
  if (one.type !== type || OBJECT_OF[type].some((field) => one.body[field] !== body[field])) return false
  return type !== 'device.change' || changesOf(body).some((field) => changesOf(one.body).includes(field))
}

function isSaidAnew(older: Wanted, { type, body }: Wanted): boolean {
  return type !== 'device.change' || changesOf(older.body).every((field) => changesOf(body).includes(field))
}

const changesOf = ({ device_id: _, ...changes }: JsonObject) => Object.keys(changes)
