import { CommanderError } from 'commander'
import { ERRORS, type ErrorCode } from '../domain/errors.ts'
import { isOib } from '../domain/oib.ts'
import { Command } from './command.ts'
import { optionOf, type Typed, typedLine, understood, withOpen } from './correction.ts'
import { broken, Failure } from './failure.ts'
import { installedVersion } from './installation.ts'
import type { Io } from './io.ts'
import { createSession, type Session } from './session.ts'
import { clean, paragraph } from './text/columns.ts'
import { languageOf, loadWords, translate } from './words/translate.ts'

interface Group {
  register(program: Command, session: Session): void
}

/** A file per command group, loaded when the command line names it: `fisk status` starts without the rest. */
const GROUPS: Record<string, () => Promise<Group>> = {
  init: () => import('./commands/init.ts'),
  replace: () => import('./commands/replace.ts'),
  status: () => import('./commands/status.ts'),
  doctor: () => import('./commands/doctor.ts'),
  key: () => import('./commands/key.ts'),
  company: () => import('./commands/company.ts'),
  cert: () => import('./commands/cert.ts'),
  deadline: () => import('./commands/deadline.ts'),
  device: () => import('./commands/device.ts'),
  isu: () => import('./commands/isu.ts'),
  hours: () => import('./commands/hours.ts'),
  invoice: () => import('./commands/invoice.ts'),
  machine: () => import('./commands/machine.ts'),
  numbers: () => import('./commands/numbers.ts'),
  printer: () => import('./commands/printer.ts'),
  receipt: () => import('./commands/receipt.ts'),
  trust: () => import('./commands/trust.ts'),
  user: () => import('./commands/user.ts'),
  sync: () => import('./commands/sync.ts'),
  tenant: () => import('./commands/tenant.ts'),
  gateway: () => import('./commands/gateway.ts'),
  alert: () => import('./commands/alert.ts'),
  audit: () => import('./commands/audit.ts'),
  backup: () => import('./commands/database/backup.ts'),
  restore: () => import('./commands/database/restore.ts'),
  'migrate-store': () => import('./commands/database/migrate-store.ts'),
  'prepare-image': () => import('./commands/database/prepare-image.ts'),
  rehearse: () => import('./commands/database/rehearse.ts'),
  'support-bundle': () => import('./commands/support-bundle.ts'),
  'firmware-trial': () => import('./commands/firmware-trial.ts'),
  completion: () => import('./commands/completion.ts'),
}

/** @returns the exit code: 0 fine; 1 the thing is not fine, or the daemon refused or is not there; 2 wrong use */
export async function run(argv: string[], io: Io): Promise<number> {
  const program = createProgram(io)
  const session = createSession(io, () => program.opts())
  await loadWords(session.screen.language)
  try {
    await loadGroups(program, session, argv)
    await program.parseAsync(argv, { from: 'user' })
    return session.exitCode
  } catch (error) {
    // commander has already said what is wrong; for help and version it brings exit code 0.
    const typed = typedLine(program, argv)
    if (!(error instanceof CommanderError)) return await report(asFailure(error), session, typed)
    if (error.exitCode === 0) return 0
    io.stderr.write(nextText(understood(error.message, typed), session))
    return 2
  }
}

export async function wholeProgram(io: Io): Promise<Command> {
  const program = createProgram(io)
  await loadGroups(
    program,
    createSession(io, () => program.opts()),
    [],
  )
  return program
}

async function loadGroups(program: Command, session: Session, argv: string[]): Promise<void> {
  for (const load of groupsNamed(argv)) (await load()).register(program, session)
}

