import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { DIST } from '../../support/programs.ts'
import { inProject, standIn } from '../../support/stand-in.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A reader's machine: the folders of the system, loopback, its ports and processes are its own. */
export interface Place {
  /** A checkout, with a blank and a letter in its path that ASCII lacks. */
  checkout: string
  /** Everything that any terminal has shown so far. */
  shown(): string
  /** A shell that keeps its variables and its folder. */
  open(folder: string, env?: Record<string, string>): Terminal
}

export interface Terminal {
  /** What is typed; `input` waits behind it for a command that reads. @returns its exit code, and what it said */
  type(command: string, input?: string): Promise<Said>
  /** Types what goes on until Ctrl-C. @returns when it has said that */
  start(command: string, ready: RegExp): Promise<Said>
  /** Types what asks: waits for each question, and types the answer. */
  answer(command: string, dialogue: readonly (readonly [question: string, answer: string])[]): Promise<Said>
  interrupt(): Promise<Said>
}

export interface Said {
  code: number
  out: string
}

/** Folders of the system that commands write to. What they hold at first is made by `IN_PLACE` and the table of stand-ins. */
const OWN_FOLDERS = ['etc', 'root', 'run', 'var']

/** What programs read in `/etc`, where there is such a thing. */
const ETC = ['passwd', 'group', 'hosts', 'nsswitch.conf', 'ld.so.cache', 'ssl', 'localtime', 'alternatives', 'apt']

/** For a command on a busy machine; the slowest one builds everything. */
const MOST_MS = 300_000

const IN_PLACE = `set -e
place=$1 checkout=$2 modules=$3
mount --bind "$modules" "$checkout/node_modules"
for own in ${OWN_FOLDERS.join(' ')}; do mount --bind "$place/$own" /$own; done
ip link set lo up
echo up
sleep infinity & wait`

/**
 * What is outside of fiskd. root is who reads already. The unit of the package is its variables. What is downloaded lies in
 * a folder, and what npm would install is there.
 */
const STAND_INS: Record<string, string> = {
  sudo: 'case $1 in *=*) exec env "$@";; esac; exec "$@"',
  wget: 'while [ $# -gt 0 ]; do case $1 in -P) to=$2; shift;; *) url=$1;; esac; shift; done; cp "/root/outside/$(basename "$url")" "$to/"',
  poweroff: '',
  man: 'head -1 "$MANPATH/$1".[1-8]',
  // A member of what a command says as JSON.
  member: `exec node -p "JSON.parse(require('fs').readFileSync(0))$1"`,
  // A gateway that waits until its server knows everything.
  told: `fisk sync now; for i in $(seq 60); do fisk --json sync status | grep -q '"waiting": 0' && exit 0; sleep 0.1; done; exit 1`,
  // The central server of this machine's owner, elsewhere.
  office: `export FISKD_ROLE=server FISKD_DATA_DIR=$OFFICE FISKD_LISTEN=127.0.0.2:8443 FISKD_TLS_NAMES=fiskd.example.hr
[ "$1" = start ] || exec "$@"
setsid fiskd > /var/log-of-office 2>&1 < /dev/null &
for i in $(seq 600); do grep -q '"msg":"ready"' /var/log-of-office && exit 0; sleep 0.1; done; cat /var/log-of-office; exit 1`,
  systemctl: `pid=/run/unit.pid
case "$1 $2" in
  'stop fiskd') [ -e $pid ] || exit 0; kill "$(cat $pid)"; while kill -0 "$(cat $pid)"; do sleep 0.1; done 2> /dev/null; rm $pid ;;
  'start fiskd') . /etc/fiskd/unit; mkdir -p /run/fiskd; setsid fiskd > /var/log-of-unit 2>&1 < /dev/null & echo $! > $pid
    for i in $(seq 600); do grep -q '"msg":"ready"' /var/log-of-unit && exit 0; sleep 0.1; done; cat /var/log-of-unit; exit 1 ;;
  --failed*) ;;
  *) exit 3 ;;
esac`,
}

