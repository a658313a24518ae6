import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DIST } from './programs.ts'
import { runScript } from './run-script.ts'
import { IN_MEMORY } from './temp-dir.ts'

/**
 * Runs the short form of a section of `npm run bench` on what was built for this run.
 * @returns its medians by name; whether what is wanted of them is met is for the test to say
 */
export async function benchFigures(options: string[]): Promise<(what: string) => number> {
  const dir = mkdtempSync(join(IN_MEMORY, 'fiskd-bench-'))
  const json = join(dir, 'bench.json')
  try {
    const { code, out } = await runScript('bench/main.ts', ...options, '--short', '--dist', DIST, '--json', json)
    if (code !== 0 && code !== 1) throw new Error(out)
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
