import type { EpochMs } from '../../domain/instant.ts'
import type { BlockerCause } from '../../domain/texts/blocker-texts.ts'
import type { Heartbeat } from '../ports/gateways.ts'
import type { Company } from '../ports/model.ts'
import type { MachineDevice } from '../ports/rows/machines.ts'
import type { DeviceNote } from '../ports/rows/tags-notes-views.ts'

/** What keeps a machine from selling, or from getting a JIR, as this database knows it. */
export type StopCause =
  | Exclude<BlockerCause, 'no_company' | 'no_database' | 'no_device' | 'setting_misspelt'>
  /** Its gateway says so about this machine, its premises, its company or about everything there. */
  | 'gateway_stopped'

/** Why it is not known whether a machine can sell. */
export type UnknownCause = 'gateway_silent' | 'gateway_duplicated' | 'gateway_unheard' | 'gateway_left'

/** Whether a machine can sell. What is not known is said to be unknown. */
export type MachineHealth =
  | { can: 'yes' }
  | { can: 'no'; cause: StopCause; said?: Heartbeat['problems'][number] }
  | { can: 'unknown'; cause: UnknownCause; since: EpochMs | null }

export const HEALTHS = ['no', 'unknown', 'yes'] as const satisfies MachineHealth['can'][]

/** What the office asks of a machine first: each is in one of these. */
export const MACHINE_STATES = ['stopped', 'isu', 'suspended', 'unknown', 'sells'] as const
export type MachineState = (typeof MACHINE_STATES)[number]
/** Those of machines that are known to earn nothing. */
export const NOT_EARNING = ['stopped', 'isu', 'suspended'] as const satisfies MachineState[]

export function machineState({ health, isSilent }: Pick<Machine, 'health' | 'isSilent'>): MachineState {
  if (health.can === 'unknown') return 'unknown'
  if (health.can === 'yes') return isSilent ? 'stopped' : 'sells'
  const cause = health.cause === 'gateway_stopped' ? (health.said?.cause ?? health.cause) : health.cause
  return STATES[cause] ?? 'stopped'
}

const STATES: Readonly<Record<string, MachineState>> = {
  company_inactive: 'suspended',
  device_suspended: 'suspended',
  device_archived: 'suspended',
  isu_missing: 'isu',
  isu_mismatch: 'isu',
}

/**
 * The receipt printer of a machine: `none` where it has none that is known; `fault`: it does not print for another
 * reason than paper; `unknown`: it does not report its state, or its gateway does not.
 */
export const PAPERS = ['none', 'ok', 'low', 'out', 'fault', 'unknown'] as const
export type Paper = (typeof PAPERS)[number]

/** Sales of a day or a month; a refund is counted, and its amount is subtracted. */
export interface Sold {
  sales: number
  cents: bigint
}

/** A machine of the fleet: of this database or of a gateway, with what the office asks of it every morning. */
export interface Machine extends DeviceNote {
  device: MachineDevice
  company: Pick<Company, 'id' | 'name' | 'oib' | 'mode'>
  /** The name of the gateway that decides on it; null for a machine of this database. */
  gateway: string | null
  health: MachineHealth
  /** The latest sale in the mode of its company. */
  lastSaleAt: EpochMs | null
  /** Whether it has sold nothing for unusually long, as an alert says. */
  isSilent: boolean
  /** Invoices that lack a JIR and can still get one. */
  waiting: number
  paper: Paper
  /** About how many, where the paper is low; null while that is not learnt. */
  receiptsLeft: number | null
  /** Of the fiskd that decides on it; null when its gateway has not said. */
  version: string | null
}

/** A machine in the list, with what it has sold today and in the chosen month. */
export interface ListedMachine extends Machine {
  tags: readonly string[]
  today: Sold
  month: Sold
}