function createProgram(io: Io): Command {
  return new Command('fisk')
    .description("fiskd's command for the technician: set up, check and repair this gateway.")
    .option('--json', 'print the answer as JSON')
    .option('--socket <path>', "the daemon's admin socket (default: FISKD_SOCKET, or fiskd.sock in the data directory)")
    .option('--tenant <name>', 'work for this tenant instead of the default one')
    .version(installedVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain the command')
    .configureHelp({ showGlobalOptions: true, helpWidth: 80, minWidthToWrap: 30 })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(inTheLanguageOf(io, text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError(HINT)
    .examples('fisk init', 'fisk status', 'fisk isu set "Lobby 1" 12345')
    .exitOverride()
}

const HINT = 'Add --help to see how the command is used.'

/** What commander says of a command line that is wrong; whole helps are English. */
function inTheLanguageOf({ env }: Io, text: string): string {
  const language = languageOf(env)
  if (!text.startsWith('error: ') && text.trimEnd() !== HINT) return text
  return text.replace(/.+/g, (line) => translate(line, language))
}

/** The groups whose name is in the command line; all groups when there is none (for the help, or a typo). */
function groupsNamed(argv: string[]): (() => Promise<Group>)[] {
  const named = Object.keys(GROUPS).filter((name) => argv.includes(name))
  const isAboutAll = named.length === 0 || named.includes('completion')
  return (isAboutAll ? Object.keys(GROUPS) : named).flatMap((name) => GROUPS[name] ?? [])
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const message = error instanceof Error ? error.message : String(error)
  return broken('internal_error', `fisk itself failed: ${message}`, 'Please report this with the command you typed.')
}

async function report({ body, exitCode, fix }: Failure, session: Session, typed: Typed): Promise<number> {
  const { code, message, param, type } = body.error
  const option = param && optionOf(param, typed)
  const { screen } = session
  const [first = '', ...more] = message.split('\n')
  // Most runs end without a failure.
  const { refusalWords } = await import('./words/refusal-words.ts')
  const { said, original } = refusalWords(code, first, screen.language)
  const labels = ['Error:', option ? 'Option:' : 'Field:', 'Fix:'].map((label) => translate(label, screen.language))
  const width = Math.max(...labels.map((label) => label.length)) + 1
  const [error = '', field = '', todo = ''] = labels.map((label) => label.padEnd(width))
  // Names of fields are the same in every language, and so is what has been translated or cannot be.
  const asItIs = { ...screen, language: 'en' as const }
  const shown = option && param && said.startsWith(`${param} `) ? option + said.slice(param.length) : said
  const text = [paragraph(error, shown, asItIs), ...more.map((line) => `${clean(translate(line, screen.language))}\n`)]
  if (original) text.push(paragraph(translate('Message:', screen.language).padEnd(width), original, asItIs))
  const names = type === 'not_found' ? typed.command.registeredArguments.map((one) => one.name()) : []
  const [open] = canBeRetyped(body) ? [param ?? '', ...names].flatMap((name) => withOpen(name, typed) ?? []) : []
  const help = fix ?? (type === 'not_found' && open ? whatThereIs(typed) : null)
  if (param) text.push(paragraph(field, option ?? param, asItIs))
  if (help) text.push(paragraph(todo, help, screen))
  if (open && !MENDS.test(help ?? '')) text.push(nextText(open, session, width))
  session.io.stderr.write(text.join(''))
  if (session.wantsJson()) session.print(`${JSON.stringify(body, null, 2)}\n`)
  return exitCode
}

/** What helps where a name means nothing: a company is registered first, all else is looked up. */
function whatThereIs({ command, words }: Typed): string | null {
  const company = words[words.indexOf('--company') + 1] ?? ''
  if (words.includes('--company'))
    return `Register it: fisk company add --oib ${isOib(company) ? company : 'OIB'} --name NAME; those that are there: fisk company list`
  const { parent } = command
  return parent?.commands.some((one) => one.name() === 'list') ? `See them all: fisk ${parent.name()} list` : null
}

/** A command beyond one that only lists what there is. */
const MENDS = /\b(?:fisk|sudo|export|kill) (?!\S+ list$)/

/** What may clash with what is there and be called otherwise. */
const CHOSEN = ['device', 'file', 'isu_number', 'label', 'name', 'oib']

/** The request itself is wrong, and another value of its field may do. */
const canBeRetyped = ({ error: { type, code, param } }: Failure['body']) =>
  (!Object.hasOwn(ERRORS, code) || ERRORS[code as ErrorCode].again === 'no') &&
  (type !== 'conflict' || CHOSEN.includes(param ?? ''))

/** The last line: a command to be typed as it stands. */
const nextText = (line: string, { io, screen }: Session, width = 0) =>
  paragraph(`${translate('Next:', screen.language)} `.padEnd(width), io.env.SUDO_USER ? `sudo ${line}` : line, screen)
