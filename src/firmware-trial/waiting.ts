import { setTimeout as delay } from 'node:timers/promises'
import type { Attempt, Sale } from './evidence.ts'
import type { Firmware } from './firmware/firmware.ts'

const LOOK_EVERY_MS = 20
/** A firmware that is busy for ever has failed as well. */
const BUSY_FACTOR = 3

/** Waits for the firmware as long as it does something. */
export function waiting(firmware: Firmware, attempts: readonly Attempt[], patienceMs: number) {
  const until = async (holds: () => boolean): Promise<boolean> => {
    const began = Date.now()
    while (!holds()) {
      const acted = Math.max(began, attempts.at(-1)?.at ?? 0, firmware.spoken.at(-1)?.at ?? 0)
      if (Date.now() - acted > patienceMs || Date.now() - began > BUSY_FACTOR * patienceMs) return false
      await delay(LOOK_EVERY_MS)
    }
    return true
  }
  return {
    until,
    async settled({ word }: Sale): Promise<void> {
      await until(() => firmware.spoken.some((one) => one.word === word && one.kind !== 'screen'))
    },
  }
}
