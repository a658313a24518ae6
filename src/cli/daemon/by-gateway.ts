import { GatewayCommandSchema, OwnerSchema } from '../../contract/admin/gateway-commands.ts'
import { shellWord } from '../../domain/shell-word.ts'
import type { DeviceChoice } from '../config-options.ts'
import { Failure } from '../failure.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { gatewayCommandText } from '../text/gateway-command-text.ts'
import type { Client } from './client.ts'

const OWNED = ['device_owned_by_gateway', 'invoice_owned_by_gateway']

/** @param words of `fisk gateway send GATEWAY` @throws Failure with the whole command where a gateway decides */
export async function orByGateway<T>(
  client: Client,
  row: { device_id: string } | { invoice_id: string },
  words: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { gateway, failure } = await ownerOf(client, row, error)
    const line = ['fisk', 'gateway', 'send', gateway, ...words].map(wordOf).join(' ')
    const { error: said } = failure.body
    // A line of its own is not broken: it is there to be copied.
    const body = { error: { ...said, message: `${said.message}\n${line}` } }
    throw new Failure(body, failure.exitCode, `Have the gateway ${gateway} do it, by the command above.`)
  }
}

/** Asks from here or, where a gateway decides on the row, has it ask. Exit code 1 when it is known and was not done. */
export async function askAuthority<T extends { state: string }>(
  session: Session,
  row: Record<string, string>,
  command: { type: string; body: object },
  work: (client: Client) => Promise<T>,
  text: (answer: T) => string,
): Promise<void> {
  const client = await session.client()
  try {
    const answer = await during(session, 'Asking the tax authority', work(client))
    await session.show(answer, text)
    if (answer.state !== 'done') session.exitCode = 1
  } catch (error) {
    const { gateway } = await ownerOf(client, row, error)
    const path = `/admin/gateways/${encodeURIComponent(gateway)}/commands`
    await session.show(await client.post(path, GatewayCommandSchema, command), gatewayCommandText)
  }
}

/** @throws the error, where no gateway is the reason */
async function ownerOf(client: Client, row: Record<string, string>, error: unknown) {
  if (!(error instanceof Failure) || !OWNED.includes(error.body.error.code)) throw error
  const { gateway } = await client.get(`/admin/owner?${new URLSearchParams(row)}`, OwnerSchema)
  if (gateway === null) throw error
  return { gateway, failure: error }
}

/** Options stand as they are. */
const wordOf = (word: string) => (/^--[a-z][a-z-]*$/.test(word) ? word : shellWord(word))

const WORD_OF_STATUS: Record<string, string> = { active: 'activate', suspended: 'suspend', archived: 'archive' }

/** What `fisk device set` was told, as `fisk gateway send` wants it; a status is a command of its own. */
export function deviceWords(deviceId: string, options: DeviceChoice): string[] {
  const { label, address, status, paymentMethod, config, unset, ...receipt } = options
  const settings = [
    ...flag('label', label),
    ...flag('address', address),
    ...flag('payment-method', paymentMethod),
    ...flag('receipt-header', receipt.receiptHeader),
    ...flag('receipt-footer', receipt.receiptFooter),
    ...flag('receipt-language', receipt.receiptLanguage),
    ...flag('receipt-paper', receipt.receiptPaper),
    ...(config ?? []).flatMap(([key, value]) => {
      return ['--config', `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`]
    }),
    ...flag('unset', unset),
  ]
  const device = ['--device', deviceId]
  const what = settings.length === 0 ? WORD_OF_STATUS[status ?? ''] : undefined
  return what === undefined ? ['device-set', ...device, ...settings] : [what, ...device]
}

function flag(name: string, value: string | readonly string[] | false | undefined): string[] {
  if (value === undefined) return []
  if (value === false) return [`--no-${name}`]
  return [value].flat().flatMap((one) => [`--${name}`, String(one)])
}