/** What dpkg knows of the package. */
const INSTALLED = `Package: fiskd
Status: install ok installed
Maintainer: fiskd
Architecture: all
Version: ${JSON.parse(readFileSync(inProject('package.json'), 'utf8')).version}
Description: fiskd\n`

/** The unit of the package, as far as it is variables. */
const UNIT = `export FISKD_DATA_DIR=/var/lib/fiskd FISKD_SOCKET=/run/fiskd/fiskd.sock FISKD_CA_FILE=/var/lib/fiskd-ca/ca.pem
export FISKD_CIS_TEST_URL=https://localhost:8449/FiskalizacijaServiceTest\n`

export async function makePlace({ isBuilt }: { isBuilt: boolean }): Promise<Place> {
  const dir = join(await tempDir(), 'Čitateljev stroj')
  const checkout = join(dir, 'Moji projekti', 'fiskd č')
  const bin = join(dir, 'bin')
  for (const folder of [bin, join(checkout, 'node_modules'), ...OWN_FOLDERS.map((own) => join(dir, own))]) {
    mkdirSync(folder, { recursive: true })
  }
  copyProject(checkout)
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  const scripts = { ...STAND_INS, npm: `[ "$1" != ci ] || exec test -e package-lock.json; exec ${npm} "$@"` }
  for (const [name, script] of Object.entries(scripts)) standIn(bin, name, script)
  // What of the system's own is read. No machine with systemd: what stands for it is a process.
  execFileSync('sh', [
    '-c',
    `cd /etc && cp -a ${ETC.join(' ')} "$1" 2> /dev/null; mkdir -p "$1/fiskd" "$1/apt/keyrings"`,
    'sh',
    join(dir, 'etc'),
  ])
  for (const folder of [
    'var/lib/dpkg',
    'var/cache/apt/archives/partial',
    'var/lib/apt/lists/partial',
    'var/log/apt',
    'var/backups',
    'root/outside',
  ]) {
    mkdirSync(join(dir, folder), { recursive: true })
  }
  writeFileSync(join(dir, 'var/lib/dpkg/status'), INSTALLED)
  for (const name of ['fiskd-archive-keyring.gpg', 'fiskd.sources']) writeFileSync(join(dir, 'root/outside', name), '')
  writeFileSync(join(dir, 'root/.curlrc'), '-sS\n')
  writeFileSync(join(dir, 'etc/machine-id'), '0123456789abcdef0123456789abcdef\n')
  const program = isBuilt ? join(DIST, '..') : checkout
  for (const name of ['fisk', 'fiskd']) standIn(bin, name, `exec ${process.execPath} '${program}/bin/${name}.js' "$@"`)
  for (const folder of ['fiskd', 'fiskd-ca']) mkdirSync(join(dir, 'var/lib', folder))
  writeFileSync(join(dir, 'etc/fiskd/unit'), UNIT)
  appendFileSync(join(dir, 'etc/hosts'), '127.0.0.2 fiskd.example.hr\n')
  const pid = await enterable(dir, checkout)
  const path = `${bin}:${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`
  const env = {
    PATH: path,
    HOME: '/root',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    MANPATH: join(checkout, 'man'),
    CHECKOUT: checkout,
    OFFICE: isBuilt ? '/var/office' : './data/server',
  }
  const shown: string[] = []
  return {
    checkout,
    shown: () => shown.join(''),
    open: (folder, more = {}) => openTerminal(pid, folder, { ...env, ...more }, (text) => shown.push(text)),
  }
}

function copyProject(to: string): void {
  const list = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: inProject('.'),
    encoding: 'utf8',
  })
  for (const file of list.split('\0').filter((name) => name !== '' && !name.startsWith('docs/screenshots/'))) {
    cpSync(inProject(file), join(to, file), { recursive: true })
  }
}

