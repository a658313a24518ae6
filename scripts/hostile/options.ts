import { COMMON, COMMON_HELP, common, count, parse, UsageError } from '../chaos/arguments.ts'

export const DEFECTS = ['crash', 'answer', 'loop', 'memory', 'rows', 'sales', 'size', 'links'] as const
export type Defect = (typeof DEFECTS)[number]

export const HELP = `npm run hostile -- [--messages 50000] [--tokens N] [--seed N] [--sabotage KIND,KIND] [--shared-machine]

Sends what no honest party would to a gateway and a central server that sell meanwhile: valid messages changed by their
structure, at every border, and floods. Exit 0 when no process ended, every answer is one of the documents, the loop was
never held for more than 250 ms, memory came back, nobody else's rows changed, and no sale beside was refused or took more
than three times as long as usual; and when no link that shows nothing is told from another, by bytes or by time.
  --messages        how many changed requests and messages, over all borders
  --tokens          how many links to receipts are tried that show nothing; default a fifth of the messages
  --sabotage        plants defects (${DEFECTS.join(', ')}; all): exit 0 only when each was caught
  --shared-machine  does not judge how long sales and refusals take, for a machine that does other things, too
${COMMON_HELP}`

export interface HostileOptions {
  messages: number
  /** Links to receipts that show nothing. */
  tokens: number
  seed: number
  sabotage: readonly Defect[]
  judgesTimes: boolean
  dist: string
  keep: boolean
}

const OPTIONS = {
  messages: { type: 'string', default: '50000' },
  tokens: { type: 'string' },
  sabotage: { type: 'string' },
  'shared-machine': { type: 'boolean', default: false },
  ...COMMON,
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): HostileOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const messages = count('messages', values.messages)
  return {
    messages,
    tokens: values.tokens === undefined ? Math.ceil(messages / 5) : count('tokens', values.tokens),
    sabotage: defectsOf(values.sabotage),
    judgesTimes: !values['shared-machine'],
    ...common(values),
  }
}

function defectsOf(text: string | undefined): readonly Defect[] {
  if (text === undefined) return []
  if (text === 'all') return DEFECTS
  return text.split(',').map((word) => {
    const defect = DEFECTS.find((one) => one === word)
    if (defect === undefined) throw new UsageError(`--sabotage ${word}: the defects are ${DEFECTS.join(', ')}, all`)
    return defect
  })
}
