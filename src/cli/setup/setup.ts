import type { Mode } from '../../domain/sale.ts'
import type { ApiKey, Status } from '../answers.ts'
import type { Client } from '../client.ts'
import type { VatChoice } from '../options.ts'
import type { Prompter } from '../prompts.ts'
import type { SecretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'

/** The flags of `fisk init`; each one answers a question before it is asked. */
export interface SetupOptions extends VatChoice, SecretOptions<'passphrase'> {
  oib?: string
  name?: string
  mode?: Mode
  trustFetch?: true
  trustFile?: string[]
  certFile?: string
  premises?: string
  label?: string
  address?: string
  isu?: string
  /** `--key` or `--no-key`; left out: a key for a device that this run registers. */
  key?: boolean
}

/** What one run of `fisk init` knows. */
export interface Setup {
  session: Session
  client: Client
  options: SetupOptions
  /** Null when nobody can be asked: then only flags count, and what they leave out is left to do. */
  prompter: Prompter | null
  /** How things stood when the run began. */
  status: Status
  steps: Step[]
}

export interface Step {
  step: 'company' | 'trust' | 'certificate' | 'device' | 'isu_number' | 'key'
  state: 'done' | 'already' | 'left'
  /** What there is now or, for what is left, how to get it. */
  detail: string
}

export interface SetupCompany {
  id: string
  oib: string
  name: string
  mode: Mode
  certificateStatus: string
  certificateDaysLeft: number | null
}

/** What `fisk init --json` prints once the daemon runs. */
export interface SetupResult {
  steps: Step[]
  company_id: string | null
  device_id: string | null
  /** Null when this run made none. */
  key: ApiKey | null
  /** The CA the firmware must trust; null when this account cannot see the file. */
  ca_file: string | null
}

/** Tells whether any flag asks for something to be set up. */
export function asksForSetup(options: SetupOptions): boolean {
  return Object.entries(options).some(([name, value]) => name !== 'key' || value === true)
}

/** A check for questions that need an answer. */
export function required(value: string): string | undefined {
  return value === '' ? 'Something has to be typed here.' : undefined
}
