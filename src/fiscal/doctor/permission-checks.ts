import { type Check, failure, fine } from '../../domain/check.ts'
import type { OwnFile, OwnFiles } from '../ports/machine.ts'
import type { HealthCheck } from './doctor.ts'

interface Rule {
  /** The bits of the mode that must not be set. */
  closed: number
  /** The mode that mends it. */
  mode: string
  /** It must belong to the user that this process runs as. */
  ours: boolean
}

interface Wrong {
  problem: string
  fix: string
}

/** What others must not do; the group of the data directory may look into it. */
const OTHERS = 0o007
const OTHERS_AND_GROUP_WRITE = 0o027
const WRITERS = 0o022
const ALL_BUT_OWNER = 0o077

const RULES: Record<OwnFile['kind'], Rule> = {
  data: { closed: OTHERS_AND_GROUP_WRITE, mode: '750', ours: true },
  folder: { closed: WRITERS, mode: 'go-w', ours: true },
  file: { closed: WRITERS, mode: 'go-w', ours: true },
  secret: { closed: ALL_BUT_OWNER, mode: '600', ours: true },
  operatorKey: { closed: OTHERS, mode: 'o-rwx', ours: false },
  socket: { closed: OTHERS, mode: '660', ours: true },
}

const SHOWN = 3

/**
 * Whether the data directory, the secrets in it and the admin socket are this user's and closed to all others. What
 * lies in the data directory is closed by the directory itself: only that nobody else writes it is asked of each file.
 */
export function permissionChecks(files: Pick<OwnFiles, 'list'>): HealthCheck[] {
  return [{ name: 'permissions', run: async () => [permissionsCheck(await files.list())] }]
}

function permissionsCheck(files: readonly OwnFile[]): Check {
  const name = 'permissions'
  const wrong = files.flatMap(wrongsOf)
  if (wrong.length === 0) return fine(name, 'data, keys and socket are closed to other users')
  const rest = wrong.length > SHOWN ? `; and ${wrong.length - SHOWN} more` : ''
  const shown = wrong.slice(0, SHOWN)
  const problems = shown.map(({ problem }) => problem).join('; ')
  return failure(name, problems + rest, `sudo ${shown.map(({ fix }) => fix).join(' && sudo ')}`)
}

function wrongsOf({ path, kind, mode, foreign }: OwnFile): Wrong[] {
  const rule = RULES[kind]
  const wrong: Wrong[] = []
  if (rule.ours && foreign) {
    const { owner, user } = foreign
    wrong.push({ problem: `${path} belongs to user ${owner}, not to ${user}`, fix: `chown ${user}: ${path}` })
  }
  if ((mode & rule.closed) !== 0) {
    const who = (mode & rule.closed & OTHERS) !== 0 ? 'other users' : 'its group'
    const octal = mode.toString(8).padStart(4, '0')
    wrong.push({ problem: `${path} is open to ${who} (mode ${octal})`, fix: `chmod ${rule.mode} ${path}` })
  }
  return wrong
}
