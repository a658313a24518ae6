import type { FastifyPluginAsync } from 'fastify'
import { invalidRequest } from '../../domain/errors.ts'
import { isTooDeep } from '../../domain/json-limits.ts'
import type { CommandAttachment, GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { GatewayRecord, Heartbeat } from '../../fiscal/ports/gateways.ts'
import type { ToldLinks } from '../../fiscal/ports/receipt-links.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'
import { checkOf } from '../wire/check-value.ts'
import { signCommand } from '../wire/commands.ts'
import { CommandResult, PollRequest, type PollResponse } from '../wire/messages.ts'
import { bodyOf, type TakeMemory } from './body.ts'
import type { createCommandBell } from './command-bell.ts'

/** What the routes of commands stand on; they are registered below `syncRoutes`, which says who is asking. */
export interface CommandRoutesOptions {
  /** A gateway is there, and says how it is. */
  heard(gateway: GatewayRecord, heartbeat: Heartbeat): Promise<void>
  /** What a gateway is to do, in order, above what it has seen. */
  take(gatewayId: string, lastCommand: number): Promise<GatewayCommand[]>
  answer(gatewayId: string, id: string, result: CommandResult): Promise<void>
  /** @throws FiskError for what is no command of the gateway that waits for a file */
  requireAttachable(gatewayId: string, id: string): Promise<void>
  attach(gatewayId: string, id: string, attachment: CommandAttachment): Promise<void>
  signing(): Promise<(bytes: Buffer) => string>
  /** What makes the links of a gateway; null where this server shows no receipts. */
  linksOf(gatewayId: string): Promise<ToldLinks | null>
  bell: ReturnType<typeof createCommandBell>
  takeRoom: TakeMemory
}

/** This process stops: another one answers better. Its gateways do not go there all at once. */
const elsewhereS = () => 1 + 9 * Math.random()
const SMALL_BYTES = SYNC_BOUNDS.small.most
const FILE_BYTES = SYNC_BOUNDS.file.most

export const commandRoutes: FastifyPluginAsync<CommandRoutesOptions> = async (app, options) => {
  const { heard, take, answer, requireAttachable, attach, signing, linksOf, bell, takeRoom } = options
  const config = { sync: 'session', budget: 'fleet' } as const
  const [checkPoll, checkResult] = [checkOf(PollRequest), checkOf(CommandResult)]

  app.post('/poll', {
    bodyLimit: SMALL_BYTES,
    config,
    handler: async (request, reply): Promise<PollResponse> => {
      const { gateway } = request
      const { wait_s, heartbeat, last_command } = await bodyOf(request, checkPoll)
      requireFlat('heartbeat', heartbeat)
      const gone = new AbortController()
      const leave = () => gone.abort()
      // A gateway that sends no more waits for no command.
      request.socket.once('end', leave)
      reply.raw.once('close', () => request.socket.off('end', leave))
      reply.raw.once('close', leave)
      await heard(gateway, heartbeat)
      const until = performance.now() + wait_s * 1000
      let commands = await take(gateway.id, last_command)
      let goOn = true
      while (commands.length === 0 && goOn && performance.now() < until) {
        goOn = await bell.wait(gateway.id, until - performance.now(), gone.signal)
        // At the end nothing is looked up: the next poll, which follows at once, looks first.
        if (goOn && performance.now() < until) commands = await take(gateway.id, last_command)
      }
      const sign = commands.length === 0 ? undefined : await signing()
      const links = await linksOf(gateway.id)
      return {
        ...(links && { receipt_links: links }),
        commands: sign ? commands.map((command) => signCommand(command, sign)) : [],
        again_s: goOn ? 0 : elsewhereS(),
      }
    },
  })

  app.post<{ Params: { id: string } }>('/commands/:id', {
    bodyLimit: SMALL_BYTES,
    config,
    handler: async (request, reply) => {
      const result = await bodyOf(request, checkResult)
      requireFlat('result', result)
      await answer(request.gateway.id, request.params.id, result)
      return reply.status(204).send()
    },
  })

  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: FILE_BYTES },
    async (_request: unknown, body: Buffer) => body,
  )
  app.put<{ Params: { id: string }; Querystring: { name?: unknown } }>('/commands/:id/attachment', {
    bodyLimit: FILE_BYTES,
    config,
    onRequest: ({ gateway, params }) => requireAttachable(gateway.id, params.id),
    preParsing: takeRoom,
    handler: async ({ gateway, params, query, body, headers }, reply) => {
      const isBytes = headers['content-type'] === 'application/octet-stream' && Buffer.isBuffer(body)
      if (!isBytes) throw invalidRequest('Content-Type', 'send application/octet-stream')
      await attach(gateway.id, params.id, { name: String(query.name ?? ''), content: body })
      return reply.status(204).send()
    },
  })
}

/** What is nested without end cannot be written down again: how deep that is would depend on who writes it. */
function requireFlat(field: string, value: unknown): void {
  if (isTooDeep(value, SYNC_BOUNDS.depth.most))
    throw invalidRequest(field, `${field} is nested more than ${SYNC_BOUNDS.depth.most} levels deep`)
}
