import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DiagnosisView } from '../../src/contract/admin/diagnosis.ts'
import type { SaidCheck } from '../../src/domain/check.ts'
import { type AdminStub, startAdminStub } from './admin-stub.ts'
import { inEnglish } from './diagnosis.ts'
import { fisk, type Ran } from './fisk.ts'
import { FISKD } from './programs.ts'

type Properties = Record<string, string>

/**
 * A machine on which fiskd is installed as a service, as `fisk` sees it: `/proc`, `/sys` and `/run` are folders, and
 * stand-ins for the programs of the operating system say what those say on Debian. Healthy until a test changes it.
 */
export interface Host {
  stub: AdminStub
  /** Writes a file such as `sys/class/thermal/thermal_zone0/temp`. */
  write(path: string, text: string): void
  remove(path: string): void
  /** Where a file of this machine really is. */
  path(name: string): string
  /** Changes properties of a unit; null: it is not installed. */
  unit(name: string, changes: Properties | null): void
  /** What `journalctl --output=cat` shows of the service. */
  journal(text: string): void
  /** Groups of the user fiskd; null: there is no such user. */
  groups(names: string | null): void
  /** `fisk doctor` in this machine. */
  doctor(...args: string[]): Promise<Ran>
  checks(): Promise<SaidCheck[]>
  /** Puts everything back as it was. */
  heal(): void
}

/** As systemd 252 shows a unit of this package that runs. */
const SERVICE = {
  Restart: 'always',
  NotifyAccess: 'all',
  WatchdogUSec: '1min',
  Result: 'success',
  NRestarts: '0',
  ExecMainCode: '0',
  ExecMainStatus: '0',
  User: 'fiskd',
  SupplementaryGroups: 'dialout lp',
  Id: 'fiskd.service',
  LoadState: 'loaded',
  ActiveState: 'active',
  SubState: 'running',
  DropInPaths: '',
  UnitFileState: 'enabled',
  NeedDaemonReload: 'no',
  StartLimitIntervalUSec: '0',
}
const TIMER = {
  Result: 'success',
  LoadState: 'loaded',
  ActiveState: 'active',
  SubState: 'waiting',
  UnitFileState: 'enabled',
}
const TIMESYNCD = { ...SERVICE, Id: 'systemd-timesyncd.service', User: 'systemd-timesync', SupplementaryGroups: '' }

/** `show` answers for a unit that is not there, too, and ends well; properties come in an order of its own. */
const SYSTEMCTL = `#!/bin/sh
[ "$1" = show ] || exit 64
shift
first=yes
for arg in "$@"; do
  case "$arg" in
    --no-pager) ;;
    --property=*) wanted=",\${arg#--property=}," ;;
    *)
      [ $first = yes ] || echo
      first=no
      file="ROOT/units/$arg"
      [ -e "$file" ] || file="ROOT/units/.not-found"
      while IFS= read -r line; do
        case "$wanted" in *",\${line%%=*},"*) printf '%s\\n' "$line" ;; esac
      done < "$file"
      ;;
  esac
done
`
const NOT_FOUND = {
  Result: 'success',
  LoadState: 'not-found',
  ActiveState: 'inactive',
  SubState: 'dead',
  Restart: 'no',
}

const JOURNALCTL = `#!/bin/sh
case " $* " in *" --unit=fiskd.service "*) cat "ROOT/journal" ;; esac
`
const GETENT = `#!/bin/sh
[ "$1 $2" = "passwd fiskd" ] && [ -e ROOT/groups ] || exit 2
echo fiskd:x:990:990::/var/lib/fiskd:/usr/sbin/nologin
`
const ID = `#!/bin/sh
[ "$1 $2" = "-nG fiskd" ] && cat ROOT/groups && exit 0
echo "id: '$2': no such user" >&2
exit 1
`

/** @param atTheEnd when the machine goes */
export async function startHost(atTheEnd: (close: () => Promise<void>) => void): Promise<Host> {
  const root = await mkdtemp(join(tmpdir(), 'fiskd-host-'))
  const stub = await startAdminStub()
  atTheEnd(async () => {
    await stub.close()
    await rm(root, { recursive: true })
  })
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode })
  }
  const units: Record<string, Properties> = {}
  const host: Host = {
    stub,
    write,
    path: (name) => join(root, name),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    unit(name, changes) {
      if (changes === null) return rmSync(join(root, 'units', name), { force: true })
      const lines = Object.entries({ ...units[name], ...changes }).map(([key, value]) => `${key}=${value}\n`)
      write(`units/${name}`, lines.join(''))
    },
    journal: (text) => write('journal', text),
    groups: (names) => (names === null ? host.remove('groups') : write('groups', `${names}\n`)),
    doctor: (...args) =>
      fisk(['doctor', ...args], {
        socket: stub.socket,
        env: { PATH: `${root}/bin:${process.env.PATH}`, FISKD_ENV_FILE: `${root}/fiskd.env`, FISKD_DATA_DIR: root },
        paths: {
          systemd: join(root, 'systemd'),
          proc: join(root, 'proc'),
          sys: join(root, 'sys'),
          run: root,
          fstab: join(root, 'fstab'),
        },
        fiskd: FISKD,
      }),
    checks: async () => inEnglish((JSON.parse((await host.doctor('--json')).stdout) as DiagnosisView).checks),
    heal() {
      for (const path of ['units', 'proc', 'sys', 'systemd', 'journal', 'fiskd.env', 'fiskd.db', 'fiskd.pid', 'udev']) {
        rmSync(join(root, path), { recursive: true, force: true })
      }
      rmSync(join(root, 'fstab'), { force: true })
      cpSync(PI, root, { recursive: true })
      mkdirSync(join(root, 'systemd'))
      write(
        'units/.not-found',
        Object.entries(NOT_FOUND)
          .map(([key, value]) => `${key}=${value}\n`)
          .join(''),
      )
      for (const name of Object.keys(units)) host.unit(name, {})
      host.journal('')
      host.groups('fiskd dialout lp')
    },
  }
  Object.assign(units, {
    'fiskd.service': SERVICE,
    'fiskd-backup.timer': TIMER,
    'systemd-timesyncd.service': TIMESYNCD,
    // Without its package systemd knows nothing of it; a test that needs it running says so.
  })
  for (const [name, text] of Object.entries({ systemctl: SYSTEMCTL, journalctl: JOURNALCTL, getent: GETENT, id: ID })) {
    write(`bin/${name}`, text.replaceAll('ROOT/', `${root}/`), 0o755)
  }
  stub.answer('GET /admin/doctor', { status: 200, body: { ok: true, checks: [] } })
  host.heal()
  return host
}

/** `/proc` and `/sys` of a Raspberry Pi 4 with an eMMC. */
const PI = join(import.meta.dirname, 'machine')
