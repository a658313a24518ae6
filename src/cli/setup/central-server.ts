import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { UserList, UserSchema } from '../../contract/admin/access.ts'
import { GatewayList, NewGatewaySchema, type NewGatewayView } from '../../contract/admin/gateways.ts'
import { describeDatabaseUrl, readDatabaseUrl } from '../../domain/database-url.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import { type Client, createClient } from '../daemon/client.ts'
import { broken, wrongUse } from '../failure.ts'
import { environmentFilePath, variablesIn } from '../machine/environment-file.ts'
import { instanceOf, instancesOf } from '../machine/instances.ts'
import { secretFrom } from '../secrets.ts'
import { clean, fields, paragraph } from '../text/columns.ts'
import type { Screen } from '../text/screen.ts'
import { localTime } from '../text/times.ts'
import { translate } from '../words/translate.ts'
import { lanAddresses } from './listen-addresses.ts'
import { processesStep, type Wanted } from './processes-step.ts'
import { type Groundwork, isIncomplete, otherwise, required, type SetupOptions, type Step } from './setup.ts'
import { stepsText } from './summary.ts'

const DEFAULT_PROCESSES = 3

/** Whether this run sets up a server of several processes on PostgreSQL; asks what only a person knows. */
export async function isCentralServer({ session, options, prompter }: Groundwork): Promise<boolean> {
  const path = environmentFilePath(session.io.env)
  const known = variablesIn(path)
  if (options.databaseUrl !== undefined || options.processes !== undefined) {
    if ((options.role ?? 'server') === 'server') return true
    throw wrongUse('role', 'A gateway has one process and keeps its sales in SQLite.', 'For a server: --role server')
  }
  const role = options.role ?? known.FISKD_ROLE
  if (role !== 'server') return false
  if (instancesOf(session.io.env).length > 0) return true
  // One that runs as fiskd.service stays so until a flag says otherwise.
  if (known.FISKD_DATABASE_URL || prompter === null || known.FISKD_ROLE === 'server' || !existsSync(path)) return false
  const kept = await prompter.choose('Where does the server keep its records?', [
    { value: 'postgres', label: 'PostgreSQL: several processes, thousands of gateways' },
    { value: 'sqlite', label: 'SQLite: one process, nothing else to install' },
  ])
  return kept === 'postgres'
}

const OF_BOTH = ['role', 'listen', 'printer', 'printerTest', 'yes', 'new']
const OF_PROCESSES = ['databaseUrl', 'processes', 'user', 'gateway', 'passwordFile', 'passwordStdin']

/** @throws Failure (wrong use) for a flag that says nothing about what is set up */
export function refuseIdleFlags(options: SetupOptions, isCentral: boolean): void {
  const idle = Object.keys(options).find((name) => !OF_BOTH.includes(name) && OF_PROCESSES.includes(name) !== isCentral)
  if (idle === undefined) return
  const [message, fix] = isCentral
    ? ['At a server of several processes no machine is set up.', 'fisk company add --help; fisk device add --help']
    : ['It is for a server of several processes on PostgreSQL.', 'fisk user add --help; fisk gateway add --help']
  throw wrongUse(snakeCase(idle).replaceAll('_', '-'), message, fix)
}

export async function setUpCentralServer(ground: Groundwork): Promise<void> {
  const { session, steps } = ground
  const wanted = await answersOf(ground)
  await processesStep(ground, wanted)
  const client = createClient(instanceOf(session.io.env, 1).socket)
  await userStep(ground, client)
  const gateway = await gatewayStep(ground, client)
  const names = wanted.names.length > 0 ? wanted.names : [hostname()]
  const result: CentralServerResult = {
    steps,
    addresses: names.map((name) => `https://${isIP(name) === 6 ? `[${name}]` : name}:8443`),
    processes: wanted.processes,
    gateway,
  }
  await session.show(result, centralServerText)
  if (isIncomplete(steps)) session.exitCode = 1
}

/** What the flags say, else what stands in the environment file, else what a person answers. */
async function answersOf({ session, options, prompter }: Groundwork): Promise<Wanted> {
  const path = environmentFilePath(session.io.env)
  if (!existsSync(path)) {
    const fix = 'Install the package of fiskd; in a container, set FISKD_DATABASE_URL_FILE: see docs/server.md'
    throw broken('internal_error', `There is no ${path}, from which the processes would be configured.`, fix)
  }
  const known = variablesIn(path)
  const check = (value: string) =>
    typeof readDatabaseUrl(value) === 'string' ? 'This is no address of a PostgreSQL database.' : undefined
  const ask = () => prompter?.text(`Address of the PostgreSQL database: ${EXAMPLES}`, check)
  const url = options.databaseUrl ?? known.FISKD_DATABASE_URL ?? (await ask())
  if (!url) {
    throw wrongUse('database-url', 'The address of the database is missing.', 'Give --database-url postgres://...')
  }
  const read = readDatabaseUrl(url)
  if (typeof read === 'string') {
    throw wrongUse('database-url', `${describeDatabaseUrl(url)} is no address of a PostgreSQL database.`, read)
  }
  if (options.processes !== undefined && !/^[1-9]\d?$/.test(options.processes)) {
    throw wrongUse('processes', `${options.processes} is no number of processes.`, 'It is a number from 1 to 99.')
  }
  const count =
    options.processes ?? (instancesOf(session.io.env).length || (prompter && (await askProcesses(prompter))))
  const names =
    options.listen ??
    known.FISKD_TLS_NAMES?.split(',') ??
    (prompter ? await askNames(session.io.lanAddresses ?? lanAddresses(), prompter) : [])
  return {
    databaseUrl: url,
    processes: Number(count ?? DEFAULT_PROCESSES),
    names: names.flatMap((name) => name.split(',')).flatMap((name) => name.trim() || []),
  }
}

