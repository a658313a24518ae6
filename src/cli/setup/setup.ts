import type { NewKeyView } from '../../contract/admin/access.ts'
import { DiagnosisSchema, type DiagnosisView } from '../../contract/admin/diagnosis.ts'
import type { StatusView } from '../../contract/admin/status.ts'
import type { CompanyView, DeviceView } from '../../contract/v1/fleet.ts'
import type { PrinterProfile } from '../../domain/printer.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Flags, Given } from '../command.ts'
import type { Client } from '../daemon/client.ts'
import { clash, type Failure } from '../failure.ts'
import type { Address, VatChoice } from '../options.ts'
import type { Prompter } from '../prompts.ts'
import type { SecretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'
import { paragraph } from '../text/columns.ts'
import { refusalWords } from '../words/refusal-words.ts'
import { translateLabel } from '../words/translate.ts'

export type Role = 'gateway' | 'server'

/** The flags of `fisk init`; each one answers a question before it is asked. */
export interface SetupOptions
  extends VatChoice,
    Address,
    SecretOptions<'passphrase'>,
    SecretOptions<'password'>,
    Given<'oib' | 'name' | 'certFile' | 'premises' | 'label' | 'address' | 'printerLine'>,
    Flags<'trustFetch' | 'yes'> {
  role?: Role
  /** Addresses besides loopback, or `loopback`. */
  listen?: string[]
  mode?: Mode
  trustFile?: string[]
  /** False for `--no-isu`: the tax authority has not issued it yet. */
  isu?: string | false
  printerProfile?: PrinterProfile
  /** False for `--no-printer`. */
  printer: boolean
  /** False for `--no-printer-test`. */
  printerTest: boolean
  /** `--key` or `--no-key`; left out: a key for a device that this run registers. */
  key?: boolean
  /** The central server and its one-time token. */
  syncUrl?: string
  syncToken?: string
  /** A server on PostgreSQL: its database, how many processes, the first user of the dashboard, the first gateway. */
  databaseUrl?: string
  processes?: string
  user?: string
  gateway?: string
  /** An installation of its own beside another one. */
  new?: true
}

export interface Groundwork {
  session: Session
  options: SetupOptions
  /** Null without a terminal: then only flags count, and steps without a flag are left to do. */
  prompter: Prompter | null
  steps: Step[]
}

export interface Setup extends Groundwork {
  client: Client
  /** How things stood when the run began. */
  status: StatusView
}

export interface Step {
  step: keyof typeof STEP_NAMES
  state: 'done' | 'already' | 'left'
  /** The current value or, for a step that is left, the command for it. */
  detail: string
  /** A step that is left does not prevent sales, or the user has postponed it. */
  optional?: true
}

export const STEP_NAMES = {
  role: 'role',
  listen: 'reached by',
  service: 'service',
  company: 'company',
  address: 'seat',
  mode: 'mode',
  live: 'before live',
  trust: 'trust',
  certificate: 'certificate',
  device: 'device',
  isu_number: 'ISU number',
  printer: 'printer',
  server: 'central server',
  key: 'API key',
  taken_over: 'taken over',
  numbers: 'receipt numbers',
  database: 'database',
  processes: 'processes',
  user: 'dashboard user',
  gateway: 'first gateway',
}

export interface SetupCompany extends Pick<CompanyView, 'id' | 'oib' | 'name' | 'mode'> {
  certificateStatus: string
  certificateDaysLeft: number | null
}

/** What `fisk init --json` prints once the daemon runs. */
export interface SetupResult {
  steps: Step[]
  company_id: string | null
  device_id: string | null
  /** Null when this run made none. */
  key: NewKeyView | null
  /** The CA the firmware must trust; null when this account cannot see the file. */
  ca_file: string | null
  /** Its fingerprint; null where it is not known. */
  ca_sha256: string | null
  /** Where the firmware reaches the daemon. */
  base_urls: string[]
  /** A machine that has no ISU number, as the tax authority's portal must know it; null when this run knows none. */
  isu_pending: Pick<DeviceView, 'label' | 'premises_code' | 'premises_address'> | null
  /** Checks of the connection to the tax authority and of its signature; empty when it was not asked. */
  authority: DiagnosisView['checks']
  /** The result of the daemon's status at the end; null when it gave none. */
  can_sell: boolean | null
  problems: StatusView['problems']
}

export function asksForSetup(options: SetupOptions): boolean {
  const { role, listen, key, printer, printerTest, yes, new: _, ...others } = options
  return key === true || Object.keys(others).length > 0
}

/** True when a step is left that sales need or that the user asked for. */
export function isIncomplete(steps: readonly Step[]): boolean {
  return steps.some(({ state, optional }) => state === 'left' && !optional)
}

/** What was asked for is there in another form, and `fisk init` changes nothing: exit code 1. @param command what does */
export const otherwise = (param: string, message: string, command: string) =>
  clash(param, message, `To change it: ${command}`)

export function required(value: string): string | undefined {
  return value === '' ? 'Something has to be typed here.' : undefined
}

export function announce({ wantsJson, print, screen }: Session, what: string): void {
  if (!wantsJson()) print(`\n${paragraph('', what, screen)}`)
}

/** How the authority answers is known before the first sale depends on it. Empty when the daemon does not tell. */
export async function askAuthority({ client, session }: Setup): Promise<DiagnosisView['checks']> {
  announce(session, 'Asking the tax authority how it answers: half a minute at most ...')
  const found = await client.get('/admin/authority', DiagnosisSchema).catch(() => null)
  return found?.checks ?? []
}

export function complain({ print, screen }: Session, { body, message, fix }: Failure): void {
  const { said, original } = refusalWords(body.error.code, message, screen.language)
  const row = (label: string, text: string, language = screen.language) =>
    paragraph(translateLabel(label, screen.language), text, { ...screen, language })
  print(
    row('Not taken: ', said, 'en') +
      (original ? row('Message: ', original, 'en') : '') +
      (fix ? row('Fix: ', fix) : ''),
  )
}
