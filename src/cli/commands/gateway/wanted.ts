import type { DeviceView } from '../../../contract/v1/fleet.ts'
import type { Flags, Given } from '../../command.ts'
import { type ConfigChoice, changedConfig, deviceChanges } from '../../config-options.ts'
import { consent, requireSomebody } from '../../consent.ts'
import type { Client } from '../../daemon/client.ts'
import { companyId, deviceNamed } from '../../daemon/references.ts'
import { wrongUse } from '../../failure.ts'
import { checkIsuNumber } from '../../isu-number.ts'
import type { Session } from '../../session.ts'
import { clean } from '../../text/columns.ts'

export interface SendOptions
  extends ConfigChoice,
    Given<'device' | 'label' | 'company' | 'premises' | 'invoice' | 'code' | 'key'>,
    Flags<'yes'> {
  isu?: string | false
  address?: string | false
}

export interface Wanted {
  type: string
  body: Record<string, unknown>
}

interface What {
  /** The options that it cannot do without, and those that it may have. */
  needs: readonly (keyof SendOptions)[]
  takes?: readonly string[]
  make(options: SendOptions, client: Client, session: Session): Promise<Wanted>
}

const CONFIG = ['paymentMethod', 'receiptHeader', 'receiptFooter', 'receiptLanguage', 'receiptPaper', 'config', 'unset']

const simple = (type: string): What => ({ needs: [], make: async () => ({ type, body: {} }) })

const status = (to: string, stops: boolean): What => ({
  needs: ['device'],
  takes: ['yes'],
  async make({ device, yes }, client, session) {
    if (stops) requireSomebody(session, yes)
    const { id, label } = await deviceNamed(client, String(device))
    if (stops) await consent(session, yes, `"${clean(label)}" cannot sell while it is ${to}. Do it?`)
    return { type: 'device.change', body: { device_id: id, status: to } }
  },
})

const onInvoice = (type: string): What => ({
  needs: ['invoice'],
  make: async ({ invoice }) => ({ type, body: { invoice_id: invoice } }),
})

/** What a gateway may be told in a few words; a certificate goes as a file. */
export const WHATS: Record<string, What> = {
  isu: {
    needs: ['device', 'isu'],
    takes: ['yes'],
    async make({ device, isu, yes }, client, session) {
      const found = await deviceNamed(client, String(device))
      const isu_number = isu === false ? null : checkIsuNumber('isu', String(isu))
      await consentToIsu(session, yes, found, isu_number)
      return { type: 'device.set_isu', body: { device_id: found.id, isu_number } }
    },
  },
  activate: status('active', false),
  suspend: status('suspended', true),
  archive: status('archived', true),
  'device-set': {
    needs: ['device'],
    takes: ['label', 'address', ...CONFIG],
    async make(options, client) {
      const device = await deviceNamed(client, String(options.device))
      return { type: 'device.change', body: given({ device_id: device.id, ...deviceChanges(device, options) }) }
    },
  },
  'device-add': {
    needs: ['company', 'premises', 'label'],
    takes: ['isu', 'address', ...CONFIG],
    async make(options) {
      const { company, premises, label, isu, address } = options
      const body = {
        company_id: companyId(String(company)),
        premises_code: premises,
        label,
        isu_number: typeof isu === 'string' ? checkIsuNumber('isu', isu) : undefined,
        premises_address: address === false ? null : address,
        device_config: changedConfig({}, options),
      }
      return { type: 'device.add', body: given(body) }
    },
  },
  'revoke-key': {
    needs: ['key'],
    takes: ['yes'],
    async make({ key, yes }, _client, session) {
      const question = `Whoever uses the key ${clean(String(key))} can do nothing with it any more. Revoke it?`
      await consent(session, yes, question)
      return { type: 'api_key.revoke', body: { id: String(key).toLowerCase() } }
    },
  },
  retry: onInvoice('invoice.retry'),
  'retry-failed': {
    needs: ['code'],
    make: async ({ code }) => ({ type: 'invoices.requeue', body: { code } }),
  },
  copy: onInvoice('receipt.copy'),
  doctor: simple('doctor'),
  'support-bundle': simple('support_bundle'),
}

export async function consentToIsu(
  session: Session,
  yes: true | undefined,
  device: DeviceView,
  to: string | null,
): Promise<void> {
  const { isu_number: before, label } = device
  if (before === null || before === to) return
  const change = to === null ? 'Take it away? It cannot sell then.' : `Replace it with ${to}?`
  await consent(session, yes, `"${clean(label)}" has the ISU number ${before}. ${change}`)
}

const given = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))

const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** @param common options that go with everything @throws Failure (wrong use) for one that is missing, or that means nothing here */
export function requireOptions(
  what: string,
  options: object,
  common: readonly string[],
  { needs, takes = [] }: What,
): void {
  const missing = needs.find((name) => !Object.hasOwn(options, name))
  if (missing !== undefined) throw wrongUse(missing, `${what} needs ${flagOf(missing)}.`)
  const known = new Set<string>([...needs, ...takes, ...common])
  const strange = Object.keys(options).find((name) => !known.has(name))
  if (strange !== undefined) throw wrongUse(strange, `${flagOf(strange)} says nothing about ${what}.`)
}
