import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { TrialOrder } from '../../contract/reports/firmware-trial.ts'
import type { Command, Flags, Given } from '../command.ts'
import { broken, wrongUse } from '../failure.ts'
import { daemonProgram, installedVersion, trialProgram } from '../installation.ts'
import { SIGNALS } from '../machine/signals.ts'
import { numberAs } from '../options.ts'
import type { Session } from '../session.ts'

/** After 20 s without a sign of life most customers have gone. */
const PATIENCE_S = 20

interface Options extends Given<'junit'>, Flags<'list' | 'byHand' | 'verbose'> {
  scenario?: string[]
  listen?: NonNullable<TrialOrder['listen']>
  patience: number
}

export function register(program: Command, session: Session): void {
  program
    .command('firmware-trial')
    .description(
      'Try the firmware of a machine: play what can go wrong between it and fiskd, and say which rules it breaks. ' +
        'Runs a fiskd and a simulated tax authority of its own on loopback; needs no root, and touches no installed data. ' +
        'Exit code 1 when the firmware broke a rule.',
    )
    .argument('[command...]', 'what starts the firmware, after --')
    .option('--scenario <name...>', 'play only these; see --list')
    .option('--list', 'say which scenarios and rules there are')
    .option('--junit <file>', 'write the report as JUnit XML as well')
    .option('--by-hand', 'without a command: the trial says what to press, and asks what came out')
    .option(
      '--listen <address>',
      'ADDRESS or ADDRESS:PORT for firmware on a board; scenarios run one after another',
      address,
    )
    .option('--patience <seconds>', 'how long the firmware may do nothing', seconds, PATIENCE_S)
    .option('--verbose', 'show the log of the firmware on standard error')
    .addHelpText(
      'after',
      '\nExample:\n  fisk firmware-trial -- python3 client.py\n' +
        '  fisk firmware-trial --scenario answer-lost error-500 -- ./client\n' +
        '  fisk firmware-trial --junit trial.xml -- ./client\n\n' +
        'docs/firmware-trial.md says how the firmware has to be started.',
    )
    .action((command: string[], options: Options) => tryFirmware(command, options, session))
}

async function tryFirmware(command: string[], options: Options, session: Session): Promise<void> {
  const { scenario = [], list, listen, patience, junit, byHand, verbose } = options
  if (!list && !byHand && command.length === 0) {
    throw wrongUse('command', 'No firmware is named.', 'Type it after --: fisk firmware-trial -- ./client')
  }
  if (byHand && command.length > 0) throw wrongUse('by-hand', '--by-hand takes no command: you are the firmware.')
  if (byHand && !session.mayAsk()) throw wrongUse('by-hand', '--by-hand asks questions: it needs a terminal.')
  const trial = trialProgram()
  if (!existsSync(trial)) throw broken('internal_error', `${trial} is missing.`, 'In a clone: npm run build')
  const order: TrialOrder = {
    command: byHand ? null : command,
    scenarios: scenario,
    list: list === true,
    listen: listen ?? (byHand ? { host: '127.0.0.1', port: 0 } : null),
    patience_ms: patience * 1000,
    junit: junit === undefined ? null : resolve(junit),
    json: session.wantsJson(),
    verbose: verbose === true,
    progress: session.io.isTty && !session.wantsJson(),
    fiskd: session.io.fiskd ?? daemonProgram(),
    version: installedVersion(),
  }
  session.exitCode = await runTrial(trial, order, session)
}

/** The trial is a program of its own: no other command is to load what it needs. */
async function runTrial(trial: string, order: TrialOrder, { io }: Session): Promise<number> {
  const child = spawn(process.execPath, [trial, JSON.stringify(order)], {
    env: io.env,
    stdio: ['inherit', 'pipe', 'pipe'],
  })
  child.stdout.pipe(io.stdout, { end: false })
  child.stderr.pipe(io.stderr, { end: false })
  // It has to tidy up first, and has the signal of a terminal itself.
  const passOn = (signal: NodeJS.Signals) => void child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, passOn)
  const [code] = await once(child, 'close')
  for (const signal of SIGNALS) process.off(signal, passOn)
  return code ?? 1
}

const seconds = numberAs(/^[1-9]\d{0,2}$/, 'It is 1 to 999.')

/** `192.168.1.5`, `192.168.1.5:9443`, `fe80::1` or `[fe80::1]:9443`. */
function address(text: string): NonNullable<TrialOrder['listen']> {
  const [, bracketed, plain, port = '0'] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain ?? text
  if (isIP(host) === 0 || Number(port) > 65535)
    throw new InvalidArgumentError('It is an IP address, with a port if wanted.')
  return { host, port: Number(port) }
}
