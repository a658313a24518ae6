import type { Chance } from '../chaos/chance.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { fsyncsPerSecond, rsaCosts } from './ceilings.ts'
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

/** What a sale needs of the machine at least, milliseconds. */
export interface Floor {
  signMs: number
  verifyMs: number
  syncMs: number
  /** Two signatures and one check, in one thread. */
  cryptoMs: number
  /** The same by processor time, which others who use the machine do not lengthen. */
  cryptoCpuMs: number
}

/** Measured within a second or two, before and after what is compared to it. */
export function measureFloor(dir: string): Floor {
  const { sign, verify } = rsaCosts(0.4)
  return {
    signMs: sign.wallMs,
    verifyMs: verify.wallMs,
    syncMs: 1000 / fsyncsPerSecond(dir, 0.5),
    cryptoMs: 2 * sign.wallMs + verify.wallMs,
    cryptoCpuMs: 2 * sign.cpuMs + verify.cpuMs,
  }
}

/** The floor around what was measured between the two. */
export function between(before: Floor, after: Floor): Floor {
  const names = Object.keys(before) as (keyof Floor)[]
  return Object.fromEntries(names.map((name) => [name, (before[name] + after[name]) / 2])) as unknown as Floor
}

export function createBench(parts: Omit<Bench, 'much' | 'stand'>): Bench {
  const { short, dist, chance, stub, scratch } = parts
  return {
    ...parts,
    much: (long, less) => (short ? less : long),
    stand: (order) => openBenchEnvironment({ dist, chance, stub, ...order }, scratch),
  }
}
