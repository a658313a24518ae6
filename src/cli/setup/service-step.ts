import { isRunning } from '../daemon/client.ts'
import { broken } from '../failure.ts'
import { fiskdService } from '../machine/service.ts'
import type { Groundwork } from './setup.ts'

/** What its first start makes belongs to its own account then. @returns false without systemd @throws Failure */
export async function startStep({ session, steps }: Groundwork): Promise<boolean> {
  // A change of the configuration may have started it.
  if (!(await isRunning(session.socketPath()))) {
    const service = await fiskdService(session.io, () => session.socketPath())
    if (service === null) return false
    const why = await service.start()
    const fix = process.getuid?.() === 0 ? 'Look at its log: journalctl -u fiskd' : 'Use sudo: sudo fisk init'
    if (why !== null) throw broken('internal_error', `fiskd does not start: ${why}`, fix)
  }
  steps.push({ step: 'service', state: 'done', detail: 'started, and it starts with the machine' })
  return true
}
