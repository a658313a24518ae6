import { readFileSync, statSync } from 'node:fs'
import type { StatusView } from '../../contract/admin/status.ts'
import { type Check, failure, fine, skipped, warning } from '../../domain/check.ts'
import { environmentFilePath, lineOfVariable, readVariables } from '../machine/environment-file.ts'
import { judgeConfiguration } from '../machine/fiskd-program.ts'
import type { Around } from './system.ts'

const FISKD_VARIABLE = /^(FISKD|RATE_LIMIT)_/
/** Meant as one of ours, and no assignment: systemd passes over it. */
const NO_ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?(?:FISKD|RATE_LIMIT)_(?!\w*[ \t]*=)|^[ \t]*export[ \t]+(?:FISKD|RATE_LIMIT)_/

/**
 * Whether the service can start with its environment file, by the word of the daemon's own program; [] without one.
 * @param running what the daemon says of itself; it tells by itself which variables it has not understood
 */
export async function configurationCheck(io: Around, running: StatusView | null): Promise<Check[]> {
  const name = 'environment file'
  const path = environmentFilePath(io.env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'EACCES') return [skipped(name, `you may not read ${path}`, 'sudo fisk doctor')]
    return [failure(name, `${path} cannot be read: ${code}`, `make it a file that root can read: ${path}`)]
  }
  const around = Object.entries(io.env).filter(([variable]) => !FISKD_VARIABLE.test(variable))
  const { problems, unknown, absent } = await judgeConfiguration(io, {
    ...Object.fromEntries(around),
    ...readVariables(text),
  })
  const fix = `correct ${path}, then: sudo systemctl restart fiskd`
  if (problems.length > 0) return [failure(name, problems.map((problem) => withLine(text, problem)).join('; '), fix)]
  const odd = [
    ...(running ? [] : unknown).map((variable) => withLine(text, `${variable} is not a variable of fiskd`)),
    ...text.split('\n').flatMap((line, at) => (NO_ASSIGNMENT.test(line) ? [`line ${at + 1} is not NAME=value`] : [])),
  ]
  if (odd.length > 0) return [warning(name, `${odd.join('; ')}: it has no effect`, fix)]
  // A daemon that runs tells of these by itself, too.
  if (!running && absent.length > 0) {
    const detail = `this machine does not have ${absent.join(' and ')} of FISKD_LISTEN now`
    return [warning(name, detail, 'check its network cable, or choose another one: sudo fisk init --listen ADDRESS')]
  }
  if (running && statSync(path).mtimeMs > Date.now() - running.uptime_s * 1000) {
    return [warning(name, `${path} was changed after fiskd had started`, 'sudo systemctl restart fiskd')]
  }
  return [fine(name, `${path} is right`)]
}

/** What is wrong with a variable, which the problem begins with, and where it stands. */
function withLine(text: string, problem: string): string {
  const line = lineOfVariable(text, /^\w+/.exec(problem)?.[0] ?? '')
  return line === null ? problem : `line ${line}: ${problem}`
}
