import { TakenOverSchema, type TakenOverView } from '../../contract/admin/replacement.ts'
import { Failure, wrongUse } from '../failure.ts'
import { complain } from '../setup/setup.ts'
import { clean } from '../text/columns.ts'
import type { ReplaceSetup } from './replacement.ts'

export async function takeOverStep(setup: ReplaceSetup): Promise<TakenOverView> {
  const taken = await takeOver(setup)
  const { steps } = setup
  const state = taken.is_new ? 'done' : 'already'
  const names = taken.devices.slice(0, 3).map(({ label, premises_code }) => `${clean(label)} at ${premises_code}`)
  const more = taken.devices.length > names.length ? ` and ${taken.devices.length - names.length} more` : ''
  steps.push({ step: 'taken_over', state, detail: `${names.join(', ')}${more}` })
  const numbers = taken.numbers.filter(({ after }) => after !== '0').map(numberText)
  if (numbers.length > 0) steps.push({ step: 'numbers', state, detail: numbers.slice(0, 3).join('; ') })
  for (const { message } of taken.left_out) {
    steps.push({ step: 'taken_over', state: 'left', detail: `left out: ${clean(message)}`, optional: true })
  }
  return taken
}

function numberText({ premises_code, year, register, seen, after }: TakenOverView['numbers'][number]): string {
  const sequence = `${premises_code}${register === '' ? '' : `/${register}`}, ${year}`
  const known = seen === null ? 'the server has seen none' : `the server has seen ${seen}`
  return `goes on after ${after} at ${sequence} (${known})`
}

async function takeOver(setup: ReplaceSetup): Promise<TakenOverView> {
  const { client, options, prompter, session } = setup
  const { highest = [] } = options
  const gap = gapOf(options.gap)
  const ask = (stated: readonly string[]) =>
    client.post('/admin/sync/replacement', TakenOverSchema, { highest: stated, ...(gap !== undefined && { gap }) })
  if (prompter === null || highest.length > 0 || options.gap !== undefined) return ask(highest)
  for (;;) {
    const typed = await prompter.text(
      'Last receipt of the old machine, from paper, such as POSL1=1234 (empty: 1000 numbers are skipped for each day since the server last heard it, and 10000 for restores)',
    )
    try {
      return await ask(typed.split(/[\s,]+/).filter(Boolean))
    } catch (error) {
      if (!(error instanceof Failure) || error.body.error.param !== 'highest') throw error
      complain(session, error)
    }
  }
}

function gapOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^(0|[1-9]\d{0,5}|1000000)$/.test(text)) return Number(text)
  throw wrongUse('gap', `"${text}" is not a number from 0 to 1000000.`, 'Give --gap 1000')
}
