import type { EpochMs } from '../../domain/instant.ts'
import type { CommandType } from '../../fiscal/ports/gateway-commands.ts'
import { SYNC_ANSWER_BOUNDS } from '../wire/bounds.ts'
import { bodyFault, isCommandType } from '../wire/command-bodies.ts'
import { type CommandPayload, isSigned, readPayload, type SignedCommand } from '../wire/commands.ts'

export type SoundCommand = CommandPayload & { type: CommandType }

export type CommandFault =
  | 'command_malformed'
  | 'command_signature_invalid'
  | 'command_of_other_gateway'
  | 'command_replayed'
  | 'command_expired'
  | 'command_lives_too_long'
  | 'command_unknown'
  | 'command_body_invalid'

export type Judgement =
  | { verdict: 'sound'; command: SoundCommand }
  /** @property command undefined when nothing of it can be believed */
  | { verdict: 'refused'; code: CommandFault; message: string; id: string | null; command?: CommandPayload }

export const LONGEST_LIFE_MS = SYNC_ANSWER_BOUNDS.commandLifeMs.most
const MAX_PAYLOAD = SYNC_ANSWER_BOUNDS.command.most

/** Whether a command is ours, the next one, still meant and understood. Pure. @param now a moment certainly past */
export function judgeCommand(
  signed: SignedCommand,
  { gatewayId, serverKey, lastCommand }: { gatewayId: string; serverKey: string; lastCommand: number },
  now: EpochMs,
): Judgement {
  const payload = signed.payload.length > MAX_PAYLOAD ? undefined : readPayload(signed.payload)
  const id = payload?.id ?? null
  const refuse = (code: CommandFault, message: string, command?: CommandPayload): Judgement => ({
    verdict: 'refused',
    code,
    message,
    id,
    ...(command && { command }),
  })
  if (!payload) return refuse('command_malformed', 'it is no command that this version can read')
  if (!isSigned(signed, serverKey)) {
    return refuse('command_signature_invalid', 'it is not signed by the server that this gateway is enrolled at')
  }
  if (payload.gateway_id !== gatewayId) {
    return refuse('command_of_other_gateway', 'it was made for another gateway')
  }
  if (payload.number <= lastCommand) {
    const message = `its number is ${payload.number}, and number ${lastCommand} was here before: it may be a replay`
    return refuse('command_replayed', message, payload)
  }
  if (payload.expires_at - payload.issued_at > LONGEST_LIFE_MS) {
    return refuse('command_lives_too_long', 'no command may be good for more than 31 days', payload)
  }
  if (now >= payload.expires_at) return refuse('command_expired', 'it came too late to be meant still', payload)
  const { type, body } = payload
  if (!isCommandType(type)) return refuse('command_unknown', 'this version knows no such command', payload)
  const fault = bodyFault(type, body)
  if (fault) return refuse('command_body_invalid', fault.message, payload)
  return { verdict: 'sound', command: { ...payload, type } }
}