/** @returns the process in whose namespaces everything of the place runs; all of it ends with the test */
async function enterable(dir: string, checkout: string): Promise<number> {
  const flags = ['-rnmp', '--fork', '--kill-child', '--mount-proc']
  const holder = spawn('unshare', [...flags, 'bash', '-c', IN_PLACE, 'place', dir, checkout, inProject('node_modules')])
  onTestFinished(() => void holder.kill('SIGKILL'))
  let said = ''
  for (const stream of [holder.stdout, holder.stderr]) stream.on('data', (text) => (said += text))
  await eventually(() => {
    if (!said.startsWith('up')) throw new Error(`no place of its own: ${said}`)
  })
  return Number(readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8'))
}

function openTerminal(
  pid: number,
  folder: string,
  env: Record<string, string>,
  show: (text: string) => void,
): Terminal {
  /** Each in the folder, which is another one before the mounts of the place. */
  const enter = (script: string) => {
    const into = ['-t', String(pid), '-U', '-n', '-m', '-p', '--preserve-credentials']
    return spawn('nsenter', [...into, 'bash', '-c', `cd "$1" && ${script}`, 'bash', folder], { env })
  }
  const shell = enter('exec bash --norc 2>&1')
  const screen = watch(shell, show)
  shell.stdin.write('set -m\n')
  let typed = 0
  let job: { group: string; end: RegExp } | undefined
  /** A command as it is, with all its quotes. */
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const ending = () => new RegExp(`\n@${++typed} (\\d+)\n`)

  return {
    async type(command, input = '') {
      const end = ending()
      shell.stdin.write(`eval ${quoted(command)} < <(printf %s ${quoted(input)}); printf '\\n@%s %s\\n' ${typed} $?\n`)
      return screen.until(end)
    },
    async start(command, ready) {
      const end = ending()
      shell.stdin.write(
        `eval ${quoted(command)} < /dev/null & echo "@job $!"; wait $!; printf '\\n@%s %s\\n' ${typed} $?\n`,
      )
      const { out } = await screen.until(new RegExp(`${ready.source}|${end.source}`, ready.flags))
      job = { group: /@job (\d+)/.exec(out)?.[1] ?? '', end }
      return { code: ready.test(out) ? 0 : 1, out }
    },
    async interrupt() {
      enter(`kill -INT -- -${job?.group}`)
      return screen.until(job?.end ?? /$/)
    },
    async answer(command, dialogue) {
      const person = enter(`exec script -qefc ${quoted(`stty cols 100; ${command}`)} /dev/null`)
      const seen = watch(person, show)
      const closed = once(person, 'close')
      for (const [question, answer] of dialogue) {
        // Where it can be answered: prose above it may say the same.
        await seen.until(new RegExp(`◆[^◆]*${question}`))
        person.stdin.write(`${answer}\r`)
      }
      const ended = await Promise.race([closed, pause(MOST_MS)])
      if (!ended) throw new Error(`it goes on after the last answer: ${seen.rest()}`)
      const [code] = ended
      return { code, out: seen.rest() }
    },
  }
}

/** What a process says. Each `until` begins where the one before it has ended. */
function watch(child: ChildProcessWithoutNullStreams, show: (text: string) => void) {
  let said = ''
  let from = 0
  let isOver = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += stripVTControlCharacters(text)
      show(text)
    })
  }
  child.on('close', () => {
    isOver = true
  })
  return {
    rest: () => said,
    async until(wanted: RegExp): Promise<Said> {
      const look = () => wanted.exec(said.slice(from)) ?? undefined
      await vi.waitUntil(() => look() ?? isOver, { timeout: MOST_MS, interval: 20 }).catch(() => {})
      const found = look()
      if (!found) throw new Error(`it never said ${wanted}, but: ${said.slice(from)}`)
      const [whole, code] = found
      const end = from + found.index
      // Of what was waited for, all but the code belongs to what it said.
      const out = said.slice(from, code === undefined ? end + whole.length : end)
      from = end + whole.length
      return { code: Number(code), out }
    },
  }
}
