import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { invalidRequest, notFound } from '../../domain/errors.ts'
import { DAY_MS } from '../../domain/instant.ts'
import { FARTHEST_COMMAND } from '../../domain/sync-bounds.ts'
import type { Vault } from '../ports/certificates.ts'
import type { CommandAttachment, CommandOutcome, GatewayCommand } from '../ports/gateway-commands.ts'
import type { KeptFacts } from '../ports/kept-facts.ts'
import type { JsonObject } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { CommandContext } from './queue-commands.ts'

/** A gateway runs its commands one after another; it gets the rest with its next poll. */
const AT_ONCE = 8
/** How long attachments are kept. */
const KEPT_MS = 30 * DAY_MS

/**
 * The next commands for a gateway, in order: those not sent yet, and those sent but not answered.
 * @throws FiskError 400 when `lastCommand`, the highest that the gateway has seen, would leave none for the next ones
 */
export async function takeCommands(
  { store, clock }: CommandContext,
  gatewayId: string,
  lastCommand: number,
): Promise<GatewayCommand[]> {
  if ((await store.gatewayCommands.waiting(gatewayId, 1)).length === 0) return []
  return store.transaction(async (tx) => {
    await tx.subjects.hold(`gateway ${gatewayId}`)
    // A gateway that was revoked meanwhile, or whose identity two machines use, gets no commands.
    const gateway = await tx.gateways.get(gatewayId)
    if (!gateway || gateway.revokedAt !== null || gateway.duplicatedAt !== null) return []
    await tx.gatewayCommands.expire(clock.proven())
    if (lastCommand > (await tx.gatewayCommands.last(gatewayId)) + FARTHEST_COMMAND) {
      throw invalidRequest('last_command', 'last_command is far above every command of this gateway')
    }
    await tx.gatewayCommands.renumber(gatewayId, lastCommand)
    const commands = await tx.gatewayCommands.waiting(gatewayId, AT_ONCE)
    const ids = commands.map(({ id }) => id)
    await tx.gatewayCommands.sent(ids, clock.now())
    return commands
  })
}

/** Stores the answer to a command; only the first answer counts. @throws FiskError 404 */
export async function answerCommand(
  { store, clock }: CommandContext,
  gatewayId: string,
  id: string,
  { status, result }: { status: CommandOutcome; result: JsonObject | null },
): Promise<void> {
  await findOwn(store, gatewayId, id)
  await store.gatewayCommands.answer(id, { status, answeredAt: clock.now(), result })
}

/** Stores the attachment of a command. @throws FiskError 404, 400 for a command that accepts none */
export async function attachToCommand(
  { store, clock }: CommandContext,
  gatewayId: string,
  id: string,
  attachment: CommandAttachment,
): Promise<void> {
  await requireAttachable(store, gatewayId, id)
  if (!/^[\w-][\w.-]{0,99}$/.test(attachment.name)) throw invalidRequest('name', 'this is no name for a file')
  await store.transaction(async (tx) => {
    await tx.gatewayCommands.removeAttachmentsBefore(clock.now() - KEPT_MS)
    await tx.gatewayCommands.attach(id, attachment)
  })
}

/** @throws FiskError 404 for an unknown or foreign command, 400 for one that takes no attachment or was answered */
export async function requireAttachable(
  store: Pick<StoreTransaction, 'gatewayCommands'>,
  gatewayId: string,
  id: string,
): Promise<void> {
  const { type, answeredAt } = await findOwn(store, gatewayId, id)
  if (type !== 'support_bundle' || answeredAt !== null) throw invalidRequest('id', 'this command takes no file (now)')
}

async function findOwn(
  store: Pick<StoreTransaction, 'gatewayCommands'>,
  gatewayId: string,
  id: string,
): Promise<GatewayCommand> {
  const command = await store.gatewayCommands.get(id)
  if (command?.gatewayId !== gatewayId) throw notFound('id', 'there is no such command')
  return command
}

/** Its name among the facts, and what the vault seals it for. */
const NAME = 'command_signing_key'

/** The key by which gateways believe their server's commands; of processes that make it at once the first counts. */
export function createCommandSigner(facts: Pick<KeptFacts, 'get' | 'keep'>, vault: Vault) {
  let loaded: Promise<Keys> | undefined

  async function load(): Promise<Keys> {
    const sealed = (await facts.get(NAME)) ?? (await facts.keep(NAME, vault.seal(newKey(), NAME)))
    const privateKey = createPrivateKey({ key: vault.open(sealed, NAME), format: 'der', type: 'pkcs8' })
    const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
    return {
      publicKey: der.toString('base64url'),
      sign: (bytes) => sign(null, bytes, privateKey).toString('base64url'),
    }
  }

  function keys(): Promise<Keys> {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }

  return {
    /** Ed25519, SPKI DER as base64url: gateways learn it when they enrol. */
    publicKey: async (): Promise<string> => (await keys()).publicKey,
    /** @returns what signs: Ed25519 over the bytes, base64url */
    signing: async (): Promise<(bytes: Buffer) => string> => (await keys()).sign,
  }
}

interface Keys {
  publicKey: string
  sign: (bytes: Buffer) => string
}

const newKey = (): Buffer => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
