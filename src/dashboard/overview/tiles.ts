import type { Severity } from '../../domain/alert.ts'
import type { Overview } from '../../fiscal/office/overview.ts'
import { NOTHING_SOLD_TODAY, SILENT } from '../devices/addresses.ts'
import type { Formats } from '../formats.ts'
import { isUnwell } from './tasks.ts'
import type { OverviewTexts } from './texts.ts'

export interface Tile {
  /** Keeps the focus where it is when the tiles are exchanged. */
  id: string
  kind: 'ok' | 'warn' | 'bad' | ''
  name: string
  figure: string
  says: string[]
  href: string | null
  /** What nobody has to look at: one of the words of a quiet line. */
  isFine: boolean
}

type Made = Omit<Tile, 'isFine'>

const SOLD = 'tile-sold'
const HOURS_OF_SALES = 24
const [SOON_DAYS, URGENT_DAYS] = [30, 7]

/** The figures that an office looks at first. */
export function tilesOf(overview: Overview, alerts: Record<Severity, number>, t: OverviewTexts, f: Formats): Tile[] {
  const tiles = [
    soldTile(overview, t, f),
    ...waitingTiles(overview, t, f),
    unsoldTile(overview, t, f),
    authorityTile(overview, t, f),
    ...(overview.gateways === null ? [] : [gatewaysTile(overview.gateways, t, f)]),
    certificatesTile(overview, t),
    ...(overview.gateways === null || overview.printers.length > 0 ? [printersTile(overview, t, f)] : []),
    alertsTile(alerts, t, f),
  ]
  return tiles.map((tile) => ({ ...tile, isFine: tile.kind === 'ok' || (tile.kind === '' && tile.id !== SOLD) }))
}

function soldTile({ sales, mode }: Overview, { tiles }: OverviewTexts, f: Formats): Made {
  const hours = sales.hours.slice(-HOURS_OF_SALES)
  const sold = hours.reduce((sum, hour) => sum + hour.sold, 0)
  const confirmed = hours.reduce((sum, hour) => sum + hour.confirmed, 0)
  return {
    id: SOLD,
    kind: '',
    name: tiles.sold,
    figure: f.count(sold),
    says: [tiles.confirmed(f.count(confirmed))],
    href: `/dashboard/invoices?mode=${mode}`,
  }
}

