import { count, distOf, parse, seedOf, UsageError } from '../chaos/arguments.ts'

export const DEFECTS = ['crash', 'answer', 'loop', 'memory', 'rows', 'sales', 'size'] as const
export type Defect = (typeof DEFECTS)[number]

export const HELP = `npm run hostile -- [--messages 50000] [--seed N] [--sabotage KIND,KIND] [--shared-machine]

Sends what no honest party would to a gateway and a central server that sell meanwhile: valid messages changed by their
structure, at every border, and floods. Exit 0 when no process ended, every answer is one of the documents, the loop was
never held for more than 250 ms, memory came back, nobody else's rows changed, and no sale beside was refused or took more
than three times as long as usual.
  --messages        how many changed requests and messages, over all borders
  --seed            repeats the changes of an earlier run; processes and networks keep their own timing
  --sabotage        plants defects (${DEFECTS.join(', ')}; all): exit 0 only when each was caught
  --shared-machine  does not judge how long sales take, for a machine that does other things, too
  --dist            the built daemon; default dist
  --keep            leaves the data directories and logs for a post-mortem
`

export interface HostileOptions {
  messages: number
  seed: number
  sabotage: readonly Defect[]
  judgesTimes: boolean
  dist: string
  keep: boolean
}

const OPTIONS = {
  messages: { type: 'string', default: '50000' },
  seed: { type: 'string' },
  sabotage: { type: 'string' },
  'shared-machine': { type: 'boolean', default: false },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): HostileOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  return {
    messages: count('messages', values.messages),
    seed: seedOf(values.seed),
    sabotage: defectsOf(values.sabotage),
    judgesTimes: !values['shared-machine'],
    dist: distOf(values.dist),
    keep: values.keep,
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
