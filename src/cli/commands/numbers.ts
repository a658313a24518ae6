import type { Static, TSchema } from 'typebox'
import {
  HealedNumbersSchema,
  type HealedNumbersView,
  NumberStandingList,
  type NumberStandingView,
  SkippedNumbersSchema,
  type SkippedNumbersView,
} from '../../contract/admin/numbers.ts'
import type { ListView } from '../../contract/list.ts'
import { FEW_NUMBERS } from '../../domain/sale/receipt-number.ts'
import type { Command, Flags, Given } from '../command.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import { companyId } from '../daemon/references.ts'
import { wrongUse } from '../failure.ts'
import type { Session } from '../session.ts'
import { clean, paragraph } from '../text/columns.ts'
import { layoutOf, table } from '../text/table.ts'

type SequenceOptions = Given<'mode' | 'year' | 'register' | 'after'> & Flags<'yes'>

export function register(program: Command, session: Session): void {
  const numbers = program.command('numbers').description('Receipt numbers: how far each premises has counted')
  numbers
    .subcommand('list', 'List how far the receipt numbers have got, and what was supplied far ahead of them.')
    .examples('fisk numbers list')
    .action(() => session.ask((client) => client.get('/admin/numbers', NumberStandingList), standingsText))
  const at = (name: string, text: string, after: string) =>
    numbers
      .command(name)
      .description(text)
      .argument('<company>', 'OIB or id')
      .argument('<premises>', 'premises code')
      .choice('--mode <mode>', 'only these numbers', ['test', 'live'])
      .option('--year <year>', 'only the numbers of this year')
      .option('--register <mark>', 'only the numbers of this register')
      .option('--after <number>', after)
      .addOption(yesOption())
  at(
    'heal',
    'Have a premises that followed a number far too high count on from where it was. No number is given out twice: ' +
      'used ones are passed over. Shows what it will do and asks.',
    'go on after this one, instead of the highest that can be counted to',
  )
    .examples(
      'fisk numbers heal 02994650199 POSL1',
      'fisk numbers heal 02994650199 POSL1 --mode live --year 2026 --after 4711 --yes',
    )
    .action((...named: [string, string, SequenceOptions]) => carryOut(HEAL, named, session))
  at(
    'skip-lost',
    'Have a premises whose database lacks sales that were issued sell again, above their numbers: a gap, never a number ' +
      'twice. Restore a newer copy of the database instead, if there is one. Shows what it will do and asks.',
    'the highest number on paper, where it is higher than what is known',
  )
    .examples(
      'fisk numbers skip-lost 02994650199 POSL1',
      'fisk numbers skip-lost 02994650199 POSL1 --mode live --year 2026 --after 4711',
    )
    .action((...named: [string, string, SequenceOptions]) => carryOut(SKIP_LOST, named, session))
}

function orderOf(company: string, premises: string, { mode, year, register, after }: SequenceOptions) {
  if (year !== undefined && !/^\d{4}$/.test(year)) throw wrongUse('year', 'A year has four digits.')
  if (after !== undefined && !/^(0|[1-9]\d{0,19})$/.test(after)) {
    throw wrongUse('after', 'It is a receipt number of up to 20 digits, or 0 for from the beginning.')
  }
  const sequence = { company_id: companyId(company), premises_code: premises }
  return { ...sequence, mode, register, after, ...(year !== undefined && { year: Number(year) }) }
}

async function carryOut<S extends TSchema>(
  { path, schema, linesOf, none }: Work<S>,
  [company, premises, options]: [company: string, premises: string, options: SequenceOptions],
  session: Session,
): Promise<void> {
  const order = orderOf(company, premises, options)
  requireSomebody(session, options.yes)
  const client = await session.client()
  const text = (done: Static<S>) =>
    linesOf(done)
      .map((line) => paragraph('', line))
      .join('') || none
  const plan = await client.post(path, schema, { ...order, dry_run: true })
  const lines = linesOf(plan)
  if (lines.length === 0) return session.show(plan, text)
  await consent(session, options.yes, `${lines.join(' ')} Do it?`)
  await session.show(await client.post(path, schema, order), text)
}

interface Work<S extends TSchema> {
  path: string
  schema: S
  linesOf: (done: Static<S>) => string[]
  none: string
}

const HEAL: Work<typeof HealedNumbersSchema> = {
  path: '/admin/numbers/heal',
  schema: HealedNumbersSchema,
  linesOf: ({ healed }) => healed.map(lineOf),
  none: 'Nothing to do: every sequence there goes on where it should.\n',
}

const SKIP_LOST: Work<typeof SkippedNumbersSchema> = {
  path: '/admin/numbers/skip-lost',
  schema: SkippedNumbersSchema,
  linesOf: ({ skipped }) => skipped.map(skipLineOf),
  none: 'Nothing to do: the database lacks no sale of this premises that was issued.\n',
}

/** How far each sequence has counted; what lies ahead of it, or its end that is close, stands below. */
function standingsText({ data }: ListView<NumberStandingView>): string {
  if (data.length === 0) return 'No receipt number was given out this year.\n'
  const drawn = table(
    layoutOf({ Company: null, Premises: 20, Year: 4, Mode: 4, Highest: 20 }),
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

function lineOf({ from, to, ahead, shortened, ...one }: HealedNumbersView['healed'][number]): string {
  const ranges = shortened === 0 ? '' : ` Ranges out of use that end earlier: ${shortened}.`
  const passed = `Numbers beyond that are passed over: ${ahead}.`
  return `${clean(nameOf(one))}, ${one.year} ${one.mode}: goes on after ${to} instead of ${from}. ${passed}${ranges}`
}

function skipLineOf({ from, to, lost, ...one }: SkippedNumbersView['skipped'][number]): string {
  const named = lost.map(({ number, zki, jir }) => `${number} (ZKI ${zki}, JIR ${jir ?? 'unknown'})`).join(', ')
  const gap = `goes on after ${to} instead of ${from ?? 'none'}. Sales that stay lost, as far as they are known: ${named || 'none'}.`
  return `${clean(nameOf(one))}, ${one.year} ${one.mode}: ${gap}`
}
