import { OwnerSchema } from '../../contract/admin/gateway-commands.ts'
import { shellWord } from '../../domain/shell-word.ts'
import type { ConfigChoice } from '../config-options.ts'
import { Failure } from '../failure.ts'
import type { Client } from './client.ts'

const OWNED = ['device_owned_by_gateway', 'invoice_owned_by_gateway']

/**
 * Does something at this daemon and, where a gateway of it decides on the row, says which command has the gateway do it.
 * @param words of `fisk gateway send GATEWAY`
 * @throws Failure of the daemon, with the whole command as a line of its message
 */
export async function orByGateway<T>(
  client: Client,
  row: { device_id: string } | { invoice_id: string },
  words: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || !OWNED.includes(error.body.error.code)) throw error
    const { gateway } = await client.get(`/admin/owner?${new URLSearchParams(row)}`, OwnerSchema)
    if (gateway === null) throw error
    const line = ['fisk', 'gateway', 'send', gateway, ...words].map(wordOf).join(' ')
    const { error: said } = error.body
    // A line of its own is not broken: it is there to be copied.
    const body = { error: { ...said, message: `${said.message}\n${line}` } }
    throw new Failure(body, error.exitCode, `Have the gateway ${gateway} do it, by the command above.`)
  }
}

/** Options stand as they are. */
const wordOf = (word: string) => (/^--[a-z][a-z-]*$/.test(word) ? word : shellWord(word))

interface DeviceOptions extends ConfigChoice {
  label?: string
  address?: string | false
  status?: string
}

const WORD_OF_STATUS: Record<string, string> = { active: 'activate', suspended: 'suspend', archived: 'archive' }

/** What `fisk device set` was told, as `fisk gateway send` wants it; a status is a command of its own. */
export function deviceWords(deviceId: string, options: DeviceOptions): string[] {
  const { label, address, status, paymentMethod, config, unset, ...receipt } = options
  const settings = [
    ...flag('label', label),
    ...flag('address', address),
    ...flag('payment-method', paymentMethod),
    ...flag('receipt-header', receipt.receiptHeader),
    ...flag('receipt-footer', receipt.receiptFooter),
    ...flag('receipt-language', receipt.receiptLanguage),
    ...flag('receipt-paper', receipt.receiptPaper),
    ...(config ?? []).flatMap(([key, value]) => ['--config', `${key}=${settingOf(value)}`]),
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

const settingOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
