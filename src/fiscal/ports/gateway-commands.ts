import type { EpochMs } from '../../domain/instant.ts'
import type { JsonObject } from './model.ts'
import type { Slice } from './rows/lists.ts'

export const COMMAND_TYPES = [
  'device.set_isu',
  'device.change',
  'device.add',
  'certificate.add',
  'api_key.revoke',
  'invoice.retry',
  'invoices.requeue',
  'receipt.copy',
  'doctor',
  'support_bundle',
] as const

export type CommandType = (typeof COMMAND_TYPES)[number]

export type CommandStatus = 'waiting' | 'done' | 'failed' | 'refused' | 'expired' | 'interrupted'

export type CommandOutcome = Exclude<CommandStatus, 'waiting'>

/** What a gateway is to do, as the server keeps it. */
export interface GatewayCommand {
  id: string
  gatewayId: string
  /** Its place among the commands of its gateway. */
  number: number
  type: CommandType
  body: JsonObject
  /** Who asked for it: the id of a principal. */
  issuedBy: string
  issuedAt: EpochMs
  /** From then on the gateway refuses it. */
  expiresAt: EpochMs
  status: CommandStatus
  sentAt: EpochMs | null
  answeredAt: EpochMs | null
  result: JsonObject | null
}

export type NewGatewayCommand = Pick<
  GatewayCommand,
  'id' | 'gatewayId' | 'type' | 'body' | 'issuedBy' | 'issuedAt' | 'expiresAt'
>

/** What a command brought back that is no JSON. */
export interface CommandAttachment {
  name: string
  content: Buffer
}

/** A command as the gateway keeps it, so that it is done once at most. */
export interface ReceivedCommand {
  id: string
  number: number
  type: string
  receivedAt: EpochMs
  status: 'begun' | CommandOutcome
  result: JsonObject | null
  /** When the server has taken the result. */
  toldAt: EpochMs | null
}
export interface GatewayCommandRows {
  /** Gives it the next number of its gateway, above all that the gateway has seen. */
  add(command: NewGatewayCommand): Promise<GatewayCommand>
  get(id: string): Promise<GatewayCommand | undefined>
  /** What a gateway has not answered, in order. */
  waiting(gatewayId: string, limit: number): Promise<GatewayCommand[]>
  countWaiting(gatewayId: string): Promise<number>
  /** The gateways that have not answered something. */
  awaited(): Promise<string[]>
  /** The highest number that was given to a command of the gateway, or that it said it has seen; 0 before the first. */
  last(gatewayId: string): Promise<number>
  /** The gateway has seen this number: what it was never sent goes behind it. */
  renumber(gatewayId: string, above: number): Promise<void>
  /** The first time counts. */
  sent(ids: readonly string[], at: EpochMs): Promise<void>
  /** The first answer counts. @returns false when there was one */
  answer(
    id: string,
    answer: { status: CommandOutcome; answeredAt: EpochMs; result: JsonObject | null },
  ): Promise<boolean>
  /** Ends what is too old and was never sent: of what was sent the gateway tells. */
  expire(now: EpochMs): Promise<void>
  /** The latest first. */
  list(gatewayId: string, slice: Slice): Promise<GatewayCommand[]>
  /** The latest one of a command counts. */
  attach(commandId: string, attachment: CommandAttachment): Promise<void>
  attachment(commandId: string): Promise<CommandAttachment | undefined>
  /** Without their contents, in no order. */
  attachments(commandIds: readonly string[]): Promise<{ commandId: string; name: string; bytes: number }[]>
  /** Those of commands that were issued before a moment. */
  removeAttachmentsBefore(moment: EpochMs): Promise<void>
}

export interface ReceivedCommandRows {
  insert(command: ReceivedCommand): Promise<void>
  get(id: string): Promise<ReceivedCommand | undefined>
  /** Ends what has begun. @returns false when it had ended, which stands then */
  end(id: string, end: { status: CommandOutcome; result: JsonObject | null }): Promise<boolean>
  /** What has not ended, in order. */
  begun(): Promise<ReceivedCommand[]>
  /** What has ended and the server does not know, in order. */
  untold(limit: number): Promise<ReceivedCommand[]>
  told(id: string, at: EpochMs): Promise<void>
  /** The server has forgotten it; what has not ended is told anyway. */
  tellAgain(id: string): Promise<void>
  /** Of what was told: what was received before a moment, and refusals beyond so many of the latest. */
  forget(before: EpochMs, refusalsToKeep: number): Promise<void>
  /** The latest first. */
  list(limit: number): Promise<ReceivedCommand[]>
}
