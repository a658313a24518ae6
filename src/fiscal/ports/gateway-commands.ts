import type { EpochMs } from '../../domain/instant.ts'
import type { JsonObject } from './model.ts'

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
