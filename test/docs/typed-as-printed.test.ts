import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { skipWithout } from '../support/tools.ts'
import { isTyped, type Printed, REASONS, readPage, readText, shapeOf } from './support/pages.ts'
import { makePlace, type Place, type Said, type Terminal } from './support/place.ts'

/** What a reader puts in the place of a word: itself, the last match in what was shown, or what a command says. */
type Filled = string | RegExp | { typed: string }

/** What is known of a command. One that is not in the table is typed as it is, and ends with 0. */
interface Step {
  code?: number
  says?: RegExp
  /** The package, apt or systemd is needed: `npm run trial` types it. */
  trial?: true
  /** Another page has it, too, and there it is typed. */
  on?: string
  /** What has happened by then that no page tells to type. */
  before?: string
  /** In another machine's terminal: the central server. */
  at?: 'office'
  /** What is typed at its questions: those of a terminal, or those that it reads. */
  answers?: [question: string, answer: string][]
  input?: string
  /** It goes on, in a terminal of its own, once it has said this. */
  starts?: RegExp
  /** Ctrl-C ends it then. */
  stops?: true
  /** It stands above what it needs. */
  last?: true
}

interface Page {
  counts: Partial<Record<'typed' | 'trial' | 'on' | (typeof REASONS)[number], number>>
  fills: Record<string, Filled>
  steps: Record<string, Step>
}

const DOCUMENTS = ['README.md', 'docs/server.md', 'docs/technician.md', 'docs/firmware.md', 'docs/office.md']
const printedOn = (path: string) => readPage(path).printed
const everywhere = DOCUMENTS.flatMap(printedOn)

const DOWN = '\u001b[B'
const OIB = '02994650199'
const DEVICE = { typed: "fisk --json device list | member '.data[0].id'" }
const ID = { typed: "fisk --json invoice list --limit 1 | member '.data[0].id'" }
/** The one command of all pages that begins so. */
function lineStarting(beginning: string): string {
  return everywhere.find(({ line }) => line.startsWith(beginning))?.line ?? beginning
}

/** Begins a minute, in the offset of the pages' examples, that is over. */
const MINUTE = new Date(Date.now() + 59 * 60_000).toISOString().slice(0, 17)
const EXAMPLE = { '6f1c2f7e-3f0a-4a53-9d0e-2f6b7c1d8e90': DEVICE, '2026-11-23T14:05:': MINUTE }

/** The questions of `fisk init` at a machine with nothing, and what its technician has at hand. */
const INIT: Step['answers'] = [
  ['OIB of the company', OIB],
  ['Name of the company', 'Samoposluga d.o.o.'],
  ['Which tax authority service', ''],
  ['VAT rate of its sales', ''],
  ['CA certificates of', DOWN],
  ['Files with CA', 'bundle.pem'],
  ['PKCS#12 file', 'fiskal1.p12'],
  ['Passphrase', 'PASSPHRASE'],
  ['Label of the machine', 'Kavomat 1'],
  ['Business premises code', 'POSL1'],
  ['ISU number', '12345'],
  ['with a deposit', 'n'],
  ['Is there one', ''],
  ['Seat of the company', 'Ilica 1, 10000 Zagreb'],
  ['Where does the machine stand', 'Ilica 1, Zagreb'],
]

const PAGES: Record<string, Page> = {
  'README.md': {
    counts: {},
    fills: { 'fisk_test_...': /fisk_test_[\w-]+/, '...': /device_id +([\w-]{36})/, ...EXAMPLE },
    steps: {
      [lineStarting('curl --cacert ca.pem')]: { last: true, before: 'cp data/gateway/tls/ca.pem . && UUID=$(cat /proc/sys/kernel/random/uuid)' },
      'npm run demo -- --stay': { starts: /Dashboard: .*\n\n/, stops: true },
      'sudo apt install ./fiskd_1.0.0_arm64.deb': { trial: true },
      'sudo fisk init': { on: 'docs/technician.md' },
      'npm run simulator': { starts: /Ctrl-C ends it.*\n/ },
      'npm run build && FISKD_DATA_DIR=./data/gateway node bin/fiskd.js': { starts: /"msg":"ready"/ },
    },
  },
  'docs/server.md': {
    counts: {},
    fills: { TOKEN: /[\w-]{50,}/, 'https://fiskd.example.hr:8443': 'https://localhost:8444', OIB, ADDRESS: 'maja@example.hr', NAME: 'kiosk-7', FILE: '/root/copy.db' },
    steps: {
      'FISKD_ROLE=server FISKD_DATA_DIR=./data/server FISKD_LISTEN=127.0.0.1:8444 node bin/fiskd.js': { starts: /"msg":"ready"/ },
      'fisk user add NAME --role viewer --email ADDRESS --password-stdin': { at: 'office', input: 'a long password of hers\n' },
    },
  },
  'docs/technician.md': {
    counts: {},
    fills: { 'https://fiskd.example.hr:8443': 'https://fiskd.example.hr:8443', URL: 'https://fiskd.example.hr:8443', TOKEN: /[\w-]{50,}/, OIB, DEVICE, ID, PREMISES: 'POSL1', 'FILE.csv': 'machines.csv', FILES: 'bundle.pem', LINE: 'file:/var/paper', PROFILE: 'epson-tm-t20', FILE: '/root/a.db', NUMBER: '100', '@2026': `@${new Date().getFullYear()}` , '--trust-fetch': '--trust-file bundle.pem' },
    steps: {
      'sudo apt install ./fiskd_1.0.0_arm64.deb': { trial: true },
      'sudo fisk init': { before: 'systemctl start fiskd', answers: INIT },
      'sudo usermod -aG fiskd NAME': { trial: true },
      'sudo apt update && sudo apt install fiskd unattended-upgrades': { trial: true },
      'FISKD_PURGE_RECORDS=yes apt purge fiskd': { trial: true },
      'apt install fiskd=1.0.0': { trial: true },
      'apt-mark hold fiskd': { trial: true },
    },
  },
  'docs/firmware.md': {
    counts: {},
    fills: { OIB, DEVICE, ...EXAMPLE },
    steps: {},
  },
  'docs/office.md': {
    counts: {},
    fills: { OIB, NAME: 'ana@example.hr', ID: { typed: "fisk --json alert list | member '.data[0].id'" } },
    steps: {},
  },
}

