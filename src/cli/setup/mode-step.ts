import type { Mode } from '../../domain/sale/sale.ts'
import { GO_LIVE } from '../consent.ts'
import { broken } from '../failure.ts'
import { serviceEnvironment } from '../machine/fiskd-program.ts'
import type { Prompter } from '../prompts.ts'
import { configure } from './configure.ts'
import type { Setup, SetupCompany, SetupOptions } from './setup.ts'

/** Which of the tax authority's services a new company reports to. The live one is nothing that happens by the way. */
export async function chosenMode(options: SetupOptions, prompter: Prompter | null): Promise<Mode> {
  if (prompter === null) return options.mode ?? 'test'
  if (options.mode !== undefined) {
    if (options.mode === 'test' || options.yes || (await isMeant(prompter))) return options.mode
    throw broken('internal_error', 'Broken off: the live mode was not confirmed.', 'Try it with --mode test first.')
  }
  for (;;) {
    const mode = await prompter.choose<Mode>('Which tax authority service does it report to?', [
      { value: 'test', label: 'test: nothing counts' },
      { value: 'live', label: 'live: real receipts' },
    ])
    if (mode === 'test' || (await isMeant(prompter))) return mode
  }
}

function isMeant(prompter: Prompter): Promise<boolean> {
  return prompter.confirm(GO_LIVE, false)
}

/** The daemon asks after the health of the service that its companies report to: `FISKD_DEPLOYMENT_MODE`. */
export async function deploymentModeStep(setup: Setup, { mode }: SetupCompany): Promise<void> {
  const { session, status, steps } = setup
  const wanted: Mode = [mode, ...status.companies.map((company) => company.mode)].includes('live') ? 'live' : 'test'
  // The daemon that was asked may have been started in another terminal.
  const known = status.cis?.mode ?? serviceEnvironment(session.io.env).FISKD_DEPLOYMENT_MODE
  if ((known || 'test') === wanted) return
  const left = await configure(session, { FISKD_DEPLOYMENT_MODE: wanted }, { param: 'mode', matters: true })
  if (left === null) steps.push({ step: 'mode', state: 'done', detail: wanted })
  else steps.push({ step: 'mode', state: 'left', detail: left, optional: true })
}
