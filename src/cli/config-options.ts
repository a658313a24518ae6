import { InvalidArgumentError, Option } from 'commander'
import type { DeviceView } from '../contract/v1/fleet.ts'
import { RECEIPT_LANGUAGES, RECEIPT_PAPERS } from '../domain/sale/receipt.ts'
import { receiptStyleProblems } from '../domain/sale/receipt-style.ts'
import { wrongUse } from './failure.ts'

/** What a `device_config` or `fiscal_config` may be given by options; `false`: taken out. */
export interface ConfigChoice {
  paymentMethod?: string | false
  receiptHeader?: string[] | false
  receiptFooter?: string[] | false
  receiptLanguage?: string | false
  receiptPaper?: string | false
  config?: [key: string, value: unknown][]
  unset?: string[]
}

type Config = Record<string, unknown>

export const configOptions = (whose: string) => [
  new Option('--payment-method <code>', `of sales ${whose} that name none: G cash, K card, O other`).choices([
    'G',
    'K',
    'O',
  ]),
  new Option('--no-payment-method', 'have no such default'),
  new Option('--receipt-header <line>', 'printed above each receipt; once for each line').argParser(another),
  new Option('--no-receipt-header', 'nothing above it'),
  new Option('--receipt-footer <line>', 'printed below each receipt; once for each line').argParser(another),
  new Option('--no-receipt-footer', 'nothing below it'),
  new Option('--receipt-language <code>', 'of the words on the receipt').choices(RECEIPT_LANGUAGES),
  new Option('--no-receipt-language', 'have no language of its own'),
  new Option('--receipt-paper <form>', 'compact (machines) or full (tills), if it shall not be the usual form').choices(
    RECEIPT_PAPERS,
  ),
  new Option('--no-receipt-paper', 'have the usual form'),
  new Option('--config <key=value>', `any other default of sales ${whose}; once for each`).argParser(member),
  new Option('--unset <key>', 'take such a default out; once for each').argParser(another),
]

/** What takes a member out; `false` may be its value. */
const NOTHING = Symbol('nothing')

/** The configuration as the options want it; undefined when they say nothing about it. @throws Failure (wrong use) */
export function changedConfig(before: Config, choice: ConfigChoice): Config | undefined {
  const receipt = changedReceipt(before.receipt, choice)
  return changed(before, {
    payment_method: orNothing(choice.paymentMethod),
    receipt: receipt && Object.keys(receipt).length === 0 ? NOTHING : receipt,
    ...Object.fromEntries(choice.config ?? []),
    ...Object.fromEntries((choice.unset ?? []).map((key) => [key, NOTHING])),
  })
}

export interface DeviceChoice extends ConfigChoice {
  label?: string
  address?: string | false
  status?: string
}

/** What changes of a device, as `/v1` wants it. @throws Failure (wrong use) when nothing does */
export function deviceChanges({ device_config: before }: DeviceView, choice: DeviceChoice) {
  const { label, address, status } = choice
  const premises_address = address === false ? null : address
  const changes = { label, premises_address, device_config: changedConfig(before, choice), status }
  if (Object.values(changes).some((value) => value !== undefined)) return changes
  throw wrongUse('device', 'Nothing was said about the device: add what is to change, such as --label.')
}

function changedReceipt(before: unknown, choice: ConfigChoice): Config | undefined {
  const given = {
    header: choice.receiptHeader,
    footer: choice.receiptFooter,
    language: choice.receiptLanguage,
    paper: choice.receiptPaper,
  }
  const [problem] = receiptStyleProblems({
    receipt: Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
  })
  if (problem !== undefined) throw wrongUse('receipt', `${problem.path} ${problem.say}`)
  const isObject = typeof before === 'object' && before !== null && !Array.isArray(before)
  const changes = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, orNothing(value)]))
  return changed(isObject ? (before as Config) : {}, changes)
}

/** An option that was given with `--no-`. */
const orNothing = (value: unknown) => (value === false ? NOTHING : value)

function changed(before: Config, changes: Config): Config | undefined {
  const said = Object.entries(changes).filter(([, value]) => value !== undefined)
  if (said.length === 0) return undefined
  const after = Object.entries({ ...before, ...Object.fromEntries(said) })
  return Object.fromEntries(after.filter(([, value]) => value !== NOTHING))
}

function another(text: string, before: string[] | false = []): string[] {
  return [...(before || []), text]
}

function member(text: string, before: [string, unknown][] = []): [string, unknown][] {
  const [, key, value] = /^([a-z_]{1,50})=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It is key=value.')
  return [...before, [key, readValue(value)]]
}

/** Amounts and rates are texts, and stay so: only what cannot be a text is read as JSON. */
function readValue(text: string): unknown {
  if (!/^([[{"]|(true|false|null)$)/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('The value is no JSON.')
  }
}
