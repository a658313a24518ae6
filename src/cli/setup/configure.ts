import { existsSync, readFileSync } from 'node:fs'
import { isRunning } from '../daemon/client.ts'
import { broken, wrongUse } from '../failure.ts'
import {
  environmentFilePath,
  replaceEnvironmentFile,
  startedWith,
  type Variables,
  withVariables,
} from '../machine/environment-file.ts'
import { judgeConfiguration } from '../machine/fiskd-program.ts'
import { fiskdService } from '../machine/service.ts'
import { undoneBySignals } from '../machine/signals.ts'
import type { Session } from '../session.ts'
import { lockConfiguration } from './configuration-lock.ts'

/**
 * Restarts or starts the service, too. Where it does not start, or the user interrupts, the old configuration is back.
 * @param param the flag that asked for it @param matters the running daemon is affected; else only the file is written
 * @returns what is left to do by hand; null when there is nothing
 * @throws Failure when the daemon refuses it or does not start, or another process changes it at the same time
 */
export async function configure(
  session: Session,
  changes: Variables,
  { param, matters }: { param: string; matters: boolean },
): Promise<string | null> {
  if (Object.keys(changes).length === 0) return null
  const { io } = session
  const path = environmentFilePath(io.env)
  const words = Object.entries(changes).map(([name, value]) => `${name}=${value}`)
  if (!existsSync(path)) return `set ${words.join(' ')} for fiskd and start it again`
  const byHand = `put ${words.join(' ')} into ${path} as root, and start fiskd again`
  const read = () => unlessForbidden(() => readFileSync(path, 'utf8'))
  if (read() === null) return byHand
  const unlock = unlessForbidden(() => lockConfiguration(path))
  if (unlock === null) return byHand
  try {
    const before = read() ?? ''
    const after = withVariables(before, changes)
    const { problems } = await judgeConfiguration(io, startedWith(io.env, after))
    if (problems.length > 0) throw wrongUse(param, problems.join('\n'), `${path} is as it was.`)
    const running = await isRunning(session.socketPath())
    const service = await fiskdService(io, () => session.socketPath())
    const putBack = () => {
      // A change that another process has written since then must stay.
      const isOurs = read() === after
      if (isOurs) replaceEnvironmentFile(path, before)
      return isOurs
    }
    const undo = () => {
      putBack()
      unlock()
      service?.restartSoon()
    }
    return await undoneBySignals(undo, async () => {
      if (unlessForbidden(() => replaceEnvironmentFile(path, after) ?? true) === null) return byHand
      if (running && !matters) return null
      if (service === null) return running ? 'start fiskd again: it runs with the configuration from before' : null
      const why = running ? await service.restart() : await service.start()
      if (why === null) return null
      throw notTaken(path, words, why, putBack(), await service.restart())
    })
  } finally {
    unlock()
  }
}

/** Null when this account may not do it. */
function unlessForbidden<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

function notTaken(path: string, words: string[], why: string, isBack: boolean, still: string | null) {
  const file = isBack ? `The old configuration is back in ${path}` : `Somebody else changed ${path} meanwhile: it stays`
  const runs = still === null ? 'and fiskd runs with it' : `but fiskd does not run: ${still}`
  return broken(
    'internal_error',
    `fiskd does not come up with ${words.join(' ')}: ${why}. ${file}, ${runs}.`,
    still === null ? 'Choose another value.' : 'Look at its log: journalctl -u fiskd',
  )
}
