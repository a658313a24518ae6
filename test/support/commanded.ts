import { setTimeout as delay } from 'node:timers/promises'
import type { DestinationStream } from 'pino'
import { onTestFinished } from 'vitest'
import type { GatewayCommandView } from '../../src/contract/admin/gateway-commands.ts'
import { type CutLink, startCutLink } from './cut-link.ts'
import { type Gateway, startEmptyGateway, startGateway } from './gateway.ts'
import { PATIENCE_MS } from './patience.ts'

/** A central server with a gateway that has enrolled and told of its device. */
export interface Commanded {
  server: Gateway
  kiosk: Gateway
  /** Between the two. */
  link: CutLink
  /** Of the gateway, at the server. */
  id: string
  /** Sends a command. @returns what the server says at once */
  send(type: string, body?: object): Promise<GatewayCommandView>
  command(id: string): Promise<GatewayCommandView>
  answered(id: string): Promise<GatewayCommandView>
  /** Sends a command and waits for its answer. */
  done(type: string, body?: object): Promise<GatewayCommandView>
}

export const KIOSK = 'kiosk-7'

export async function startCommanded(
  env: { server?: Record<string, string>; kiosk?: Record<string, string> } = {},
  logTo?: DestinationStream,
): Promise<Commanded> {
  const server = await startEmptyGateway({ FISKD_ROLE: 'server', ...env.server }, logTo)
  const kiosk = await startGateway(env.kiosk, logTo)
  const link = await startCutLink(() => server.url, onTestFinished)
  const id = await enrol(server, kiosk, link.url)
  return { server, kiosk, link, id, ...commandsOf(server) }
}

/** Commands of the one gateway of a server. */
export function commandsOf(server: Gateway): Pick<Commanded, 'send' | 'command' | 'answered' | 'done'> {
  const path = `/admin/gateways/${KIOSK}/commands`
  const commands: Pick<Commanded, 'send' | 'command' | 'answered' | 'done'> = {
    async send(type, body = {}) {
      const sent = await server.admin<GatewayCommandView>(path, { body: { type, body } })
      if (sent.status !== 201) throw new Error(sent.text)
      return sent.body
    },
    command: async (id) => (await server.admin<GatewayCommandView>(`${path}/${id}`)).body,
    answered: (id) =>
      until(
        () => commands.command(id),
        ({ status }) => status !== 'waiting',
      ),
    done: async (type, body) => commands.answered((await commands.send(type, body)).id),
  }
  return commands
}

/** Enrols a gateway with a new token, and waits until it has told of its device. @returns its id */
export async function enrol(server: Gateway, kiosk: Gateway, url = server.url): Promise<string> {
  const added = await server.admin<{ id: string; token: string }>('/admin/gateways', { body: { name: KIOSK } })
  if (added.status !== 201) throw new Error(added.text)
  const enrolled = await kiosk.admin('/admin/sync/enroll', { body: { url, token: added.body.token } })
  if (enrolled.status >= 300) throw new Error(enrolled.text)
  const known = () => server.admin<{ data: object[] }>(`/admin/devices?ref=${kiosk.deviceId}`)
  await until(known, ({ body }) => body.data.length === 1)
  return added.body.id
}

/** Asks until the answer is the wanted one. @throws Error with the last answer when it never is */
export async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean, ms = PATIENCE_MS): Promise<T> {
  for (const end = Date.now() + ms; ; await delay(25)) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    if (Date.now() > end) throw new Error(`it never came: ${JSON.stringify(answer).slice(0, 2000)}`)
  }
}
