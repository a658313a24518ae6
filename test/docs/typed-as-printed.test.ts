import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { skipWithout } from '../support/tools.ts'
import { isTyped, type Printed, type REASONS, readPage, readText, shapeOf } from './support/pages.ts'
import { makePlace, type Place, type Said, type Terminal } from './support/place.ts'

/** What a reader puts in the place of a word: itself, the last match in what was shown, or what a command says. */
type Filled = string | RegExp | { typed: string }

/** Where something else is typed: at the central server, in the checkout. */
const ELSEWHERE = { office: 'export FISKD_DATA_DIR=$OFFICE', checkout: 'cd "$CHECKOUT"' }

/** What is known of a command. One that is not in the table is typed as it is, and ends with 0. */
interface Step {
  /** Any of these, where the machine decides. */
  code?: number | number[]
  says?: RegExp
  /** The package, apt or systemd is needed: `npm run trial` types it. */
  trial?: true
  /** Another page has it, too, and there it is typed. */
  on?: string
  /** What has happened by then that no page tells to type. */
  before?: string
  at?: keyof typeof ELSEWHERE
  /** What is typed at its questions: those of a terminal, or those that it reads. */
  answers?: [question: string, answer: string][]
  input?: string
  /** It goes on, in a terminal of its own, once it has said this. */
  starts?: RegExp
  /** Ctrl-C ends it then. */
  stops?: true
  /** It stands above what it needs. */
  last?: true
  /** Words of this command alone. */
  fills?: Record<string, Filled>
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
/** What asks before it does something, and the answer. */
const YES: Step['answers'] = [['Yes', 'y']]
const TOKEN = /Token, shown only now.*\n\n {2}(\S+)/
const ID = { typed: "fisk --json invoice list --limit 1 | member '.data[0].id'" }
/** What its technician puts into the firmware. */
const FIRMWARE = `export KEY=$(fisk --json key create --mode test --device "Kavomat 1" --name firmware | member .key) DEVICE=$(${DEVICE.typed})`
const SELL = saleOf('now')

function saleOf(when: string): string {
  return `curl --cacert /var/lib/fiskd-ca/ca.pem https://localhost:8443/v1/invoices -H "Authorization: Bearer $KEY" \
  -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" -H 'Content-Type: application/json' \
  -d "{\\"device_id\\":\\"$DEVICE\\",\\"occurred_at\\":\\"$(date -Iseconds -d ${when})\\",\\"total\\":\\"2.50\\",\\"payment_method\\":\\"G\\"}"`
}

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
  ['Passphrase', 'lozinka'],
  ['Label of the machine', 'Kavomat 1'],
  ['Business premises code', 'POSL1'],
  ['ISU number', '12345'],
  ['with a deposit', 'n'],
  ['Is there one', ''],
  ['Its line', 'file:/var/paper'],
  ['What kind of printer', ''],
  ['Are the letters', ''],
  ['Seat of the company', 'Ilica 1, 10000 Zagreb'],
  ['Where does the machine stand', 'Ilica 1, Zagreb'],
]

/** The authority refuses a sale, which is an alert. */
const REFUSED = `curl -k https://localhost:8449/_simulator/misbehave -d '{"behaviours": [{"error": "s001"}]}' && ${SELL}
for i in $(seq 100); do fisk --json alert list | grep -q '"id"' && break; sleep 0.5; done`

/** A day that is over, on paper. */
const YESTERDAY = `${saleOf('yesterday')} && fisk printer set "Kavomat 1" --line file:/var/paper --profile generic && fisk receipt closing --close`

/** A mail server of the office. */
const MAIL = `(cd "$CHECKOUT" && exec setsid node -e "new (require('smtp-server').SMTPServer)({ authOptional: true, disabledCommands: ['STARTTLS'] }).listen(2525)" > /dev/null 2>&1 &)
echo 'export FISKD_SMTP_URL=smtp://127.0.0.1:2525 FISKD_ALERT_TO=ured@example.hr' >> /etc/fiskd/unit && systemctl stop fiskd && systemctl start fiskd`

const REENROL =
  'fisk sync leave --yes && fisk sync enroll https://localhost:8444 "$(office fisk --json gateway add kiosk-7 --again | member .token)" && told'

