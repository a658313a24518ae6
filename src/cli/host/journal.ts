import { clean } from '../text/columns.ts'
import { type Around, ask } from './system.ts'

const LINES = 3
const LOOKED_AT = 200

/** pino's number for `error`. */
const ERROR = 50

/** What systemd says of every service, well or not. */
const ROUTINE =
  /^(-- |(Starting|Started|Stopping|Stopped|Failed to start|Reloading)\b|[^ ]+\.service: (?!Failed (at|to) ))/

/** The last few lines of the service's log that tell why it ended, of its latest run that has any; safe to show. */
export async function explanation(io: Around, unit: string): Promise<string[]> {
  const args = [`--unit=${unit}.service`, `--lines=${LOOKED_AT}`, '--output=cat', '--no-pager', '--quiet']
  const { stdout } = await ask(io, 'journalctl', ...args)
  const runs = stdout.split(/^Starting .*$/m).map((run) => run.split('\n').flatMap(explaining))
  return runs.findLast((lines) => lines.length > 0)?.slice(-LINES) ?? []
}

function explaining(line: string): string[] {
  if (line.startsWith('{')) return ofLog(line)
  return line.trim() === '' || ROUTINE.test(line) ? [] : [oneLine(line)]
}

const oneLine = (text: string) => clean(text).replace(/ +/g, ' ').trim()

/** The daemon's own lines are JSON; most are no errors. */
function ofLog(line: string): string[] {
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } }
    if ((level ?? 0) < ERROR) return []
    return [oneLine([msg, err?.message].filter(Boolean).join(': '))]
  } catch {
    return []
  }
}
