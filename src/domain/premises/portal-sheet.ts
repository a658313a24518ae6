import { dateAt, isoDate, normalDate } from '../calendar-date.ts'
import type { EpochMs } from '../instant.ts'
import { type ConfigLevel, hasShape } from '../sale/config-chain.ts'

/** How many days ahead a premises may open; it never opens before today (manual for premises 2.3). */
const LAST_OPENING_DAYS = 45

/**
 * What the tax authority's portal asks for the premises of a machine before it gives an ISU number, by the columns of the
 * sheet. What is not known here is empty, and named in `lacks`. The sheet comes back with the number in its last column.
 */
export type PortalRow = ReturnType<typeof portalRow>

export function portalRow(
  device: { label: string; premisesCode: string; premisesAddress: string | null },
  company: { oib: string; fiscalConfig: ConfigLevel },
  now: EpochMs,
) {
  const { activity } = company.fiscalConfig
  const today = dateAt(now)
  const asked = {
    // Mandatory, with the exact place.
    note: device.premisesAddress?.trim() ?? '',
    activity: hasShape('activity', activity) ? String(activity) : '',
    // `fisk hours` registers them once the premises is there; before, nothing here knows them.
    working_hours: '',
  }
  return {
    label: device.label,
    company_oib: company.oib,
    premises_code: device.premisesCode,
    premises_type: 'samoposlužni uređaj',
    opens_from: isoDate(today),
    opens_to: isoDate(normalDate({ ...today, date: today.date + LAST_OPENING_DAYS })),
    ...asked,
    lacks: Object.entries(asked)
      .flatMap(([column, text]) => (text === '' ? column : []))
      .join(', '),
    isu_number: '',
  }
}

export const PORTAL_COLUMNS = [
  ...(['label', 'company_oib', 'premises_code', 'premises_type', 'note', 'opens_from', 'opens_to'] as const),
  ...(['activity', 'working_hours', 'lacks', 'isu_number'] as const),
] satisfies (keyof PortalRow)[]

export function byPremises(one: PortalRow, other: PortalRow): number {
  const key = ({ company_oib, premises_code, label }: PortalRow) => [company_oib, premises_code, label].join('\n')
  return key(one) < key(other) ? -1 : 1
}
