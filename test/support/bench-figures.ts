import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DIST } from './programs.ts'
import { IN_MEMORY } from './temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs the short form of a section of `npm run bench` on what was built for this run. @returns its medians by name */
export async function benchFigures(options: string[]): Promise<(what: string) => number> {
  const dir = mkdtempSync(join(IN_MEMORY, 'fiskd-bench-'))
  const json = join(dir, 'bench.json')
  const script = ['--import', 'tsx', join(ROOT, 'scripts/bench/main.ts')]
  try {
    await promisify(execFile)(process.execPath, [...script, ...options, '--short', '--dist', DIST, '--json', json], {
      cwd: ROOT,
    })
    const { sections } = JSON.parse(readFileSync(json, 'utf8'))
    const figures: { what: string; median: number }[] = sections[0].verdicts
    return (what) => {
      const figure = figures.find((one) => one.what === what)
      if (!figure) throw new Error(`the bench tells nothing of: ${what}`)
      return figure.median
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}
