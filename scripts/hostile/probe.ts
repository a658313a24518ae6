import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pause } from '../chaos/wait.ts'
import type { Defect } from './options.ts'

/** What the probe that is preloaded into a daemon has seen. */
export interface Probe {
  env: Record<string, string>
  /** How often and how long the loop was held, milliseconds of the processor. */
  held(): { heldMs: number }[]
  /** Bytes that are in use after a collection. */
  memory(pid: number): Promise<number>
}

/** @param file where the probe writes; a path of its own for each daemon */
export function createProbe(file: string, defects: readonly Defect[], bystander: string): Probe {
  return {
    env: {
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('probe.mjs', import.meta.url))}`,
      HOSTILE_PROBE: file,
      HOSTILE_DEFECTS: defects.join(','),
      HOSTILE_BYSTANDER: bystander,
    },
    held: () =>
      read(file)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    async memory(pid) {
      const before = read(`${file}.memory`)
      process.kill(pid, 'SIGWINCH')
      for (let tries = 0; tries < 1200; tries++) {
        await pause(50)
        const now = read(`${file}.memory`)
        if (now !== before && now.endsWith('}')) return JSON.parse(now).bytes
      }
      throw new Error(`the probe of ${file} says nothing of memory`)
    },
  }
}

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