/** Those of `fisk replace`. */
const REPLACE: Step['answers'] = [
  ['Last receipt of the old machine', 'POSL1=3000'],
  ['CA certificates of', DOWN],
  ['Files with CA', 'bundle.pem'],
  ['PKCS#12 file', 'fiskal1.p12'],
  ['Passphrase', 'lozinka'],
  ['Is it there now', ''],
  ['Are the letters', ''],
]

const PAGES: Record<string, Page> = {
  'README.md': {
    counts: { typed: 13, trial: 1, on: 1, internet: 1, hours: 1 },
    fills: { 'fisk_test_...': /fisk_test_[\w-]+/, '...': /device_id +([\w-]{36})/, ...EXAMPLE },
    steps: {
      [lineStarting('curl --cacert ca.pem')]: {
        last: true,
        before: 'cp data/gateway/tls/ca.pem . && UUID=$(cat /proc/sys/kernel/random/uuid)',
      },
      'npm run demo -- --stay': { starts: /Dashboard: .*\n\n/, stops: true, code: 130 },
      [lineStarting('curl --cacert data/gateway')]: { says: /"status":"confirmed"/ },
      'sudo apt install ./fiskd_1.0.0_arm64.deb': { trial: true },
      'sudo fisk init': { on: 'docs/technician.md' },
      'npm run simulator': { starts: /Ctrl-C ends it.*\n/ },
      'npm run build && FISKD_DATA_DIR=./data/gateway node bin/fiskd.js': { starts: /"msg":"ready"/ },
    },
  },
  'docs/server.md': {
    counts: { typed: 25, container: 16 },
    fills: {
      TOKEN,
      'https://fiskd.example.hr:8443': 'https://localhost:8444',
      OIB,
      ADDRESS: 'maja@example.hr',
      NAME: 'kiosk-7',
      FILE: '/root/copy.db',
      WHAT: 'support-bundle',
      INVOICE: { typed: "office fisk --json invoice list --limit 1 | member '.data[0].id'" },
    },
    steps: {
      'FISKD_ROLE=server FISKD_DATA_DIR=./data/server FISKD_LISTEN=127.0.0.1:8444 node bin/fiskd.js': {
        starts: /"msg":"ready"/,
      },
      'fisk user add NAME --role viewer --email ADDRESS --password-stdin': {
        at: 'office',
        input: 'a long password of hers\n',
      },
      'fisk user reset NAME --password': { at: 'office', answers: [['assword', 'another long password']] },
      'fisk gateway add kiosk-7': {
        at: 'office',
        before: `echo 'export FISKD_LISTEN=127.0.0.1:8450' >> /etc/fiskd/unit && systemctl start fiskd`,
      },
      'fisk gateway revoke kiosk-7': { at: 'office', answers: YES },
      'fisk gateway set kiosk-7 --company OIB': { at: 'office', before: REENROL, answers: YES },
      'fisk gateway list': { at: 'office' },
      'fisk gateway show NAME': { at: 'office' },
      'fisk gateway send NAME WHAT': { at: 'office' },
      'fisk sync status': { says: /connected/ },
      'FISKD_DATA_DIR=./data/gateway node bin/fisk.js sync status': { says: /connected/ },
      'fisk --tenant NAME company set OIB --status archived': {
        at: 'office',
        fills: { NAME: 'default' },
        before: `office fisk company add --oib ${OIB} --name "Samoposluga d.o.o." --vat-rate 25.00`,
        answers: YES,
      },
      'fisk gateway revoke NAME --release': { at: 'office', answers: YES },
      'fisk restore FILE --ask-server': {
        fills: { FILE: '/root/later.db' },
        before: `${REENROL} && fisk backup /root/later.db && systemctl stop fiskd`,
        answers: YES,
      },
      'fisk gateway add NAME --again': { at: 'office' },
      'fisk sync confirm-numbers': { before: 'systemctl start fiskd', answers: [] },
      'fisk gateway accept NAME INVOICE': { at: 'office', code: 1, says: /was\s+refused: see fisk gateway show/ },
    },
  },
  'docs/technician.md': {
    counts: { typed: 51, trial: 4, internet: 2, hand: 1 },
    fills: {
      URL: 'https://fiskd.example.hr:8443',
      TOKEN,
      OIB,
      DEVICE,
      ID,
      PREMISES: 'POSL1',
      'FILE.csv': 'machines.csv',
      FILES: 'bundle.pem',
      LINE: 'file:/var/paper',
      PROFILE: 'epson-tm-t20',
      FILE: '/root/a.db',
      NAME: 'kiosk-7',
      NUMBER: '100',
      '@2026': `@${new Date().getFullYear()}`,
      '--trust-fetch': '--trust-file bundle.pem',
    },
    steps: {
      'sudo apt install ./fiskd_1.0.0_arm64.deb': { trial: true },
      'sudo fisk init': { before: 'systemctl start fiskd', answers: INIT, says: /It can sell now/ },
      'sudo fisk status': { says: /This gateway can sell/ },
      'fisk sync enroll URL TOKEN': { before: 'office start && office fisk gateway add kiosk-7' },
      'fisk isu pending': { before: `${FIRMWARE} && ${SELL} && told` },
      'fisk device import FILE.csv --company OIB': {
        before: `printf '%s\\n' label,premises_code 'Kavomat 1,POSL1' > machines.csv`,
      },
      'fisk company set OIB --logo logo.png': {
        before: `cp "$CHECKOUT/test/receipts/escpos/golden/compact-copy.png" logo.png`,
      },
      'sudo fisk replace https://fiskd.example.hr:8443 TOKEN': {
        before: `systemctl stop fiskd && rm -r /var/lib/fiskd/* && systemctl start fiskd && office fisk gateway add kiosk-7 --again`,
        answers: REPLACE,
      },
      'fisk numbers heal OIB PREMISES': { answers: [] },
      'fisk numbers skip-lost OIB PREMISES': { answers: [] },
      'fisk backup FILE': { before: 'systemctl start fiskd' },
      'sudo fisk restore /root/now.db --highest POSL1@2026=NUMBER': { answers: YES },
      'fisk restore FILE --highest POSL1@2026=1234': { before: 'systemctl stop fiskd', answers: YES },
      'fisk restore FILE --gap 1000': { answers: YES },
      'sudo fisk machine accept': { answers: [] },
      'sudo fisk doctor': { code: [0, 1], says: /CIS test signature +answers are signed/ },
      'fisk gateway add NAME --again': { at: 'office' },
      'sudo fisk prepare-image': { answers: YES },
      'fisk rehearse': { before: 'systemctl start fiskd' },
      'npm pack': { at: 'checkout' },
      'sudo usermod -aG fiskd NAME': { before: 'groupadd -r fiskd', fills: { NAME: 'nobody' } },
      'sudo apt update && sudo apt install fiskd unattended-upgrades': { trial: true },
      'FISKD_PURGE_RECORDS=yes apt purge fiskd': { trial: true },
    },
  },
  'docs/firmware.md': {
    counts: { typed: 4 },
    fills: { OIB, DEVICE, ...EXAMPLE },
    steps: {
      [lineStarting('curl --cacert /var/lib/fiskd-ca/ca.pem -G')]: { says: /"total":"2.50"/ },
      'fisk firmware-trial': { code: 2, says: /Type it after --/ },
    },
  },
  'docs/office.md': {
    counts: { typed: 7 },
    fills: { OIB, NAME: 'ana@example.hr', ID: { typed: "fisk --json alert list | member '.data[0].id'" } },
    steps: {
      'sudo fisk user add ana@example.hr --role admin --email ana@example.hr': {
        answers: [['assword', 'a long password of hers']],
      },
      'fisk receipt closing --print': { before: YESTERDAY },
      'fisk alert list': { before: REFUSED, says: /s001|odbijen|refused/ },
      'fisk alert test': { before: MAIL },
    },
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

type How = keyof Page['counts']

/** How a test meets each command of a page, with those last that stand above what they need. */
function planOf(printed: readonly Printed[], { steps }: Pick<Page, 'steps'>): { one: Printed; step: Step; how: How }[] {
  const plan = printed
    .filter((one, at, all) => !isMention(one, at, all))
    .map((one) => {
      const step = steps[one.line] ?? {}
      return {
        one,
        step,
        how: step.trial ? ('trial' as const) : step.on ? ('on' as const) : ((one.mark as How) ?? 'typed'),
      }
    })
  return [...plan.filter(({ step }) => !step.last), ...plan.filter(({ step }) => step.last)]
}

/** Somebody with a page: whose terminal a program that goes on keeps busy, opens another one. */
interface Reader {
  place: Place
  folder: string
  terminal: Terminal
}

/** Types every command of a page. @returns what went otherwise than the page says */
async function readAndType(path: string, reader: Reader): Promise<string[]> {
  return typeAll(printedOn(path), PAGES[path] as Page, reader)
}

async function typeAll(
  printed: readonly Printed[],
  page: Pick<Page, 'fills' | 'steps'>,
  reader: Reader,
): Promise<string[]> {
  const wrong: string[] = []
  for (const { one, step, how } of planOf(printed, page)) {
    if (how !== 'typed') continue
    try {
      if (step.before !== undefined) await must(reader.terminal, step.before)
      const command = await fill(one.text, { ...page.fills, ...step.fills }, reader)
      const { code, out } = await typeIt(reader, step.at ? `(${ELSEWHERE[step.at]} && ${command}\n)` : command, step)
      if (![step.code ?? 0].flat().includes(code)) wrong.push(`${one.line} ended with ${code}: ${out}`)
      else if (step.says && !step.says.test(out)) wrong.push(`${one.line} did not say ${step.says}: ${out}`)
      else if (one.answer) expect.soft(shapeOf(out), one.line).toEqual(shapeOf(one.answer))
    } catch (error) {
      wrong.push(`${one.line}: ${error}`)
    }
  }
  return wrong
}

async function typeIt(reader: Reader, command: string, step: Step): Promise<Said> {
  const { terminal, place, folder } = reader
  if (step.answers) return terminal.answer(command, step.answers)
  if (!step.starts) return terminal.type(command, step.input)
  const started = await terminal.start(command, step.starts)
  if (step.stops) return terminal.interrupt()
  reader.terminal = place.open(folder)
  return started
}

async function must(terminal: Terminal, command: string): Promise<string> {
  const { code, out } = await terminal.type(command)
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${out}`)
  return out.trim()
}

async function fill(text: string, fills: Page['fills'], { place, terminal }: Reader): Promise<string> {
  let filled = text
  for (const [word, value] of Object.entries(fills)) {
    // A word is a whole one: not that of a variable or of another word.
    const at = new RegExp(/^\w+$/.test(word) ? `(?<![\\w$./-])${word}(?![\\w=])` : word.replaceAll('.', '\\.'), 'g')
    if (filled.search(at) < 0) continue
    const by = await wordFor(value)
    filled = filled.replaceAll(at, () => by)
  }
  return filled

  async function wordFor(value: Filled): Promise<string> {
    if (typeof value === 'string') return value
    if (!(value instanceof RegExp)) return must(terminal, value.typed)
    const found = [...place.shown().matchAll(new RegExp(value, 'g'))].at(-1)
    if (!found) throw new Error(`nothing has shown ${value}`)
    return found[1] ?? found[0]
  }
}

describe.each(Object.entries(PAGES))('%s', (path, page) => {
  const { strangeMarks } = readPage(path)
  const plan = planOf(printedOn(path), page)

  test('has as many commands of each kind as are known, and no mark with a reason of its own', () => {
    const counts: Page['counts'] = {}
    for (const { how } of plan) counts[how] = (counts[how] ?? 0) + 1
    expect(counts).toEqual(page.counts)
    expect(strangeMarks).toEqual([])
  })

  test('has every command of which something is known', () => {
    const lines = plan.map(({ one }) => one.line)
    expect(Object.keys(page.steps).filter((line) => !lines.includes(line))).toEqual([])
  })

  test('leaves to the trial only what the trial types, and to another page what is typed there', () => {
    const left = plan.filter(({ one, step }) => step.trial && !isTyped(one.line, TRIAL))
    const there = ({ on = '' }: Step) => planOf(printedOn(on), PAGES[on] as Page).filter(({ how }) => how === 'typed')
    const nowhere = plan.filter(({ one, step }) => step.on && !there(step).some((other) => other.one.line === one.line))
    expect([...left, ...nowhere].map(({ one }) => one.line)).toEqual([])
  })
})

test('the trial types what it types, whichever way it answers the questions of apt', () => {
  const script =
    "must(sh('apt-get update 2>&1')); must(sh('apt-get install -y --no-install-recommends /root/fiskd.deb'))"
  expect(isTyped('sudo apt update && sudo apt install ./fiskd_1.0.0_arm64.deb', script)).toBe(true)
  expect(isTyped('sudo apt update && sudo apt install fiskd', script)).toBe(false)
  expect(isTyped('sudo apt remove fiskd', script)).toBe(false)
})

const PLANTED = `Type \`fisk isu pendingg\`, <!-- tomorrow -->\`fisk audit\` and \`fisk doctor\`.

<!-- hours -->
\`\`\`sh
fisk soak
\`\`\`

\`\`\`sh
export WHERE="a č"   # kept
echo "$WHERE" \\
  end
fisk staus
cd "$(mktemp -d)" && cat gone.pem
\`\`\`
`

test('a page is read with its blocks, spans and marks; a mark with another reason is told', () => {
  const { printed, strangeMarks } = readText(PLANTED)
  expect(printed.map(({ line, mark }) => [line, mark])).toEqual([
    ['fisk audit', 'tomorrow'],
    ['fisk doctor', undefined],
    ['fisk soak', 'hours'],
    ['export WHERE="a č"', undefined],
    ['echo "$WHERE" end', undefined],
    ['fisk staus', undefined],
    ['cd "$(mktemp -d)" && cat gone.pem', undefined],
  ])
  expect(strangeMarks).toEqual(['tomorrow'])
})

const mayNot =
  spawnSync('unshare', ['-rnmp', '--fork', '--mount-proc', 'true']).status !== 0 || skipWithout('ip', 'curl', 'script')

test.skipIf(mayNot)('a visitor types README, and goes on to the page of central servers', async () => {
  const place = await makePlace({ isBuilt: false })
  const reader = { place, folder: place.checkout, terminal: place.open(place.checkout) }
  expect(await readAndType('README.md', reader)).toEqual([])
  expect(await readAndType('docs/server.md', reader)).toEqual([])
})

test.skipIf(mayNot)('a command that does not work as it is printed is told, with what it said', async () => {
  const reader = await atMachine()
  const { printed } = readText(PLANTED)
  const planted = printed.filter(({ isSpan }) => !isSpan)
  const steps = { 'echo "$WHERE" end': { says: /^a č end\n$/ }, 'export WHERE="a č"': { says: /never/ } }
  expect(await typeAll(planted, { fills: {}, steps }, reader)).toEqual([
    expect.stringMatching(/^export WHERE="a č" did not say \/never\//),
    expect.stringMatching(/^fisk staus ended with 2: .*staus/s),
    expect.stringMatching(/^cd "\$\(mktemp -d\)" && cat gone\.pem ended with 1: cat: gone\.pem/),
  ])
})

test.skipIf(mayNot)('a technician types the page of technicians', async () => {
  const reader = await atMachine()
  expect(await readAndType('docs/technician.md', reader)).toEqual([])
})

test.skipIf(mayNot)('an author of firmware and a clerk type their pages at that machine', async () => {
  const reader = await atMachine()
  await must(
    reader.terminal,
    `systemctl start fiskd && ${await fill(lineStarting('sudo fisk init --oib'), PAGES['docs/technician.md']?.fills ?? {}, reader)}`,
  )
  await must(reader.terminal, FIRMWARE)
  expect(await readAndType('docs/firmware.md', reader)).toEqual([])
  expect(await readAndType('docs/office.md', reader)).toEqual([])
})

/** A technician at a machine with the package, in a folder with what the tax authority has given. */
async function atMachine(): Promise<Reader> {
  const place = await makePlace({ isBuilt: true })
  const authority = place.open(place.checkout)
  await authority.start('npm run simulator', /Ctrl-C ends it/)
  const folder = join(place.checkout, '..', 'Kod stroja č')
  const files = ['bundle.pem bundle.pem', 'company.p12 fiskal1.p12', 'company.passphrase passphrase.txt']
  const copy = files.map((names) => `cp data/simulator/${names.replace(' ', ` '${folder}/`)}'`)
  await must(place.open(place.checkout), [`mkdir '${folder}'`, ...copy].join(' && '))
  return { place, folder, terminal: place.open(folder) }
}