const TRIAL = readdirSync(inProject('scripts/trial'))
  .map((file) => readFileSync(inProject(`scripts/trial/${file}`), 'utf8'))
  .join('\n')

/** Part of a longer command, or said before: prose about a command that its page tells to type elsewhere. */
function isMention({ line, isSpan }: Printed, at: number, all: readonly Printed[]): boolean {
  const plain = line.replace('sudo ', '')
  const isWithin = ({ line: other }: Printed) => other !== line && ` ${other} `.includes(` ${plain} `)
  return isSpan && (everywhere.some(isWithin) || all.slice(0, at).some((other) => other.line === line))
}

/** How a test meets each command of a page, with those last that stand above what they need. */
function planOf(path: string): { one: Printed; step: Step; how: keyof Page['counts'] }[] {
  const plan = printedOn(path)
    .filter((one, at, all) => !isMention(one, at, all))
    .map((one) => {
      const step = PAGES[path]?.steps[one.line] ?? {}
      const how = step.trial ? 'trial' : step.on ? 'on' : ((one.mark as (typeof REASONS)[number]) ?? 'typed')
      return { one, step, how } as const
    })
  return [...plan.filter(({ step }) => !step.last), ...plan.filter(({ step }) => step.last)]
}

/** Types every command of a page. @returns what went otherwise than the page says */
async function readAndType(path: string, place: Place, terminal: Terminal, others: { env?: Record<string, string> } = {}) {
  const wrong: string[] = []
  for (const { one, step, how } of planOf(path)) {
    if (how !== 'typed') continue
    if (step.before !== undefined) await must(terminal, step.before)
    const command = await fill(one.text, path, place, terminal)
    const said = await typeIt(step.at === 'office' ? `(export FISKD_DATA_DIR=/var/office; ${command})` : command)
    console.log(`--- ${path} ${one.line}\n    ${command} => ${said.code}\n${said.out.slice(-1500)}`)
    const { code = 0, says } = step
    if (said.code !== code) wrong.push(`${one.line} ended with ${said.code}: ${said.out}`)
    if (says && !says.test(said.out)) wrong.push(`${one.line} did not say ${says}: ${said.out}`)
    if (one.answer && said.code === 0) expect.soft(shapeOf(said.out), one.line).toEqual(shapeOf(one.answer))

    async function typeIt(text: string): Promise<Said> {
      if (step.answers) return terminal.answer(text, step.answers)
      if (!step.starts) return terminal.type(text, step.input)
      const own = place.open(place.checkout, others.env)
      // What the program that it needs has told to paste.
      for (const line of place.shown().match(/^ {2}export .*$/gm) ?? []) await must(own, line)
      const started = await own.start(text, step.starts)
      return step.stops ? own.interrupt() : started
    }
  }
  return wrong
}

async function must(terminal: Terminal, command: string): Promise<string> {
  const { code, out } = await terminal.type(command)
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${out}`)
  return out.trim()
}

async function fill(text: string, path: string, place: Place, terminal: Terminal): Promise<string> {
  let filled = text
  for (const [word, value] of Object.entries(PAGES[path]?.fills ?? {})) {
    const at = /^\w+$/.test(word) ? new RegExp(`(?<![\\w$./-])${word}(?![\\w=])`, 'g') : word
    if (filled.search(at) < 0 && !filled.includes(word)) continue
    filled = filled.replaceAll(at, await valueOf(value))
  }
  return filled

  async function valueOf(value: Filled): Promise<string> {
    if (typeof value === 'string') return value
    if (!(value instanceof RegExp)) return must(terminal, value.typed)
    const found = [...place.shown().matchAll(new RegExp(value, 'g'))].at(-1)
    if (!found) throw new Error(`nothing has shown ${value}`)
    return found[1] ?? found[0]
  }
}

const mayNot = spawnSync('unshare', ['-rnmp', '--fork', '--mount-proc', 'true']).status !== 0 || skipWithout('ip', 'curl', 'script')

test.skipIf(mayNot)('an author of firmware types README, and goes on to a central server', async () => {
  const place = await makePlace({ isBuilt: false })
  const terminal = place.open(place.checkout)
  expect(await readAndType('README.md', place, terminal)).toEqual([])
  expect(await readAndType('docs/server.md', place, terminal)).toEqual([])
})

test.skipIf(mayNot)('a technician types', async () => {
  const place = await makePlace({ isBuilt: true })
  const authority = place.open(place.checkout)
  await authority.start('npm run simulator', /Ctrl-C ends it/)
  const terminal = place.open(place.checkout)
  await must(terminal, 'cd "$(mktemp -dp /var Tehničar.XXX)" && cp ~-/data/simulator/* . && mv company.p12 fiskal1.p12 && mv company.passphrase passphrase.txt')
  expect(await readAndType('docs/technician.md', place, terminal)).toEqual([])
  expect(await readAndType('docs/firmware.md', place, terminal)).toEqual([])
  expect(await readAndType('docs/office.md', place, terminal)).toEqual([])
})
