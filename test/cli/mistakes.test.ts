import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startCentral } from '../support/central-server.ts'
import { runDaemon } from '../support/daemon-process.ts'
import { type Gateway, startEmptySharedGateway, startGateway } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'
import { openTerminal, printedIn, type Terminal } from '../support/terminal.ts'
import { skipWithout } from '../support/tools.ts'

/** The first two are registered; THIRD and the others are not. */
const [OIB, SECOND, THIRD] = OIBS
const [FOURTH, FIFTH] = ['12345678903', '23456789013']

let terminal: Terminal
let gateway: Gateway

beforeAll(async () => {
  terminal = await openTerminal()
  await writeFiles(terminal.folder)
  gateway = await startEmptySharedGateway({ FISKD_TRUST_LIVE: join(terminal.folder, 'live-ca.pem') })
  const seat = '--street "Ilica 1" --postal-code 10000 --city Zagreb'
  const machine = '--premises POSL1 --label "Kavomat 1" --address "Ilica 1" --isu 12345'
  const printer = '--printer-line usb:/dev/usb/lp77 --printer-profile generic --no-printer-test'
  const company = `--oib ${OIB} --name "Kava d.o.o." --mode test --vat-rate 25.00 ${seat}`
  const second = `--oib ${SECOND} --name "Sok d.o.o." --vat-rate 25.00 --premises POSL50 --label "Sokomat 1" --isu 501`
  await typedWell('before', gateway, [
    `fisk init ${company} --cert-file own.p12 --passphrase-file own.txt ${machine} ${printer} < /dev/null`,
    `fisk init ${second} --cert-file second.p12 --passphrase-file second.txt --no-printer < /dev/null`,
    'fisk user add ana --role admin --password-file password.txt',
    'fisk user add marko --role admin --password-file password.txt',
    'fisk backup there.db',
  ])
  const { body } = await gateway.admin<{ data: { id: string }[] }>('/admin/devices?ref=Sokomat%201')
  gateway.deviceId = body.data[0]?.id ?? ''
  gateway.key = await gateway.createKey()
  await gateway.sell()
})

/** What a technician has in the folder. */
async function writeFiles(folder: string): Promise<void> {
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
  const certificates = {
    own: await certificateOf(OIB),
    renewed: await pki.issueCompany({ oib: OIB }),
    second: await certificateOf(SECOND),
    third: await certificateOf(THIRD),
    fifth: await certificateOf(FIFTH),
    stranger: await pki.issueCompany({ oib: OIB, selfSigned: true }),
  }
  for (const [name, { p12, passphrase, certPem, keyPem }] of Object.entries(certificates)) {
    write(`${name}.p12`, p12)
    write(`${name}.txt`, passphrase)
    write(`${name}.pem`, certPem + keyPem)
  }
  const machines = 'label,premises_code,isu_number\nKavomat 70,POSL70,770\n'
  write('machines.csv', machines)
  write('excel.csv', 'Stroj;Lokacija;ISU broj\r\nKavomat 70;POSL70;770\r\n')
  write('unicode.csv', Buffer.from(`\ufeff${machines}`, 'utf16le'))
  write('live-ca.pem', pki.bundlePem)
  write('wrong.txt', 'krivo')
  write('password.txt', 'a long test password')
}

/** Types lines that must end with 0. */
async function typedWell(name: string, { dataDir }: Gateway, lines: readonly string[]): Promise<void> {
  terminal.begin(name, { FISKD_DATA_DIR: dataDir })
  for (const line of lines) {
    const { code, out } = await terminal.type(line, name)
    expect(code, out).toBe(0)
  }
}

interface Mending {
  /** What the technician types for the words in capitals of the printed command. */
  fill?: Record<string, string>
  /** What is typed at the questions of the printed command; yes where it says nothing. */
  answers?: string[]
  /** The line that was typed is right once the printed one has run. Otherwise the printed one is the right line itself. */
  again?: true
  /** Resolves when what the printed command has begun is done. */
  done?: Promise<unknown>
}

type Row = [mistake: string, typed: string, named: RegExp, mending?: Mending]

