import { constants, existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import { isInstallation } from '../installations-near.ts'
import { dataDir, systemPaths } from '../io.ts'
import { environmentFilePath } from '../machine/environment-file.ts'
import { daemonEnvironment, serviceEnvironment } from '../machine/fiskd-program.ts'
import { type Around, ask, procOf, refusalOf, textOf } from './system.ts'

export interface Obstacle {
  detail: Both
  /** What to type, before the service is started again. */
  fix: Both
}

const obstacle = (detail: Both, fix: Both): Obstacle[] => [{ detail, fix }]

/** Less than a start writes. */
const LEAST_BYTES = 1_000_000

export async function dataDirectoryObstacles(io: Around, user: string): Promise<Obstacle[]> {
  const folder = dataDir(daemonEnvironment(io.env))
  if (!existsSync(folder))
    return obstacle(
      { en: `the data directory ${folder} is gone`, hr: `podatkovne mape ${folder} nema` },
      {
        en: `attach its disk, then: sudo mount ${folder}`,
        hr: `priključite njezin disk, a zatim: sudo mount ${folder}`,
      },
    )
  if (refusalOf(folder, constants.W_OK) === 'EROFS') {
    const remount = `sudo mount -o remount,rw "$(findmnt -n -o TARGET -T ${folder})"`
    return obstacle(
      { en: `the disk of ${folder} is read-only`, hr: `na disk mape ${folder} ne može se pisati` },
      {
        en: `${remount}; what happened to it: sudo dmesg | tail`,
        hr: `${remount}; što se dogodilo: sudo dmesg | tail`,
      },
    )
  }
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < LEAST_BYTES) {
    const largest = 'sudo du -xh --max-depth=3 / | sort -h | tail'
    return obstacle(
      { en: `the disk of ${folder} is full`, hr: `disk mape ${folder} je pun` },
      {
        en: `free some space; what takes it: ${largest}`,
        hr: `oslobodite prostor na disku; što ga zauzima: ${largest}`,
      },
    )
  }
  const [first] = await unusable(io, user, folder, ['-maxdepth', '2', ...NOT_USABLE])
  if (first === undefined) return []
  return obstacle(
    {
      en: `the user ${user} may not read or write ${first}`,
      hr: `korisnik ${user} nema pravo čitati ili pisati ${first}`,
    },
    alike(`sudo chown -R ${user}:${user} ${folder} && sudo chmod -R u+rwX ${folder}`),
  )
}

/** Whether the key is there that sealed the keys in the database: a start makes none beside it. */
export function vaultKeyObstacles(io: Around): Obstacle[] {
  const env = daemonEnvironment(io.env)
  const folder = env.FISKD_SHARED_DIR || dataDir(env)
  const isSealed = existsSync(systemPaths(io).sealedVaultKey)
  if (isSealed || existsSync(join(folder, 'vault.key')) || !isInstallation(folder)) return []
  return obstacle(
    { en: `vault.key is missing in ${folder}`, hr: `u ${folder} nedostaje vault.key` },
    {
      en: `put vault.key of the backup into ${folder}; without it no certificate opens`,
      hr: `vratite vault.key iz sigurnosne kopije u ${folder}; bez njega se certifikati ne mogu otvoriti`,
    },
  )
}

/** In the words of find(1). */
const NOT_READABLE = ['!', '-readable', '-print']
const NOT_USABLE = ['(', '!', '-readable', '-o', '(', '-type', 'd', '-o', '-name', 'fiskd.db*', '-o'].concat([
  '-name',
  'fiskd.lock',
  ')',
  '!',
  '-writable',
  ')',
  '-print',
])

/** Whether the data is on a disk of its own that is not there: systemd does not start the service then. */
export function unmountedDisk(io: Around): Obstacle[] {
  const folder = dataDir(daemonEnvironment(io.env))
  const mounted = new Set(fieldsOf(join(procOf(io), 'self/mounts')).map(([, point]) => point))
  const wanted = fieldsOf(systemPaths(io).fstab).flatMap(([device = '', point = '']) =>
    /^[^#]/.test(device) ? [point] : [],
  )
  const missing = wanted.find(
    (point) => /^\/./.test(point) && `${folder}/`.startsWith(`${point}/`) && !mounted.has(point),
  )
  if (missing === undefined || !mounted.has('/')) return []
  return obstacle(
    { en: `the disk of ${missing} is not mounted`, hr: `disk mape ${missing} nije priključen (mount)` },
    { en: `attach it, then: sudo mount ${missing}`, hr: `priključite ga, a zatim: sudo mount ${missing}` },
  )
}

const fieldsOf = (path: string) =>
  textOf(path)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

export async function namedFileObstacles(io: Around, user: string): Promise<Obstacle[]> {
  const env = serviceEnvironment(io.env)
  const file = environmentFilePath(io.env)
  const obstacles: Obstacle[] = []
  for (const name of ['FISKD_TLS_CERT', 'FISKD_TLS_KEY']) {
    const path = env[name]
    if (!path) continue
    const copy = `sudo install -o root -g ${user} -m 0640 ${path} /etc/fiskd/`
    if (!existsSync(path)) {
      const gone = { en: `${path}, which is ${name}, is not there`, hr: `nema datoteke ${path} (${name})` }
      const bring = { en: 'bring the file, or correct', hr: 'vratite datoteku ili ispravite' }
      obstacles.push(...obstacle(gone, together`${bring} ${name}: ${file}`))
    } else if ((await unusable(io, user, path, ['-maxdepth', '0', ...NOT_READABLE])).length > 0) {
      obstacles.push(
        ...obstacle(
          {
            en: `the user ${user} may not read ${path}, which is ${name}`,
            hr: `korisnik ${user} nema pravo čitati ${path} (${name})`,
          },
          {
            en: `${copy} and name that copy in ${name} of ${file}`,
            hr: `${copy}, a tu kopiju upišite u ${name} u ${file}`,
          },
        ),
      )
    }
  }
  return obstacles
}

/** What find(1) finds as another account, which only root can take; nothing where it cannot be asked. */
async function unusable(io: Around, user: string, path: string, tests: string[]): Promise<string[]> {
  if (process.getuid?.() !== 0 || user === '' || user === 'root') return []
  const { stdout, stderr } = await ask(io, 'runuser', '-u', user, '--', 'find', path, ...tests)
  if (/Permission denied/.test(stderr)) return [path]
  return stdout.split('\n').filter((line) => line !== '')
}
