import type { Ending, Life } from '../../chaos/daemon.ts'
import { pause } from '../../chaos/wait.ts'

/** The daemon as systemd keeps it: whatever ends it, it is started again. */
export interface Service {
  /** How often it ended by itself. */
  ends(): number
  /** Resolves when it is ready, or has ended before. */
  ready(): Promise<boolean>
  /** SIGKILL, and no new start. */
  kill(): Promise<Ending>
  /** SIGTERM, and no new start. */
  terminate(): Promise<Ending>
}

/** As the unit has it. */
const RESTART_MS = 2000

export function keepRunning(start: () => Life): Service {
  let life = start()
  let [ends, over] = [0, false]
  const keeping = (async () => {
    for (;;) {
      await life.ended
      if (over) return
      ends++
      await pause(RESTART_MS)
      if (over) return
      life = start()
    }
  })()

  async function end(how: 'kill' | 'terminate'): Promise<Ending> {
    over = true
    const ending = await life[how]()
    await keeping
    return ending
  }

  return {
    ends: () => ends,
    ready: async () => (await life.ready) !== null,
    kill: () => end('kill'),
    terminate: () => end('terminate'),
  }
}
