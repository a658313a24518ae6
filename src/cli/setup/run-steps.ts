import type { Session } from '../session.ts'
import type { Groundwork, SetupOptions } from './setup.ts'
import { stepsText } from './summary.ts'

/** Works step by step. When a step fails, those before it are told: what was done stays done, and the next run finds it. */
export async function runSteps<O extends SetupOptions>(
  session: Session,
  options: O,
  work: (ground: Groundwork & { options: O }) => Promise<void>,
): Promise<void> {
  const prompter = session.mayAsk() ? await (await import('../prompts.ts')).createPrompter(session) : null
  const ground: Groundwork & { options: O } = { session, options, prompter, steps: [] }
  try {
    await work(ground)
  } catch (error) {
    if (!session.wantsJson() && ground.steps.length > 0) session.print(`\n${stepsText(ground.steps, session.screen)}\n`)
    throw error
  }
}
