import { type Command, Option } from 'commander'
import { HealedNumbersSchema, NumberStandingList, SkippedNumbersSchema } from '../../contract/admin/numbers.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import { companyId } from '../daemon/references.ts'
import { wrongUse } from '../failure.ts'
import type { Session } from '../session.ts'
import { healedText, planText, skipPlanText, skippedText, standingsText } from '../text/numbers-text.ts'

interface SequenceOptions {
  mode?: string
  year?: string
  register?: string
  after?: string
  yes?: true
}

export function register(program: Command, session: Session): void {
  const numbers = program.command('numbers').description('Receipt numbers: how far each premises has counted')
  numbers
    .command('list')
    .description('List how far the receipt numbers have got, and what was supplied far ahead of them.')
    .addHelpText('after', '\nExample:\n  fisk numbers list')
    .action(() => listNumbers(session))
  numbers
    .command('heal')
    .description(
      'Have a premises that followed a number far too high count on from where it was. No number is given out twice: ' +
        'used ones are passed over. Shows what it will do and asks.',
    )
    .argument('<company>', 'OIB or id')
    .argument('<premises>', 'premises code')
    .addOption(new Option('--mode <mode>', 'only these numbers').choices(['test', 'live']))
    .option('--year <year>', 'only the numbers of this year')
    .option('--register <mark>', 'only the numbers of this register')
    .option('--after <number>', 'go on after this one, instead of the highest that can be counted to')
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk numbers heal 02994650199 POSL1\n' +
        '  fisk numbers heal 02994650199 POSL1 --mode live --year 2026 --after 4711 --yes',
    )
    .action((company: string, premises: string, options: SequenceOptions) => heal(company, premises, options, session))
  numbers
    .command('skip-lost')
    .description(
      'Have a premises whose database lacks sales that were issued sell again, above their numbers: a gap, never a number ' +
        'twice. Restore a newer copy of the database instead, if there is one. Shows what it will do and asks.',
    )
    .argument('<company>', 'OIB or id')
    .argument('<premises>', 'premises code')
    .addOption(new Option('--mode <mode>', 'only these numbers').choices(['test', 'live']))
    .option('--year <year>', 'only the numbers of this year')
    .option('--register <mark>', 'only the numbers of this register')
    .option('--after <number>', 'the highest number on paper, where it is higher than what is known')
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk numbers skip-lost 02994650199 POSL1\n' +
        '  fisk numbers skip-lost 02994650199 POSL1 --mode live --year 2026 --after 4711',
    )
    .action((company: string, premises: string, options: SequenceOptions) =>
      skipLost(company, premises, options, session),
    )
}

async function listNumbers(session: Session): Promise<void> {
  const client = await session.client()
  await session.show(await client.get('/admin/numbers', NumberStandingList), standingsText)
}

function orderOf(company: string, premises: string, { mode, year, register, after }: SequenceOptions) {
  if (year !== undefined && !/^\d{4}$/.test(year)) throw wrongUse('year', 'A year has four digits.')
  if (after !== undefined && !/^(0|[1-9]\d{0,19})$/.test(after)) {
    throw wrongUse('after', 'It is a receipt number of up to 20 digits, or 0 for from the beginning.')
  }
  const sequence = { company_id: companyId(company), premises_code: premises }
  return { ...sequence, mode, register, after, ...(year !== undefined && { year: Number(year) }) }
}

async function heal(company: string, premises: string, options: SequenceOptions, session: Session): Promise<void> {
  const order = orderOf(company, premises, options)
  requireSomebody(session, options.yes)
  const client = await session.client()
  const plan = await client.post('/admin/numbers/heal', HealedNumbersSchema, { ...order, dry_run: true })
  if (plan.healed.length === 0) return session.show(plan, healedText)
  await consent(session, options.yes, planText(plan))
  await session.show(await client.post('/admin/numbers/heal', HealedNumbersSchema, order), healedText)
}

async function skipLost(company: string, premises: string, options: SequenceOptions, session: Session): Promise<void> {
  const order = orderOf(company, premises, options)
  requireSomebody(session, options.yes)
  const client = await session.client()
  const plan = await client.post('/admin/numbers/skip-lost', SkippedNumbersSchema, { ...order, dry_run: true })
  if (plan.skipped.length === 0) return session.show(plan, skippedText)
  await consent(session, options.yes, skipPlanText(plan))
  await session.show(await client.post('/admin/numbers/skip-lost', SkippedNumbersSchema, order), skippedText)
}
