import { type Check, failure, fine } from '../../domain/check.ts'
import { alike, type Both } from '../../domain/texts/both.ts'
import type { OwnFile, OwnFiles } from '../ports/machine.ts'
import { few, type HealthCheck } from './doctor.ts'

interface Rule {
  /** The bits of the mode that must not be set. */
  closed: number
  /** The mode that mends it. */
  mode: string
  /** It must belong to the user that this process runs as. */
  ours: boolean
}

interface Wrong {
  problem: Both
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

/** As many as `few` shows. */
const SHOWN = 3

/**
 * Whether the data directory, the secrets in it and the admin socket are this user's and closed to all others. What
 * lies in the data directory is closed by the directory itself: only that nobody else writes it is asked of each file.
 */
export function permissionChecks(files: Pick<OwnFiles, 'list'>): HealthCheck[] {
  return [
    { name: { en: 'permissions', hr: 'prava pristupa' }, run: async () => [permissionsCheck(await files.list())] },
  ]
}

function permissionsCheck(files: readonly OwnFile[]): Check {
  const name = { en: 'permissions', hr: 'prava pristupa' }
  const wrong = files.flatMap(wrongsOf)
  if (wrong.length === 0)
    return fine(name, {
      en: 'data, keys and socket are closed to other users',
      hr: 'podaci, ključevi i priključnica nisu dostupni drugim korisnicima',
    })
  const fixes = wrong.slice(0, SHOWN).map(({ fix }) => fix)
  return failure(name, few(wrong.map(({ problem }) => problem)), alike(`sudo ${fixes.join(' && sudo ')}`))
}

function wrongsOf({ path, kind, mode, foreign }: OwnFile): Wrong[] {
  const rule = RULES[kind]
  const wrong: Wrong[] = []
  if (rule.ours && foreign) {
    const { owner, user } = foreign
    wrong.push({
      problem: {
        en: `${path} belongs to user ${owner}, not to ${user}`,
        hr: `${path} pripada korisniku ${owner}, a ne korisniku ${user}`,
      },
      fix: `chown ${user}: ${path}`,
    })
  }
  if ((mode & rule.closed) !== 0) {
    const octal = mode.toString(8).padStart(4, '0')
    const problem =
      (mode & rule.closed & OTHERS) !== 0
        ? {
            en: `${path} is open to other users (mode ${octal})`,
            hr: `${path} dostupno je drugim korisnicima (prava ${octal})`,
          }
        : { en: `${path} is open to its group (mode ${octal})`, hr: `${path} dostupno je grupi (prava ${octal})` }
    wrong.push({ problem, fix: `chmod ${rule.mode} ${path}` })
  }
  return wrong
}

/**
 * Whether the files that this process has open are those that bear their names: one that was removed or replaced
 * meanwhile takes sales until the process ends, and then they are gone.
 */
export function filesInPlaceChecks({ replaced, processId }: Pick<OwnFiles, 'replaced' | 'processId'>): HealthCheck[] {
  const name = { en: 'files in place', hr: 'otvorene datoteke' }

  async function examine(): Promise<Check[]> {
    const { database, lock } = await replaced()
    if (database.length > 0) {
      const detail = {
        en: `${database.join(' and ')} was removed or replaced while fiskd runs`,
        hr: `${database.join(' and ')}: uklonjeno ili zamijenjeno dok fiskd radi`,
      }
      return [failure(name, detail, saving(processId))]
    }
    if (lock.length > 0) {
      const problem = {
        en: `${lock.join()} was removed: nothing keeps a second fiskd off this database`,
        hr: `${lock.join()}: uklonjeno, pa ništa ne sprječava da istu bazu podataka otvori još jedan fiskd`,
      }
      return [
        failure(name, problem, {
          en: 'take a new lock: systemctl restart fiskd',
          hr: 'ponovno pokrenite fiskd: systemctl restart fiskd',
        }),
      ]
    }
    return [
      fine(name, { en: 'the files that fiskd has open bear their names', hr: 'otvorene datoteke su na svojem mjestu' }),
    ]
  }
  return [{ name, run: examine }]
}

const saving = (pid: number) => ({
  en:
    `the sales are only in what fiskd (process ${pid}) holds open: before it stops, find it with ` +
    `sudo ls -l /proc/${pid}/fd, copy both with sudo cp /proc/${pid}/fd/NUMBER to FILE and FILE-wal, then ` +
    'stop fiskd and restore that: fisk restore FILE',
  hr:
    `računi su samo u datotekama koje drži proces ${pid}: prije zaustavljanja pronađite ih naredbom sudo ` +
    `ls -l /proc/${pid}/fd, kopirajte obje naredbom sudo cp /proc/${pid}/fd/NUMBER u FILE i FILE-wal, a zatim ` +
    'zaustavite fiskd i vratite ih: fisk restore FILE',
})
