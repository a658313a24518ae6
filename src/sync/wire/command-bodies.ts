import { type TSchema, Type } from 'typebox'
import { FISCAL_ERRORS, type FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { COMMANDS, type CommandType } from '../../fiscal/ports/gateway-commands.ts'
import { ACTIVE_STATUSES, type JsonObject } from '../../fiscal/ports/model.ts'
import { type Check, checkOf, type Fault } from './check-value.ts'
import {
  Base64Url,
  Closed,
  Digits,
  Free,
  Handle,
  HoursDatesFields,
  Line,
  Nullable,
  PremisesCode,
  StatedHoursFields,
  Uuid,
} from './schemas.ts'

const label = Line(1, 200)
const premisesAddress = Type.Optional(Nullable(Line(0, 500)))
const deviceConfig = Type.Optional(Free)
/** A member of `device_config`, or a member of its member. */
const SettingName = Type.String({ maxLength: 100, pattern: '^[a-z][a-z_]*(\\.[a-z][a-z_]*)?$' })
const invoice = { invoice_id: Handle }

/** All that a command may say: where a machine stands, whose it is and what it has issued cannot even be named. */
const COMMAND_BODIES = {
  'device.set_isu': Closed({ device_id: Uuid, isu_number: Nullable(Digits) }),
  'device.change': Closed({
    device_id: Uuid,
    label: Type.Optional(label),
    premises_address: premisesAddress,
    device_config: deviceConfig,
    status: Type.Optional(Type.Enum(ACTIVE_STATUSES)),
  }),
  'device.set_setting': Closed({ device_id: Uuid, setting: SettingName, value: Type.Optional(Type.Unknown()) }),
  'device.add': Closed({
    company_id: Uuid,
    premises_code: PremisesCode,
    premises_address: premisesAddress,
    label,
    isu_number: Type.Optional(Nullable(Digits)),
    device_config: deviceConfig,
  }),
  'company.set_status': Closed({ company_id: Uuid, status: Type.Enum(ACTIVE_STATUSES) }),
  'certificate.add': Closed({ company_id: Uuid, sealed: Base64Url(700_000) }),
  'api_key.revoke': Closed({ id: Uuid }),
  'invoice.retry': Closed(invoice),
  'invoices.requeue': Closed({ code: Type.Enum(Object.keys(FISCAL_ERRORS) as FiscalErrorCode[]) }),
  'receipt.copy': Closed(invoice),
  'invoice.correct': Closed({
    ...invoice,
    payment_method: Type.Optional(Type.Enum(['G', 'K', 'O', 'T'])),
    recipient_oib: Type.Optional(Nullable(Line(0, 20))),
  }),
  'hours.show': Closed({ device_id: Uuid }),
  'hours.set': Closed({ device_id: Uuid, ...StatedHoursFields }),
  'hours.remove': Closed({ device_id: Uuid, ...HoursDatesFields }),
  doctor: Closed({}),
  support_bundle: Closed({}),
} as const satisfies Record<CommandType, TSchema>

export const isCommandType = (type: string): type is CommandType => Object.hasOwn(COMMANDS, type)

const checks = new Map<CommandType, Check<TSchema>>()

/** @returns what is wrong with the body of a command, undefined when nothing is */
export function bodyFault(type: CommandType, body: JsonObject): Fault | undefined {
  const check = checks.get(type) ?? checkOf(COMMAND_BODIES[type] as TSchema)
  checks.set(type, check)
  const checked = check(body)
  return 'fault' in checked ? checked.fault : undefined
}