const AGAIN: Mending = { again: true }
const fill = (capitals: string, value: string): Mending => ({ fill: { [capitals]: value } })
/** The right certificate with its passphrase, which takes the place of the one in use. */
const OWN_FILE: Mending = { fill: { FILE: 'own.p12' }, answers: ['lozinka\r', 'y'] }
/** The first id of a list, as a technician copies it. */
const firstOf = (list: string) => fill('ID', `"$(fisk ${list} --csv | sed -n 2p | cut -d, -f1 | tr -d '"\\r')"`)

const add = `fisk device add --company ${OIB} --premises`
const cert = `fisk cert add --yes --company ${OIB} --file`

const MISTAKES: Row[] = [
  ['another VAT rate on a second run', `fisk init --oib ${OIB} --vat-rate 13.00`, /Error: .*25\.00/, AGAIN],
  ['another name on a second run', `fisk init --oib ${OIB} --name "Kava d.d."`, /Error: .*Kava d\.o\.o\./, AGAIN],
  ['another street on a second run', `fisk init --oib ${OIB} --street "Vukovarska 1"`, /registered otherwise/, AGAIN],
  ['another ISU number on a second run', `fisk init --oib ${OIB} --isu 999`, /Error: .*12345/, AGAIN],
  [
    'another printer on a second run',
    `fisk init --oib ${OIB} --printer-profile epson-tm-t20 --no-printer-test`,
    /Error: .*printer/,
    AGAIN,
  ],
  [
    'another label on a second run',
    `fisk init --oib ${OIB} --premises POSL1 --label "Kavomat dva"`,
    /Error: .*Kavomat 1/,
    AGAIN,
  ],
  [
    'another certificate on a second run',
    `fisk init --oib ${OIB} --cert-file renewed.p12 --passphrase-file renewed.txt`,
    /signs with another certificate/,
    AGAIN,
  ],
  ['an OIB that is mistyped, init', 'fisk init --oib 02994650198', /would be 9, not 8/, fill('OIB', OIB)],
  ['an OIB with a digit too few', 'fisk init --oib 0299465019', /1 is missing/, fill('OIB', OIB)],
  ['the wrong passphrase', `${cert} own.p12 --passphrase-file wrong.txt`, /does not open/, OWN_FILE],
  ['the certificate of another company', `${cert} second.p12 --passphrase-file second.txt`, /was issued to/, OWN_FILE],
  ['a certificate of an unknown issuer', `${cert} stranger.p12 --passphrase-file own.txt`, /not trusted/, OWN_FILE],
  ['PEM in the place of PKCS#12', `${cert} own.pem --passphrase-file own.txt`, /PKCS#12/, OWN_FILE],
  ['a file that is not there', `${cert} owm.p12 --passphrase-file own.txt`, /no file owm/, fill('FILE', 'own.p12')],
  ['a folder for a file', `${cert} . --passphrase-file own.txt`, /is a directory/, fill('FILE', 'own.p12')],
  [
    'a certificate before its company',
    `fisk cert add --company ${THIRD} --file third.p12 --passphrase-file third.txt`,
    /no such company/,
    { ...fill('NAME', '"Treća d.o.o."'), again: true },
  ],
  [
    'a machine before its company',
    `fisk device add --company ${FOURTH} --premises POSL1 --label "Kavomat 4"`,
    /no such company/,
    { ...fill('NAME', '"Četvrta d.o.o."'), again: true },
  ],
  [
    'live before there is a certificate',
    `fisk company add --oib ${FIFTH} --name "Peta d.o.o."; fisk company set ${FIFTH} --mode live --yes`,
    /no certificate in use/,
    { fill: { OIB: FIFTH, FILE: 'fifth.p12' }, answers: ['lozinka\r'], again: true },
  ],
  ['CR in a label', `${add} POSL2 --label "$(printf 'Kavo\\rmat 2')"`, /control characters/, fill('LABEL', 'Dva')],
  ['a premises code with a blank', `${add} "POSL 3" --label Tri`, /1 to 20 letters/, fill('CODE', 'POSL3')],
  ['a machine without a label', `${add} POSL5`, /'--label <label>' not specified/, fill('LABEL', '"Kavomat 5"')],
  ['an ISU number in use', `${add} POSL6 --label Šest --isu 501`, /already belongs/, fill('NUMBER', '606')],
  ['an ISU number with zeros', 'fisk isu set "Sokomat 1" 0502 --yes', /leading zeros/, fill('NUMBER', '501')],
  [
    'a label of another machine',
    `${add} POSL8 --label "Kavomat 9"; ${add} POSL9 --label "Kavomat 9"`,
    /already has/,
    fill('LABEL', '"Kavomat 10"'),
  ],
  ['a label that nothing has', 'fisk isu set "sokomat 1" 501', /No device has/, fill('DEVICE', '"Sokomat 1"')],
  [
    'a printer for no machine',
    'fisk printer set Sok --line tcp:127.0.0.1:9',
    /No device/,
    fill('DEVICE', '"Sokomat 1"'),
  ],
  [
    'a line that leads nowhere',
    'fisk printer set "Sokomat 1" --line lp0',
    /no line/,
    fill('LINE', 'usb:/dev/usb/lp78'),
  ],
  [
    'a profile that there is not',
    'fisk printer set "Sokomat 1" --line usb:/dev/usb/lp78 --profile epson',
    /Allowed choices/,
    fill('NAME', 'generic'),
  ],
  ['a key for no machine', 'fisk key create --mode test --device Sok', /No device/, fill('LABEL', '"Sokomat 1"')],
  [
    "Excel's headers",
    `fisk device import excel.csv --company ${OIB}`,
    /lacks the column/,
    fill('FILE', 'machines.csv'),
  ],
  [
    "Excel's Unicode text",
    `fisk device import unicode.csv --company ${OIB}`,
    /CSV UTF-8/,
    fill('FILE', 'machines.csv'),
  ],
  ['a backup over a file', 'fisk backup there.db', /exists already/, fill('FILE', 'other.db')],
  ['a backup into no folder', 'fisk backup usb/fiskd.db', /no directory/, fill('FILE', 'stick.db')],
  [
    'a user that is there',
    'fisk user add ana --role admin --password-file password.txt',
    /already a user/,
    fill('NAME', 'iva'),
  ],
  [
    'a short password',
    'fisk user add eva --role admin --password-file wrong.txt',
    /12 characters/,
    fill('FILE', 'password.txt'),
  ],
  ['a user that is not there', 'fisk user remove anna --yes', /no user anna/, fill('NAME', 'marko')],
  ['a key that is not there', 'fisk key revoke 4711 --yes', /no such API key/, firstOf('key list')],
  ['an invoice that is not there', 'fisk invoice show 4711', /no such invoice/, firstOf('invoice list')],
  ['a misspelt command', 'fisk company lsit', /unknown command/],
  ['a misspelt option', 'fisk company list --jsno', /unknown option/],
  ['an option that is missing', 'fisk key create', /required option/, fill('MODE', 'test')],
  [
    'arguments that are missing',
    'fisk isu set --yes',
    /missing required/,
    { fill: { DEVICE: '"Sokomat 1"', NUMBER: '501' } },
  ],
  ['FISKD_DATA_DIR forgotten, init', `fisk init --oib ${SECOND} < /dev/null`, /would make another installation/, AGAIN],
  ['FISKD_DATA_DIR forgotten, status', 'cd "$PLACE"; fisk status', /No daemon answers/, AGAIN],
]

/** What a terminal has that lacks FISKD_DATA_DIR. */
const forgotten = () => ({ FISKD_LISTEN: `127.0.0.1:${new URL(gateway.url).port}`, PLACE: gateway.dataDir })

test.skipIf(skipWithout('script')).each(MISTAKES)(
  '%s: what is said ends with a command that, typed as printed, mends it',
  async (mistake, typed, named, mending) => {
    const isForgotten = mistake.startsWith('FISKD_DATA_DIR')
    terminal.begin(mistake, isForgotten ? forgotten() : { FISKD_DATA_DIR: gateway.dataDir })
    await expectMended(mistake, typed, named, mending)
  },
)

async function expectMended(...[name, typed, named, { fill = {}, answers, again, done } = {}]: Row): Promise<void> {
  const wrong = await terminal.type(typed, name)
  expect(wrong.code, wrong.out).not.toBe(0)
  expect(wrong.out.replace(/\n +/g, ' ')).toMatch(named)
  const printed = printedIn(wrong.out)
  const filled = printed.replace(/\b[A-Z]+\b/g, (word) => fill[word] ?? word)
  expect(printed, wrong.out).not.toBe('')
  const mended = await terminal.type(filled, name, answers)
  expect(mended.code, `${filled}\n${mended.out}`).toBe(0)
  if (!again) return
  await done
  const repeated = await terminal.type(typed, name)
  expect(repeated.code, `${filled}\n${repeated.out}`).toBe(0)
}

/** What the row cannot know before, and what stands in the environment of the terminal. */
type Prepared = Mending & { variables: Record<string, string> }

/** A gateway that sells in a process of its own, as one that a person has started, with a backup of it in `here.db`. */
async function running(): Promise<Prepared> {
  const sold = await backedUp()
  const daemon = await runDaemon(sold, onTestFinished)
  return { variables: { FISKD_DATA_DIR: sold.dataDir, FISKD_LISTEN: '127.0.0.1:0' }, done: daemon.ended, again: true }
}

async function backedUp(): Promise<Gateway> {
  const sold = await startGateway()
  await sold.sell()
  await typedWell(sold.dataDir, sold, ['fisk backup here.db --force'])
  return sold
}

/** A data directory on another disk, with what was kept apart of the first one. */
async function newDisk(): Promise<Prepared> {
  const sold = await backedUp()
  const FISKD_DATA_DIR = await tempDir()
  cpSync(join(sold.dataDir, 'vault.key'), join(FISKD_DATA_DIR, 'vault.key'))
  return { variables: { FISKD_DATA_DIR }, ...fill('NUMBER', '7') }
}

/** A gateway that does not run, and another program on its port. */
async function takenPort(): Promise<Prepared> {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const stopped = await startGateway()
  await stopped.stop()
  const { port } = other.address() as AddressInfo
  return { variables: { FISKD_DATA_DIR: stopped.dataDir, FISKD_LISTEN: `127.0.0.1:${port}` }, again: true }
}

async function server(): Promise<Prepared> {
  const { server, token } = await startCentral()
  await token('kiosk-1')
  return { variables: { FISKD_DATA_DIR: server.dataDir } }
}

async function gatewayOfServer(): Promise<Prepared> {
  const { link, token } = await startCentral()
  const { dataDir } = await startGateway()
  return { variables: { FISKD_DATA_DIR: dataDir, SERVER: link.url }, ...fill('TOKEN', await token('kiosk-1')) }
}

/** As if it were ended by Ctrl-C after a while. */
const FISKD = 'timeout --preserve-status 5 fiskd'
const YEAR = new Date().getFullYear()

const ELSEWHERE: [...Required<Row>, prepare: () => Promise<Prepared>][] = [
  ['fiskd by hand while it runs', FISKD, /already uses/, {}, running],
  ['a port that another program has', FISKD, /EADDRINUSE/, {}, takenPort],
  ['a restore while fiskd runs', 'fisk restore here.db --gap 1000 --yes', /already uses/, {}, running],
  ['a restore of no file', 'fisk restore there.bd --gap 9 --yes', /no file there/, fill('FILE', 'here.db'), newDisk],
  ['a restore without numbers', 'fisk restore here.db --yes', /must not be given out again/, {}, newDisk],
  ['a number that is too low', `fisk restore here.db --highest POSL1@${YEAR}=0 --yes`, /too low/, {}, newDisk],
  ['a gateway that is there', 'fisk gateway add kiosk-1', /already/, fill('NAME', 'kiosk-2'), server],
  ['a gateway that is not there', 'fisk gateway revoke kisok --yes', /no gateway/, fill('NAME', 'kiosk-1'), server],
  ['half a token', 'fisk sync enroll "$SERVER" fisk_enroll_a', /no token/, {}, gatewayOfServer],
]

test.skipIf(skipWithout('script')).each(ELSEWHERE)(
  '%s: what is said ends with a command that, typed as printed, mends it there, too',
  async (mistake, typed, named, mending, prepare) => {
    const { variables, ...prepared } = await prepare()
    terminal.begin(mistake, variables)
    await expectMended(mistake, typed, named, { ...prepared, ...mending })
  },
)
