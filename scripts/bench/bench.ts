import type { Chance } from '../chaos/chance.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type BenchEnvironment, type BenchEnvironmentOrder, openBenchEnvironment } from './environment/environment.ts'
import type { Stub } from './environment/stub.ts'
import type { Figures } from './figures.ts'
import type { BenchOptions } from './options.ts'

/** What every section works with. */
export interface Bench extends BenchOptions {
  figures: Figures
  scratch: Scratch
  chance: Chance
  stub: Stub
  /** As much as is asked for, or less in the short form. */
  much(long: number, short: number): number
  /** A daemon with a shop and data of its own. */
  stand(
    order: Pick<BenchEnvironmentOrder, 'name' | 'machines'> & Partial<BenchEnvironmentOrder>,
  ): Promise<BenchEnvironment>
}

export type Section = (bench: Bench) => Promise<void>

export function createBench(parts: Omit<Bench, 'much' | 'stand'>): Bench {
  const { short, dist, chance, stub, scratch } = parts
  return {
    ...parts,
    much: (long, less) => (short ? less : long),
    stand: (order) => openBenchEnvironment({ dist, chance, stub, ...order }, scratch),
  }
}
