import type { MachineState } from '../../fiscal/machines/machine.ts'
import type { Month } from '../../fiscal/machines/machine-sales.ts'
import { addressOf } from '../addresses.ts'

export const MACHINES = '/dashboard/devices'

export const machinesIn = (state: MachineState | 'not-earning') => addressOf(MACHINES, { state })
export const WITHOUT_PAPER = addressOf(MACHINES, { paper: 'out' })

/** The machines in the order of their revenue in a month, the highest first. */
export const revenueByMachine = (month: Month) =>
  addressOf(MACHINES, { month: monthText(month), sort: '-revenue_month' })

/** `2026-10` */
export const monthText = ({ year, month }: Month) => `${year}-${String(month).padStart(2, '0')}`

export function readMonth(text = ''): Month | undefined {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year === undefined ? undefined : { year: Number(year), month: Number(month) }
}
