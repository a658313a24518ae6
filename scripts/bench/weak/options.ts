import { count, distOf, parse, UsageError } from '../../chaos/arguments.ts'
import { BOARDS, type Board } from './boards.ts'

const SECTIONS = ['pace', 'pressure', 'victims', 'limits']

export const HELP = `npm run bench:weak -- [--boards ${BOARDS.map(({ name }) => name).join(',')}] [--sales 100] [--only ${SECTIONS.join(',')}]

The built daemon with as much of a processor and of memory as a small board has, in a cgroup (root): start, first sale,
latency, printing, signs of life for the watchdog; the same at half the pace, as of a board that is too hot; then with other
processes that take all the memory. Exit 1 when it is killed, a sale of a board is not taken, or a sign of life comes too late.
  --sales  for each figure of the pace
  --only   pace: of the boards; pressure: when others take all memory; victims: whom the kernel ends; limits: how little memory is enough
  --dist   the built daemon; default dist
`

export interface WeakOptions {
  only: string[]
  boards: Board[]
  sales: number
  dist: string
}

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): WeakOptions | null {
  const { help, boards, sales, only, dist } = parse(args, {
    boards: { type: 'string', default: BOARDS.map(({ name }) => name).join(',') },
    sales: { type: 'string', default: '100' },
    only: { type: 'string', default: SECTIONS.join(',') },
    dist: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (help) return null
  const sections = only.split(',')
  const unknown = sections.find((name) => !SECTIONS.includes(name))
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: there are ${SECTIONS.join(', ')}`)
  return { only: sections, boards: boards.split(',').map(boardOf), sales: count('sales', sales), dist: distOf(dist) }
}

function boardOf(name: string): Board {
  const board = BOARDS.find((one) => one.name === name)
  if (!board) throw new UsageError(`--boards ${name}: there are ${BOARDS.map((one) => one.name).join(', ')}`)
  return board
}