type Prompter = NonNullable<Groundwork['prompter']>

const EXAMPLES = 'postgres://USER:PASSWORD@HOST/DATABASE, or postgres://fiskd@/fiskd?host=/run/postgresql'

async function askProcesses(prompter: Prompter): Promise<string> {
  const question = `How many processes on this machine, one for each core? (empty: ${DEFAULT_PROCESSES})`
  const answer = await prompter.text(question, (value) =>
    /^([1-9]\d?)?$/.test(value) ? undefined : 'It is a number from 1 to 99.',
  )
  return answer || String(DEFAULT_PROCESSES)
}

async function askNames(own: readonly { address: string }[], prompter: Prompter): Promise<string[]> {
  const suggested = [hostname(), ...own.map(({ address }) => address)].join(',')
  const answer = await prompter.text(`By which names and addresses is it reached? (empty: ${suggested})`)
  return (answer || suggested).split(',')
}

/** Makes the first gateway, whose machine enrols with its token. @returns null when this run made none */
async function gatewayStep({ options, prompter, steps }: Groundwork, client: Client): Promise<NewGatewayView | null> {
  const { data } = await client.get('/admin/gateways', GatewayList)
  const isKnown = options.gateway !== undefined && data.some(({ name }) => name === options.gateway)
  const asked = prompter && data.length === 0 ? await prompter.text('Name of the first gateway (empty: later)') : ''
  const name = options.gateway ?? asked
  if (name === '' || isKnown) {
    const detail = 'fisk gateway add NAME, for each of them'
    if (data.length > 0) steps.push({ step: 'gateway', state: 'already', detail: `${data.length} known` })
    else steps.push({ step: 'gateway', state: 'left', detail, optional: true })
    return null
  }
  const made = await client.post('/admin/gateways', NewGatewaySchema, { name })
  steps.push({ step: 'gateway', state: 'done', detail: clean(name) })
  return made
}

/** Makes the first user of the dashboard, who may do everything there. */
async function userStep({ session, options, prompter, steps }: Groundwork, client: Client): Promise<void> {
  const { data } = await client.get('/admin/users', UserList)
  const admin = data.find(({ role }) => role === 'admin')
  const name = options.user ?? (admin || !prompter ? undefined : await prompter.text(QUESTION, required))
  const known = name === undefined ? admin : data.find((user) => user.name === name)
  if (known) {
    const word = shellWord(known.name)
    const command = `fisk user remove ${word} && fisk user add ${word} --role admin`
    const shown = clean(known.name)
    if (known.role !== 'admin') throw otherwise('user', `${shown} is a user already: ${known.role}.`, command)
    const another = `; for another password: fisk user reset ${word} --password`
    const detail = `${shown}${options.passwordFile || options.passwordStdin ? another : ''}`
    return void steps.push({ step: 'user', state: 'already', detail })
  }
  if (name === undefined)
    return void steps.push({ step: 'user', state: 'left', detail: 'fisk user add NAME --role admin', optional: true })
  const password = await secretFrom('password', options, session, `Password of ${name}`)
  const user = await client.post('/admin/users', UserSchema, { name, password, role: 'admin' })
  steps.push({ step: 'user', state: 'done', detail: clean(user.name) })
}

const QUESTION = 'Who administers the dashboard? A name to sign in with, such as a mail address'

/** What `fisk init --role server --json` prints for a server on PostgreSQL. */
interface CentralServerResult {
  steps: Step[]
  /** Where gateways and browsers reach it, through the load balancer. */
  addresses: string[]
  processes: number
  /** Null when this run made none. */
  gateway: NewGatewayView | null
}

const BALANCER = '/usr/lib/fiskd/systemd/haproxy.cfg'

function centralServerText({ steps, addresses, processes, gateway }: CentralServerResult, screen: Screen): string {
  const say = (text: string) => translate(text, screen.language)
  const [address = ''] = addresses
  const reached = fields(
    [
      ['dashboard', addresses.map((one) => `${one}/dashboard`).join(' or ')],
      ['gateways', addresses.join(' or ')],
    ],
    screen,
  )
  const token =
    gateway === null
      ? ''
      : `\n${say(`Token of the first gateway, shown only now, good until ${localTime(gateway.token_expires_at)}:`)}\n\n` +
        `  ${gateway.token}\n\n${say('On that machine:')}\n  sudo fisk sync enroll ${address} TOKEN\n`
  const lines = `in both backends a line for each process (${processes} here)`
  const balancer = `have a load balancer stand before them. Debian's haproxy does with ${BALANCER}: ${lines}`
  return `\n${stepsText(steps, screen)}\n${reached}${token}\n${paragraph('Next: ', `${balancer}; then fisk status`, screen)}`
}
