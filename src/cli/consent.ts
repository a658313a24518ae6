import { Option } from 'commander'
import { broken, wrongUse } from './failure.ts'
import type { Session } from './session.ts'

/** Asked of a person wherever a new company is to report to the live service. */
export const GO_LIVE = 'Every sale will be a real receipt that counts. Go live?'

/** For what cannot simply be taken back. */
export const yesOption = () => new Option('--yes', 'do it without asking')

/** @throws Failure (wrong use) that names `--yes` when there is no terminal; Failure when the answer is no */
export async function consent(session: Session, yes: true | undefined, question: string): Promise<void> {
  if (yes) return
  requireSomebody(session, yes)
  const { createPrompter } = await import('./prompts.ts')
  const prompter = await createPrompter(session)
  if (!(await prompter.confirm(question, false))) throw broken('internal_error', 'Nothing was done: you said no.', null)
}

/** Checks before any request that a later confirmation is possible. @throws Failure (wrong use) that names `--yes` */
export function requireSomebody(session: Session, yes: true | undefined): void {
  if (yes || session.mayAsk()) return
  throw wrongUse(
    'yes',
    'This asks before it does it, and nobody can be asked here.',
    'Add --yes to do it without asking.',
  )
}
