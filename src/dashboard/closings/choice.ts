import { dateAt } from '../../domain/calendar-date.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { periodAfter, periodAt, periodName, readPeriod } from '../../domain/sale/closing-period.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { AfterClosing, ClosingsWanted } from '../../fiscal/closings/closings.ts'
import { chosenId, UUID } from '../ids.ts'

/** Which closings a page is about. */
export interface ClosingChoice {
  /** As the form shows it. */
  values: { unit: ClosingsWanted['unit']; period: string; company: string; premises: string; mode: Mode }
  wanted: ClosingsWanted
  /** Whether the period was named and can be read; else it is the last one. */
  isGiven: boolean
  after: AfterClosing | undefined
}

/** @param mode when none was chosen */
export function readClosingChoice(query: Record<string, string>, now: EpochMs, mode: Mode): ClosingChoice {
  const unit = query.unit === 'month' ? 'month' : 'day'
  const read = readPeriod(query.period ?? '')
  const isGiven = read?.unit === unit
  const period = isGiven ? read : periodAfter(periodAt(unit, dateAt(now)), -1)
  const premises = (query.premises ?? '').trim()
  const { company = '' } = query
  const chosen = query.mode === 'live' || query.mode === 'test' ? query.mode : mode
  return {
    values: { unit, period: periodName(period), company, premises, mode: chosen },
    wanted: {
      ...period,
      mode: chosen,
      companyId: chosenId(company),
      premisesCode: premises === '' ? undefined : isPremisesCode(premises) ? premises : '-',
    },
    isGiven,
    after: readAfter(query.after ?? ''),
  }
}

/** The address of the same choice, with changes. */
export function queryOf({ values }: ClosingChoice, changes: Record<string, string> = {}): string {
  return String(new URLSearchParams({ ...values, ...changes }))
}

export function writeAfter({ companyId, premisesCode, number }: AfterClosing): string {
  return `${companyId}/${premisesCode}/${number}`
}

function readAfter(text: string): AfterClosing | undefined {
  const [companyId = '', premisesCode = '', number = ''] = text.split('/')
  if (!UUID.test(companyId) || !isPremisesCode(premisesCode) || !/^\d{1,9}$/.test(number)) return undefined
  return { companyId, premisesCode, number: Number(number) }
}
