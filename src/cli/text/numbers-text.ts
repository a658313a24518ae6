import type { HealedNumbersView, NumberStandingView, SkippedNumbersView } from '../../contract/admin/numbers.ts'
import type { ListView } from '../../contract/list.ts'
import { FEW_NUMBERS } from '../../domain/sale/receipt-number.ts'
import { clean, paragraph } from './columns.ts'
import { table } from './table.ts'

/** How far each sequence has counted; what lies ahead of it, or its end that is close, stands below. */
export function standingsText({ data }: ListView<NumberStandingView>): string {
  if (data.length === 0) return 'No receipt number was given out this year.\n'
  const drawn = table(
    [
      { head: 'Company' },
      { head: 'Premises', width: 20 },
      { head: 'Year', width: 4 },
      { head: 'Mode', width: 4 },
      { head: 'Highest', width: 20 },
    ],
    data.map((one) => [one.company.name, nameOf(one), String(one.year), one.mode, one.highest ?? 'none']),
  )
  const notes = data.flatMap((one) => [aheadNote(one), endNote(one)]).filter((note) => note !== null)
  return drawn + (notes.length > 0 ? `\n${notes.map((note) => paragraph('', note)).join('')}` : '')
}

const nameOf = ({ premises_code, register }: Pick<NumberStandingView, 'premises_code' | 'register'>) =>
  register === null ? premises_code : `${premises_code}, ${register}`

function aheadNote({ ahead, ...one }: NumberStandingView): string | null {
  if (ahead === null) return null
  const { number, invoice_id: invoice } = ahead.latest
  const others = ahead.count === 1 ? '' : ` and ${ahead.count - 1} more`
  return `${nameOf(one)} does not follow ${number}${invoice ? ` of ${invoice}` : ''}${others}: too far ahead.`
}

function endNote({ left, company, ...one }: NumberStandingView): string | null {
  if (BigInt(left) >= FEW_NUMBERS) return null
  const said = left === '0' ? 'has used up its numbers' : `has only ${left} numbers left`
  return `${nameOf(one)} ${said}: fisk numbers heal ${company.oib} ${one.premises_code}`
}

/** What is asked before it is done. */
export function planText({ healed }: HealedNumbersView): string {
  return `${healed.map(lineOf).join(' ')} Do it?`
}

export function healedText({ dry_run: isPlan, healed }: HealedNumbersView): string {
  if (healed.length === 0) return 'Nothing to do: every sequence there goes on where it should.\n'
  return isPlan ? planText({ dry_run: isPlan, healed }) : healed.map((one) => paragraph('', lineOf(one))).join('')
}

function lineOf({ from, to, ahead, shortened, ...one }: HealedNumbersView['healed'][number]): string {
  const ranges = shortened === 0 ? '' : ` Ranges out of use that end earlier: ${shortened}.`
  const passed = `Numbers beyond that are passed over: ${ahead}.`
  return `${clean(nameOf(one))}, ${one.year} ${one.mode}: goes on after ${to} instead of ${from}. ${passed}${ranges}`
}

export function skipPlanText({ skipped }: SkippedNumbersView): string {
  return `${skipped.map(skipLineOf).join(' ')} Do it?`
}

export function skippedText({ skipped }: SkippedNumbersView): string {
  if (skipped.length === 0) return 'Nothing to do: the database lacks no sale of this premises that was issued.\n'
  return skipped.map((one) => paragraph('', skipLineOf(one))).join('')
}

function skipLineOf({ from, to, lost, ...one }: SkippedNumbersView['skipped'][number]): string {
  const named = lost.map(({ number, zki, jir }) => `${number} (ZKI ${zki}, JIR ${jir ?? 'unknown'})`).join(', ')
  const gap = `goes on after ${to} instead of ${from ?? 'none'}. Sales that stay lost, as far as they are known: ${named || 'none'}.`
  return `${clean(nameOf(one))}, ${one.year} ${one.mode}: ${gap}`
}