function waitingTiles({ sales, mode }: Overview, { tiles }: OverviewTexts, f: Formats): Made[] {
  const { waiting, failed, expired, oldestAt, ages } = sales
  const late = ages.older + ages.day_21 + ages.day_25
  const list = (status: string) => `/dashboard/invoices?mode=${mode}&status=${status}`
  const statusTile = (status: string, kind: 'warn' | 'bad', count: number, name: string, says: string): Made => ({
    id: `tile-${status}`,
    kind: count > 0 ? kind : 'ok',
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
    statusTile('failed', 'warn', failed, tiles.failed, failed > 0 ? tiles.failedSome : tiles.failedNone),
    statusTile('expired', 'bad', expired, tiles.expired, expired > 0 ? tiles.expiredSome : tiles.expiredNone),
  ]
}

/** Early in the day most machines have sold nothing: only what is unusual stands out. */
function unsoldTile({ unsold: { today, unusual } }: Overview, { tiles }: OverviewTexts, f: Formats): Made {
  return {
    id: 'tile-unsold',
    kind: unusual > 0 ? 'warn' : 'ok',
    name: tiles.unsold,
    figure: f.count(today),
    says: unusual > 0 ? [tiles.unusual(f.count(unusual))] : [],
    href: unusual > 0 ? SILENT : NOTHING_SOLD_TODAY,
  }
}

function authorityTile({ authority, devices, modes }: Overview, { tiles }: OverviewTexts, f: Formats): Made {
  const tile = { id: 'tile-authority', name: tiles.authority, href: null }
  const lastJir = devices.lastSuccessAt === null ? tiles.noJir : tiles.lastJir(f.ago(devices.lastSuccessAt))
  if (authority === null) return { ...tile, kind: '', figure: tiles.notAsked, says: [lastJir] }
  const { health, closedByTimetable } = authority
  const asked = modes.some((mode) => mode !== health.mode) ? [tiles.askedMode[health.mode]] : []
  if (health.reachable) {
    const says = [tiles.answersIn(f.duration(health.latencyMs)), ...asked, lastJir]
    return { ...tile, kind: 'ok', figure: tiles.reachable, says }
  }
  if (closedByTimetable) return { ...tile, kind: '', figure: tiles.closed, says: [tiles.closedWhen, lastJir] }
  return { ...tile, kind: 'warn', figure: tiles.unreachable, says: [...asked, lastJir] }
}

function gatewaysTile(gateways: NonNullable<Overview['gateways']>, { tiles }: OverviewTexts, f: Formats): Made {
  const meant = gateways.filter(({ state }) => ['connected', 'silent', 'duplicated'].includes(state))
  const connected = meant.filter(({ state }) => state === 'connected').length
  const silent = meant.length - connected
  return {
    id: 'tile-gateways',
    kind: silent > 0 ? 'bad' : 'ok',
    name: tiles.gateways,
    href: '/dashboard/gateways',
    figure: meant.length === 0 ? tiles.noGateways : tiles.connected(f.count(connected), f.count(meant.length)),
    says: meant.length === 0 ? [] : [silent > 0 ? tiles.silent(silent, f.count(silent)) : tiles.allConnected],
  }
}

function certificatesTile({ certificates }: Overview, { tiles }: OverviewTexts): Made {
  const tile = { id: 'tile-certificates', name: tiles.certificates, href: '/dashboard/companies' }
  const [first] = certificates
  if (first === undefined) return { ...tile, kind: '', figure: tiles.noCertificates, says: [] }
  const { daysLeft, status } = first.certificate
  const says = [tiles.shortest(first.company.name)]
  if (daysLeft === null) return { ...tile, kind: 'bad', figure: tiles.missing, says }
  if (status === 'expired') return { ...tile, kind: 'bad', figure: tiles.ended, says }
  const kind = daysLeft <= URGENT_DAYS ? 'bad' : daysLeft <= SOON_DAYS ? 'warn' : 'ok'
  return { ...tile, kind, figure: tiles.daysLeft(daysLeft), says }
}

function printersTile({ printers }: Overview, { tiles }: OverviewTexts, f: Formats): Made {
  const tile = { id: 'tile-printers', name: tiles.printers, href: '/dashboard/devices' }
  const out = printers.filter(({ condition }) => condition.paper === 'out').length
  const unwell = printers.filter(({ condition: { state, paper } }) => isUnwell(state) && paper !== 'out').length
  const nearEnd = printers.filter(({ condition }) => condition.paper === 'near_end').length
  const says = [
    ...(out > 0 && unwell > 0 ? [tiles.printersBad(unwell, f.count(unwell))] : []),
    ...(nearEnd > 0 ? [tiles.nearEnd(nearEnd, f.count(nearEnd))] : []),
  ]
  if (printers.length === 0) return { ...tile, kind: '', figure: tiles.noPrinters, says }
  if (out > 0) return { ...tile, kind: 'bad', figure: tiles.printersOut(out, f.count(out)), says }
  if (unwell > 0) return { ...tile, kind: 'warn', figure: tiles.printersBad(unwell, f.count(unwell)), says }
  return { ...tile, kind: 'ok', figure: tiles.printersFine, says }
}

function alertsTile({ urgent, warning, info }: Record<Severity, number>, { tiles }: OverviewTexts, f: Formats): Made {
  const open = urgent + warning + info
  return {
    id: 'tile-alerts',
    kind: urgent > 0 ? 'bad' : warning > 0 ? 'warn' : 'ok',
    name: tiles.alerts,
    figure: open === 0 ? tiles.noAlerts : tiles.openOnes(f.count(open)),
    says: urgent > 0 ? [tiles.urgent(f.count(urgent))] : [],
    href: '/dashboard/alerts',
  }
}
