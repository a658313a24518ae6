import type { EpochMs } from '../../domain/instant.ts'
import type { Scope } from '../access/principal.ts'
import type { JsonObject } from './model.ts'
import type { Slice } from './rows/lists.ts'

/** What gateways can be asked to do. */
export const COMMANDS = {
  'device.set_isu': { scope: 'fleet:write', about: ['device_id'] },
  'device.change': { scope: 'fleet:write', about: ['device_id'] },
  'device.set_setting': { scope: 'fleet:write', about: ['device_id'] },
  'device.add': { scope: 'fleet:write', about: ['company_id', 'premises_code', 'label'] },
  'company.set_status': { scope: 'fleet:write', about: ['company_id'] },
  'certificate.add': { scope: 'certificates:write', about: ['company_id'] },
  'api_key.revoke': { scope: 'fleet:write', about: ['id'] },
  'invoice.retry': { scope: 'invoices:write', about: ['invoice_id'] },
  'invoices.requeue': { scope: 'invoices:write', about: ['code'] },
  'receipt.copy': { scope: 'invoices:write', about: ['invoice_id'] },
  'invoice.correct': { scope: 'invoices:write', about: ['invoice_id'] },
  'hours.show': { scope: 'fleet:read', about: ['device_id'] },
  'hours.set': { scope: 'fleet:write', about: null },
  'hours.remove': { scope: 'fleet:write', about: null },
  doctor: { scope: 'fleet:read', about: [] },
  support_bundle: { scope: 'fleet:write', about: [] },
} as const satisfies Record<string, Command>

interface Command {
  /** Of who may ask for it. */
  scope: Scope
  /**
   * The fields of a body that name what the command is about; of an empty list there is one of a kind. With null each is
   * done, in order: none says all that another one does.
   */
  about: readonly string[] | null
}

export type CommandType = keyof typeof COMMANDS
export const COMMAND_TYPES = Object.keys(COMMANDS) as CommandType[]

/** `withdrawn`: a later command says all of it anew, and it was never sent. */
export type CommandStatus = 'waiting' | CommandOutcome | 'withdrawn'
export const COMMAND_OUTCOMES = ['done', 'failed', 'refused', 'expired', 'interrupted'] as const
export type CommandOutcome = (typeof COMMAND_OUTCOMES)[number]

/** A command for a gateway, as the server keeps it. */
export interface GatewayCommand {
  id: string
  gatewayId: string
  /** Its position among the commands of its gateway. */
  number: number
  type: CommandType
  body: JsonObject
  /** The id of the principal who asked for it. */
  issuedBy: string
  issuedAt: EpochMs
  /** The gateway refuses the command from this moment on. */
  expiresAt: EpochMs
  status: CommandStatus
  sentAt: EpochMs | null
  answeredAt: EpochMs | null
  /** Of a withdrawn command the id of the one that replaces it, as `replaced_by`. */
  result: JsonObject | null
}

export type NewGatewayCommand = Pick<
  GatewayCommand,
  'id' | 'gatewayId' | 'type' | 'body' | 'issuedBy' | 'issuedAt' | 'expiresAt'
>

/** A result of a command that is not JSON. */
export interface CommandAttachment {
  name: string
  content: Buffer
}

/** A command as the gateway keeps it, so that it runs at most once. */
export interface ReceivedCommand extends Pick<GatewayCommand, 'id' | 'number' | 'result'> {
  type: string
  receivedAt: EpochMs
  status: 'begun' | CommandOutcome
  /** When the server accepted the result. */
  toldAt: EpochMs | null
}

export interface GatewayCommandRows {
  /** Stores the command with the next number of its gateway, above every number that the gateway has seen. */
  add(command: NewGatewayCommand): Promise<GatewayCommand>
  get(id: string): Promise<GatewayCommand | undefined>
  /** Commands that the gateway has not answered, in order. */
  waiting(gatewayId: string, limit: number): Promise<GatewayCommand[]>
  /** The same of several gateways, one after the other, at most `limit` of each. */
  waitingAt(gatewayIds: readonly string[], limit: number): Promise<GatewayCommand[]>
  /** In the order in which they were issued; unknown ids are left out. */
  withIds(ids: readonly string[]): Promise<GatewayCommand[]>
  /** The latest of a type about a company, of each gateway; a sealed certificate is left out. */
  latestAbout(type: CommandType, companyId: string): Promise<GatewayCommand[]>
  /** By gateway: the commands since a moment that expired before they were fetched, and were not asked for again. */
  lapsed(since: EpochMs): Promise<Map<string, number>>
  /** Ends commands that were never sent, because another one says all of it anew. */
  withdraw(ids: readonly string[], replacedBy: string): Promise<void>
  awaited(): Promise<string[]>
  /** The highest number that was given to a command of the gateway, or that the gateway says it has seen; 0 if none. */
  last(gatewayId: string): Promise<number>
  /** The gateway has seen this number: gives commands that were never sent numbers above it. */
  renumber(gatewayId: string, above: number): Promise<void>
  /** Stores the first time that each command was sent. */
  sent(ids: readonly string[], at: EpochMs): Promise<void>
  /** Stores the first answer. @returns false when the command was already answered */
  answer(
    id: string,
    answer: { status: CommandOutcome; answeredAt: EpochMs; result: JsonObject | null },
  ): Promise<boolean>
  /** Expires commands that are too old and were never sent; those that were sent the gateway itself reports. */
  expire(now: EpochMs): Promise<void>
  /** The latest first. */
  list(gatewayId: string, slice: Slice): Promise<GatewayCommand[]>
  /** Replaces an earlier attachment of the command. */
  attach(commandId: string, attachment: CommandAttachment): Promise<void>
  attachment(commandId: string): Promise<CommandAttachment | undefined>
  /** The attachments without their contents, in no order. */
  attachments(commandIds: readonly string[]): Promise<{ commandId: string; name: string; bytes: number }[]>
  removeAttachmentsBefore(moment: EpochMs): Promise<void>
}

export interface ReceivedCommandRows {
  insert(command: ReceivedCommand): Promise<void>
  get(id: string): Promise<ReceivedCommand | undefined>
  /** Stores how a command ended. @returns false when it had already ended; that result then stays */
  end(id: string, end: { status: CommandOutcome; result: JsonObject | null }): Promise<boolean>
  /** Commands that have not ended, in order. */
  begun(): Promise<ReceivedCommand[]>
  /** Commands that have ended and whose result the server does not have yet, in order. */
  untold(limit: number): Promise<ReceivedCommand[]>
  told(id: string, at: EpochMs): Promise<void>
  /** Marks the result to be sent again, because the server has lost it. A command that has not ended needs no mark. */
  tellAgain(id: string): Promise<void>
  /** Removes commands whose result the server has: received before a moment, and refusals but the latest ones. */
  forget(before: EpochMs, refusalsToKeep: number): Promise<void>
  /** The latest first. */
  list(limit: number): Promise<ReceivedCommand[]>
}
