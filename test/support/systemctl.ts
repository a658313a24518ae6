import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { FISKD } from './programs.ts'
import { tempDir } from './temp-dir.ts'

/** A machine on which a stand-in for systemd runs fiskd, configured by a file of its own. */
export interface ServiceMachine {
  dir: string
  envFile: string
  socket: string
  /** For `fisk`: it finds the stand-in and the file. */
  around: {
    env: Record<string, string>
    paths: { systemd: string }
    fiskd: string
  }
  /** What systemctl was asked for so far. */
  asked(): string[]
}

/** As systemd would: with the variables of the file, the old process ended first, done when the new one is ready. */
const systemctl = (dir: string) => `#!/bin/sh
cd ${dir}
echo "$*" >> asked
case "$1" in cat | --no-block) exit 0 ;; esac
command=$1
for unit in "$@"; do :; done
instance=\${unit#fiskd}
pid=pid$instance
log=log$instance
if [ -f "$pid" ]; then
  kill "$(cat "$pid")" 2>/dev/null
  while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.02; done
  rm "$pid"
fi
[ "$command" != disable ] || exit 0
unset FISKD_DATA_DIR
set -a
. ./fiskd.env
[ -z "$instance" ] || . "./$unit.env"
set +a
unset FISKD_ENV_FILE
: > "$log"
setsid "${process.execPath}" "${FISKD}" > "$log" 2>&1 &
echo $! > "$pid"
until grep -q '"msg":"ready"' "$log"; do
  kill -0 "$(cat "$pid")" 2>/dev/null || { rm "$pid"; echo "Job for $unit.service failed." >&2; exit 1; }
  sleep 0.02
done
`

/** What was logged, as journalctl shows it. */
const journalctl = (dir: string) => `#!/bin/sh\n[ "$1" = -u ] && cat "${dir}/log\${2#fiskd}" || cat ${dir}/log\n`

/** @param configuration lines of the file besides what every test needs */
export async function serviceMachine(configuration: string): Promise<ServiceMachine> {
  const dir = await tempDir()
  const envFile = join(dir, 'fiskd.env')
  const dataDir = join(dir, 'data')
  for (const name of ['bin', 'systemd', 'data']) mkdirSync(join(dir, name))
  writeFileSync(envFile, `# Configuration of fiskd\nFISKD_DATA_DIR=${dataDir}\n${configuration}`, { mode: 0o640 })
  writeFileSync(join(dir, 'bin', 'systemctl'), systemctl(dir), { mode: 0o755 })
  writeFileSync(join(dir, 'bin', 'journalctl'), journalctl(dir), { mode: 0o755 })
  onTestFinished(async () => {
    for (const name of readdirSync(dir)) if (/^pid(@\d+)?$/.test(name)) await endOf(join(dir, name))
  })
  return {
    dir,
    envFile,
    socket: join(dataDir, 'fiskd.sock'),
    around: {
      env: {
        PATH: `${join(dir, 'bin')}:${process.env.PATH}`,
        FISKD_ENV_FILE: envFile,
        FISKD_DATA_DIR: dataDir,
      },
      paths: { systemd: join(dir, 'systemd') },
      fiskd: FISKD,
    },
    asked() {
      const path = join(dir, 'asked')
      const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
      return lines.filter((line) => !line.startsWith('cat '))
    },
  }
}

async function endOf(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8'))
  try {
    process.kill(pid, 'SIGKILL')
    for (;;) {
      process.kill(pid, 0)
      await setTimeout(10)
    }
  } catch {
    // It is gone.
  }
}
