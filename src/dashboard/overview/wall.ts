import { townOf } from '../../domain/premises/town.ts'
import { type ListedMachine, type MachineState, machineState } from '../../fiscal/machines/machine.ts'
import { addressOf } from '../addresses.ts'
import { MACHINES, machinesIn, NONE, WITHOUT_PAPER } from '../devices/filter.ts'
import { healthOf } from '../devices/health.ts'
import { healthTexts } from '../devices/health-texts.ts'
import type { PageContext } from '../page-routes.ts'
import type { OverviewTexts } from './texts.ts'

/** Pixels from one square to the next, and of the gap between two. */
const STEP = 14
const GAP = 2
const ROWS = 4
const MOST_COLUMNS = 72
/** Beyond it those of a town and a sign share a link, so that the page stays small. */
const MOST_TROUBLED = 300

/** The sign in the square of a machine; what only sells has none. */
type Sign = 'S' | 'I' | 'P' | 'O' | 'N'
const SIGNS: Record<MachineState, Sign | null> = { stopped: 'S', isu: 'I', suspended: 'O', unknown: 'N', sells: null }

const signOf = (machine: ListedMachine): Sign | null =>
  SIGNS[machineState(machine)] ?? (machine.paper === 'out' ? 'P' : null)

/**
 * Every machine as a square, by company and town, in a town by gateway and name, so that it stays where it is. What sells is
 * one pattern a town: the page grows with troubles, not with machines.
 * @param machines in the order of their names
 */
export function wallOf(machines: readonly ListedMachine[], t: OverviewTexts, { language, f }: PageContext) {
  const companies = Map.groupBy(machines, ({ company }) => company.id)
  const isCrowded = machines.filter((machine) => signOf(machine) !== null).length > MOST_TROUBLED
  return [...companies]
    .map(([id, theirs]) => ({
      id,
      name: theirs[0]?.company.name ?? '',
      devices: t.wall.devices(theirs.length, f.count(theirs.length)),
      today: t.wall.today(f.euros(Number(theirs.reduce((sum, { today }) => sum + today.cents, 0n)) / 100)),
      towns: [...Map.groupBy(theirs, ({ device }) => townOf(device.premisesAddress))]
        .sort(([one, some], [other, more]) => more.length - some.length || one.localeCompare(other, 'hr'))
        .map(([town, there]) => townOnWall(id, town, there)),
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'hr'))

  function townOnWall(company: string, town: string, there: readonly ListedMachine[]) {
    const rows = Math.max(ROWS, Math.ceil(there.length / MOST_COLUMNS))
    const ordered = there.toSorted((one, other) => (one.gateway ?? '').localeCompare(other.gateway ?? '', 'hr'))
    const squares = ordered.map((machine, i) => {
      const [x, y] = [Math.floor(i / rows) * STEP, (i % rows) * STEP]
      return { machine, sign: signOf(machine), x, y }
    })
    const troubled = squares.flatMap(({ sign, ...square }) => (sign === null ? [] : [{ ...square, sign }]))
    const [whole, rest] = [Math.floor(there.length / rows), there.length % rows]
    const sells = there.filter((machine) => machineState(machine) === 'sells').length
    const unknown = there.filter((machine) => machineState(machine) === 'unknown').length
    const place = { name: town === '' ? t.wall.noTown : town, town: town === '' ? NONE : town }
    return {
      name: place.name,
      count: f.count(there.length),
      says: t.wall.says(f.count(sells), f.count(there.length - sells - unknown), f.count(unknown)),
      href: addressOf(MACHINES, { company, town: place.town }),
      width: Math.ceil(there.length / rows) * STEP - GAP,
      height: rows * STEP - GAP,
      fills: [
        { x: 0, width: whole * STEP - GAP, height: rows * STEP - GAP },
        { x: whole * STEP, width: rest > 0 ? STEP - GAP : 0, height: rest * STEP - GAP },
      ].filter(({ width }) => width > 0),
      troubles: [
        ...Map.groupBy(troubled, ({ machine, sign }) =>
          isCrowded ? sign : `${sign} ${machine.gateway ?? machine.device.id}`,
        ),
      ].map(([, some]) => troubleOf(company, place, some)),
    }
  }

  /** Those of one gateway and cause share a link, or those of one town; the squares are dashes of one broad line. */
  function troubleOf(
    company: string,
    { name, town }: { name: string; town: string },
    some: { machine: ListedMachine; sign: Sign; x: number; y: number }[],
  ) {
    const [{ machine, sign } = {} as (typeof some)[number], ...others] = some
    const states = healthTexts[language].states
    const state = machineState(machine)
    const word = sign === 'P' ? healthTexts[language].papers.out : (healthOf(machine, language, f).why ?? states[state])
    const path = some.map(({ x, y }) => `M${x - 1} ${y + 6}h14`).join('')
    if (others.length === 0)
      return { sign, path, href: `${MACHINES}/${machine.device.id}`, says: `${machine.device.label}: ${word}` }
    const narrowed = sign === 'P' ? { paper: 'out' } : { state }
    const devices = t.wall.devices(some.length, f.count(some.length))
    if (isCrowded)
      return {
        ...{ sign, path },
        href: addressOf(MACHINES, { company, town, ...narrowed }),
        says: `${name}, ${devices}: ${sign === 'P' ? word : states[state]}`,
      }
    return {
      ...{ sign, path },
      href: addressOf(MACHINES, { company, gateway: machine.gateway ?? undefined, ...narrowed }),
      says: `${machine.gateway}, ${devices}: ${word}`,
    }
  }
}

/** What the signs mean, each with how many machines there are and its list. */
export function legendOf(machines: readonly ListedMachine[], t: OverviewTexts, { f }: PageContext) {
  const counts = Map.groupBy(machines, machineState)
  const states = (Object.keys(DOTS) as MachineState[]).map((state) => {
    const found = counts.get(state)?.length ?? 0
    return { dot: DOTS[state], found, text: t.wall.states[state], href: machinesIn(state) }
  })
  const found = machines.filter((machine) => machine.paper === 'out').length
  return [...states, { dot: 'warn', found, text: t.wall.paper, href: WITHOUT_PAPER }]
    .filter(({ dot, found }) => dot === DOTS.sells || found > 0)
    .map(({ found, ...entry }) => ({ ...entry, count: f.count(found) }))
}

const DOTS: Record<MachineState, string> = {
  sells: '',
  stopped: 'bad',
  isu: 'bad',
  suspended: 'off',
  unknown: 'unknown',
}
