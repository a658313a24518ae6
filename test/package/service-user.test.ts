import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openInput } from '../../src/cli/files.ts'
import { inProject, runWith, standIn } from '../support/stand-in.ts'
import { tempDirOnDisk } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

/** Who plays the service's user, and its group. */
const [USER, UID, GID] = ['nobody', 65534, 65534]

interface Machine {
  /** Runs a function of postinst as root, with a report of the rehearsal and a backup. */
  postinst(call: string, variables?: Record<string, string>): { code: number; stdout: string; stderr: string }
  /** A file of root's, beside the folders of the service. */
  victim: string
  data: string
  backups: string
  /** Commands in it come first. */
  bin: string
}

/** The folders of an installation, which the service's user may write, and beside them a file that it may not. */
async function machine(): Promise<Machine> {
  const dir = await tempDirOnDisk()
  const path = (name: string) => join(dir, name)
  chmodSync(dir, 0o755)
  for (const name of ['bin', 'data', 'backups', 'program/bin', 'program/systemd']) {
    mkdirSync(path(name), { recursive: true })
  }
  for (const name of ['data', 'backups']) chownSync(path(name), UID, GID)
  writeFileSync(path('victim'), 'of root', { mode: 0o600 })
  standIn(path('bin'), 'systemctl', `echo ${USER}`)
  symlinkSync(process.execPath, path('program/bin/node'))
  writeFileSync(path('program/systemd/sold-since.mjs'), '')
  copyFileSync(inProject('systemd/prune-backups'), path('program/systemd/prune-backups'))
  const postinst = (call: string, variables: Record<string, string> = {}) => {
    const set = { PROGRAM: path('program'), BACKUPS: path('backups'), ...variables }
    const lines = Object.keys(set).map((name) => `${name}=$GIVEN_${name}`)
    const script = [`. '${inProject('scripts/package/debian/postinst')}'`, ...lines, call].join('\n')
    const env = Object.fromEntries(Object.entries(set).map(([name, value]) => [`GIVEN_${name}`, value]))
    return runWith(path('bin'), '/bin/sh', ['-c', script, 'postinst', 'no-such-word'], env)
  }
  return { postinst, victim: path('victim'), data: path('data'), backups: path('backups'), bin: path('bin') }
}

const asUser = (script: string) => execFileSync('setpriv', [...DROPPED, 'sh', '-c', script], { cwd: '/' })
const DROPPED = [`--reuid=${UID}`, `--regid=${GID}`, '--clear-groups', '--']
const mayDropRights =
  process.getuid?.() === 0 && spawnSync('setpriv', [...DROPPED, 'true'], { stdio: 'ignore' }).status === 0

const before = (version: string, day: string) => `before-${version}-${day}T000000Z.db`

describe.skipIf(!mayDropRights)('what the service could lay in the way of a script that root runs', () => {
  test('a backup whose name holds spaces makes root remove nothing elsewhere', async () => {
    const { postinst, victim, backups } = await machine()
    // Split at its spaces: the folder, the file of root's, and the rest.
    const trap = `${join(backups, 'a ')}${victim} /${before('1', '20200101')}`
    asUser(`mkdir -p '${dirname(trap)}' && : > '${trap}' && cd '${backups}' && : > 'before-1 ${'x'.repeat(3)}.db'`)
    const kept = ['20260103', '20260104', '20260105'].map((day) => before('2.0', day))
    for (const name of [
      ...kept,
      before('9.0', '20260101'),
      `${before('9.0', '20260101')}-wal`,
      before('1.0', '20260102'),
    ])
      asUser(`: > '${join(backups, name)}'`)
    expect(postinst('prune_backups')).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(victim, 'utf8')).toBe('of root')
    expect(readdirSync(backups).sort()).toEqual(['a ', 'before-1 xxx.db', ...kept])
  })

  test('a link that is planted as fiskd.db.restoring makes root overwrite and give away nothing', async () => {
    const { postinst, victim, data, backups } = await machine()
    const backup = join(backups, before('1.0', '20260101'))
    asUser(
      `echo backup > '${backup}' && echo migrated > '${data}/fiskd.db' && ln -s '${victim}' '${data}/fiskd.db.restoring'`,
    )
    const given = { report: JSON.stringify({ data_dir: data }), backup }
    expect(postinst('put_database_back', given)).toMatchObject({ code: 0, stderr: '' })
    expect([readFileSync(victim, 'utf8'), statSync(victim).uid]).toEqual(['of root', 0])
    expect(readFileSync(join(data, 'fiskd.db'), 'utf8')).toBe('backup\n')
    const restored = lstatSync(join(data, 'fiskd.db'))
    expect([restored.isFile(), restored.uid, restored.mode & 0o777]).toEqual([true, UID, 0o600])
    const [aside = ''] = readdirSync(data).filter((name) => name.startsWith('fiskd.db.upgraded-'))
    expect(readFileSync(join(data, aside), 'utf8')).toBe('migrated\n')
    expect(existsSync(join(data, 'fiskd.db.restoring'))).toBe(false)
  })

  test('a report that names a folder of root makes it change nothing there', async () => {
    const { postinst, victim, backups } = await machine()
    const folder = join(dirname(victim), 'private')
    mkdirSync(folder)
    writeFileSync(join(folder, 'fiskd.db'), 'of root')
    const backup = join(backups, before('1.0', '20260101'))
    asUser(`echo backup > '${backup}'`)
    const given = { report: JSON.stringify({ data_dir: folder }), backup }
    expect(postinst('put_database_back', given).code).toBe(1)
    expect(readdirSync(folder)).toEqual(['fiskd.db'])
    expect(readFileSync(join(folder, 'fiskd.db'), 'utf8')).toBe('of root')
  })

  test.skipIf(skipWithout('systemd-creds'))(
    'a vault key that becomes a link while it is sealed shows no file of root',
    async () => {
      const { data, bin, victim } = await machine()
      const key = join(data, 'vault.key')
      writeFileSync(victim, Buffer.alloc(32, 7), { mode: 0o600 })
      asUser(`head -c 32 /dev/zero > '${key}'`)
      const root = dirname(victim)
      standIn(bin, 'systemctl', `[ "$1" != is-active ] || ln -sf '${victim}' '${key}'`)
      const ran = runWith(bin, inProject('systemd/seal-vault-key'), [], {
        ...{ FISKD_DATA_DIR: data, CREDSTORE: join(root, 'store'), CREDENTIALS: join(root, 'run'), PATIENCE_S: '0' },
        ...{ SYSTEMD_CREDENTIAL_SECRET: join(root, 'secret'), FISK: standIn(bin, 'fisk', 'true') },
      })
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain('does not open to the same key')
      expect(readdirSync(join(root, 'store'))).toEqual([])
      expect(readFileSync(victim).equals(Buffer.alloc(32, 7))).toBe(true)
    },
  )
})

test('a link in the place of a backup, or of its log, is not opened for the service to read', async () => {
  const dir = await tempDirOnDisk()
  writeFileSync(join(dir, 'secret'), 'of root')
  symlinkSync(join(dir, 'secret'), join(dir, 'copy.db'))
  expect(() => openInput('file', join(dir, 'copy.db'))).toThrow('is no regular file')
  expect(() => openInput('file', dir)).toThrow('is no regular file')
  execFileSync('mkfifo', [join(dir, 'pipe')])
  expect(() => openInput('file', join(dir, 'pipe'))).toThrow('is no regular file')
})
