import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Change, changeBuild } from './change-build.ts'
import type { Scratch } from './scratch.ts'

/**
 * Whoever waits is told at once, 150 ms before anything is durable, and reads see what is not committed, so that nobody
 * notices while the process lives: a well-meant group commit that got it wrong.
 */
const ANSWER_BEFORE_COMMIT: Change[] = [
  [
    /(\w+)\s*\.\s*value\s*=\s*(await\s+\1\s*\.\s*work\s*\(\s*\w+\s*\)\s*);/g,
    '$1.resolve($2);await new Promise((later)=>setTimeout(later,150));',
  ],
  [/\breturn\s+(run\w*)\s*\(\s*ofReader\s*\(\s*\)\s*,/g, 'return $1(writing,'],
  [/\bwriter\s*\.\s*inTransaction\s*\?\s*ofReader\b/g, 'false ? ofReader'],
]

/** A commit is in the log and not yet on the disk: the end of the process loses nothing, the end of the current does. */
const SYNCHRONOUS_NORMAL: Change[] = [
  [/\bsynchronous\s*=\s*FULL\b/g, 'synchronous = NORMAL'],
  [/\bsynchronous\s*:\s*2\b/g, 'synchronous:1'],
]

/** A process sells on a PostgreSQL that has lost sales as soon as it can be reached. */
const SELL_ON_LOST: Change[] = [[/\bawait\s+issued\s*\(\s*trx\s*\)\s*;/g, ';']]

/** Deliberate faults of durability. */
const SABOTAGES = {
  'answer-before-commit': ANSWER_BEFORE_COMMIT,
  'synchronous-normal': SYNCHRONOUS_NORMAL,
  'sell-on-lost': SELL_ON_LOST,
} as const

export type Sabotage = keyof typeof SABOTAGES

/** The build that a run drives: the one that was asked for, or a copy of it with a fault. @throws as `sabotagedCopy` */
export function distOfRun({ dist, sabotage }: { dist: string; sabotage: Sabotage | null }, scratch: Scratch): string {
  if (sabotage === null) return dist
  const dir = join(scratch.dir, 'sabotaged')
  mkdirSync(dir)
  return sabotagedCopy(dist, dir, sabotage)
}

/**
 * Copies a build and gives the copy a fault.
 * @param dir folder to copy to, with what the program looks for above itself
 * @returns the folder of the broken build
 * @throws as `changeBuild`
 */
export function sabotagedCopy(dist: string, dir: string, fault: Sabotage = 'answer-before-commit'): string {
  const broken = join(dir, 'dist')
  cpSync(dist, broken, { recursive: true })
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(dirname(dist), name), join(dir, name))
  changeBuild(broken, SABOTAGES[fault])
  return broken
}
