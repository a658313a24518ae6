import { median, round } from './statistics.ts'

/** One thing measured, once in each run. */
export interface Figure {
  what: string
  unit: string
  /** Of each run, in order. */
  values: number[]
  /** What the median has to be. */
  wanted?: { most: number } | { least: number }
}

export interface Verdict extends Figure {
  median: number
  least: number
  most: number
  /** Undefined where nothing is wanted. */
  met?: boolean
}

export function verdictOf(figure: Figure): Verdict {
  const { values, wanted } = figure
  const middle = median(values)
  const met = wanted && ('most' in wanted ? middle <= wanted.most : middle >= wanted.least)
  const numbers = { median: round(middle), least: round(Math.min(...values)), most: round(Math.max(...values)) }
  return { ...figure, values: values.map(round), ...numbers, ...(met !== undefined && { met }) }
}

/** A line of the table. */
export function rowOf({ what, unit, median, least, most, wanted, met }: Verdict) {
  return {
    what,
    median,
    least,
    most,
    unit,
    wanted: wanted ? ('most' in wanted ? `≤ ${round(wanted.most)}` : `≥ ${round(wanted.least)}`) : '',
    met: met === undefined ? '' : met ? 'yes' : 'NO',
  }
}

/** Collects the values of figures that several runs repeat. */
export function createFigures() {
  const figures = new Map<string, Figure>()
  return {
    add(what: string, unit: string, value: number, wanted?: Figure['wanted']): void {
      const known = figures.get(what)
      if (known) known.values.push(value)
      else figures.set(what, { what, unit, values: [value], ...(wanted && { wanted }) })
    },
    all: () => [...figures.values()],
  }
}

export type Figures = ReturnType<typeof createFigures>
