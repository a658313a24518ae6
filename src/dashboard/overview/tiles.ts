import type { Overview } from '../../fiscal/office/overview.ts'
import type { Formats } from '../formats.ts'
import type { OverviewTexts } from './texts.ts'

export interface Tile {
  /** Keeps the focus where it is when the tiles are exchanged. */
  id: string
  kind: 'ok' | 'warn' | 'bad' | ''
  name: string
  figure: string
  says: string[]
  href: string | null
}

/** The invoices without a JIR, each kind with its list; what was refused or is too late is shown where there is any. */
export function waitingTiles({ sales, mode }: Overview, { tiles }: OverviewTexts, f: Formats): Tile[] {
  const { waiting, failed, expired, oldestAt, ages } = sales
  const late = ages.older + ages.day_21 + ages.day_25
  const list = (status: string) => `/dashboard/invoices?mode=${mode}&status=${status}`
  const statusTile = (status: string, kind: 'warn' | 'bad', count: number, name: string, says: string): Tile => ({
    id: `tile-${status}`,
    kind,
    name,
    figure: f.count(count),
    says: [says],
    href: list(status),
  })
  return [
    {
      id: 'tile-waiting',
      kind: ages.day_28 > 0 ? 'bad' : late > 0 ? 'warn' : 'ok',
      name: tiles.waiting,
      figure: f.count(waiting),
      href: `${list('waiting')}&order=oldest`,
      says: [oldestAt === null ? tiles.noneWaiting : tiles.oldest(f.ago(oldestAt))],
    },
    ...(failed > 0 ? [statusTile('failed', 'warn', failed, tiles.failed, tiles.failedSome)] : []),
    ...(expired > 0 ? [statusTile('expired', 'bad', expired, tiles.expired, tiles.expiredSome)] : []),
  ]
}
