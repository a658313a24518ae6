import { COMMON, COMMON_HELP, common, count, oneOf, parse, UsageError } from '../chaos/arguments.ts'
import { FILE_SYSTEMS, type FileSystem } from '../machine/card.ts'
import { BAD_CARDS, type CardCase, SHORT_CARDS } from './cards/cases.ts'

/** When the current goes. */
const MOMENTS = ['random', 'commit', 'checkpoint', 'backup', 'upgrade', 'log', 'starting'] as const
export type Moment = (typeof MOMENTS)[number]

/** What the process that ends does not tell. */
const FAULTS = ['answer-before-commit', 'synchronous-normal'] as const

const CASES = ['cuts', 'flush', 'cards'] as const
export type Case = (typeof CASES)[number]

export const HELP = `npm run chaos:power -- [--case ${CASES.join(',')}] [--cuts 300] [--sales 200] [--card NAME] [--seed N] [--short]

What a cut of the power and a bad memory card leave. Three cases, each with cards of ours; root, Debian package debootstrap.
  cuts   switches a machine off (User-mode Linux: Debian's kernel as processes of this host), again and again, while devices
         sell and print and the simulated tax authority misbehaves. What its card had not flushed is lost, lost in part, or torn,
         by the seed. Then what the devices were told, /v1, the database, the authority's ledger and the paper must agree
  flush  records every write and flush of such a machine's card. For each flush the card is made as it was then, mounted, and
         judged: file system clean, database undamaged, journals sealed, every answer there that was given before. Then the same
         for torn cards: of the writes between two flushes only some survive, and of those only some sectors
  cards  devices sell on cards that are bad, with a real file system of this host's kernel on them (FUSE; Debian packages
         qemu-utils, qemu-system-common). Prints what callers, fisk status and fisk doctor were told, and what was true
Exit 0 when all promises hold. A case that cannot run here is skipped unless --case names it.
  --case         some of them; default all
  --cuts         how often the power is cut
  --at           the moment of every cut: ${MOMENTS.join(', ')}; default all of them by turns
  --fs           file system of the card in cuts: ext4 or f2fs (package f2fs-tools); default ext4
  --mount        an option of its mount in cuts and flush, such as commit=60
  --sales        answers with 200 that flush waits for
  --marks        judges so many flushes, chosen by the seed; default all
  --torn         torn cards, chosen by the seed
  --card         one bad card: ${BAD_CARDS.map(({ name }) => name).join(', ')}
  --devices      machines that sell at the same time in cuts and flush, two at each premises
  --minutes-max  gives up, and fails, when the cuts take longer; default 5, and 2 for each cut
  --sabotage     runs cuts and flush with a deliberate fault (answer-before-commit, synchronous-normal): exit 0 only when each caught it
  --short        4 cuts; 40 sales, 60 flushes, 20 torn cards; the bad cards ${SHORT_CARDS.join(' and ')}
${COMMON_HELP}`

export interface PowerOptions {
  cases: readonly Case[]
  /** Whether a case that cannot run is an error. */
  isNamed: boolean
  cuts: number
  fs: FileSystem
  mount: string
  /** Null for all by turns. */
  at: Moment | null
  sales: number
  /** Infinite for all. */
  marks: number
  torn: number
  cards: readonly CardCase[]
  devices: number
  minutesMax: number
  sabotage: (typeof FAULTS)[number] | null
  seed: number
  dist: string
  keep: boolean
}

const OPTIONS = {
  case: { type: 'string' },
  cuts: { type: 'string' },
  fs: { type: 'string', default: 'ext4' },
  mount: { type: 'string', default: '' },
  at: { type: 'string' },
  sales: { type: 'string' },
  marks: { type: 'string' },
  torn: { type: 'string' },
  card: { type: 'string' },
  devices: { type: 'string', default: '4' },
  'minutes-max': { type: 'string' },
  sabotage: { type: 'string' },
  short: { type: 'boolean', default: false },
  ...COMMON,
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): PowerOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { short } = values
  const sabotage = values.sabotage === undefined ? null : oneOf('sabotage', FAULTS, values.sabotage)
  const named = values.case?.split(',').map((name) => oneOf('case', CASES, name))
  if (sabotage !== null && named?.includes('cards')) throw new UsageError('--sabotage: not with the case cards')
  const cuts = count('cuts', values.cuts ?? (short ? '4' : '300'))
  return {
    cases: named ?? CASES.filter((name) => sabotage === null || name !== 'cards'),
    isNamed: named !== undefined,
    cuts,
    fs: oneOf('fs', FILE_SYSTEMS, values.fs),
    mount: values.mount,
    at: values.at === undefined ? null : oneOf('at', MOMENTS, values.at),
    sales: count('sales', values.sales ?? (short ? '40' : '200')),
    marks: values.marks === undefined ? (short ? 60 : Number.POSITIVE_INFINITY) : count('marks', values.marks),
    torn: count('torn', values.torn ?? (short ? '20' : '200')),
    cards: cardsOf(values.card, short),
    devices: count('devices', values.devices),
    minutesMax: values['minutes-max'] === undefined ? 5 + 2 * cuts : count('minutes-max', values['minutes-max']),
    sabotage,
    ...common(values),
  }
}

function cardsOf(wanted: string | undefined, short: boolean): readonly CardCase[] {
  if (wanted === undefined) return BAD_CARDS.filter(({ name }) => !short || SHORT_CARDS.includes(name))
  const one = BAD_CARDS.map(({ name }) => name)
  return BAD_CARDS.filter(({ name }) => name === oneOf('card', one, wanted))
}
