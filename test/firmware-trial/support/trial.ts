import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { shaped } from '../../../src/cli/daemon/shape.ts'
import { type TrialReport, TrialReportSchema } from '../../../src/contract/reports/firmware-trial.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { FISK } from '../../support/programs.ts'
import { IN_MEMORY, makeTempDir } from '../../support/temp-dir.ts'

/** Makes one program of the client that the tests use as firmware, for a whole test file; call it in `beforeAll`. */
export async function buildClient(): Promise<string> {
  const outfile = join(await makeTempDir(atTheEndOfFile), 'client.mjs')
  const entry = join(import.meta.dirname, 'client.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' })
  return outfile
}

export interface Tried {
  code: number | null
  out: string
  err: string
}

/** Runs `fisk firmware-trial` to its end, as a user of a machine without fiskd's own variables. */
export async function firmwareTrial(...args: string[]): Promise<Tried> {
  const env = { PATH: process.env.PATH, TMPDIR: IN_MEMORY }
  const child = spawn(process.execPath, [FISK, 'firmware-trial', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

/** Tries the client, with one planted mistake if one is named. */
export async function tryClient(
  client: string,
  { defect, scenarios = [], patienceS = 6 }: { defect?: string; scenarios?: string[]; patienceS?: number },
): Promise<Tried & { report: TrialReport; broken: string[] }> {
  const only = scenarios.length === 0 ? [] : ['--scenario', ...scenarios]
  const options = ['--json', '--patience', String(patienceS), ...only]
  const tried = await firmwareTrial(...options, '--', process.execPath, client, ...(defect ? [defect] : []))
  if (tried.out === '') throw new Error(`there is no report: ${tried.err}`)
  const report = shaped(TrialReportSchema, JSON.parse(tried.out), 'fisk firmware-trial')
  const rules = report.scenarios.flatMap(({ findings }) => findings.map(({ rule }) => rule))
  return { ...tried, report, broken: [...new Set(rules)].sort() }
}
