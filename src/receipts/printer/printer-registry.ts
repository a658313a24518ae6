import { setTimeout as delay } from 'node:timers/promises'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { DevicePrinter } from '../../fiscal/ports/model.ts'
import { settingsOf } from '../escpos/printer-profiles.ts'
import type { Desk } from './printer-worker.ts'

/** A device's printer as it is used now. */
export interface Place {
  set: DevicePrinter
  settings: PrinterSettings
  desk: Desk
}

/** Which device prints where. */
export interface Desks {
  of(deviceId: string): Place | undefined
  all(): ReadonlyMap<string, Place>
  /**
   * Devices that have the same printer set in the same way share it; one that is set no longer is left. A printer that
   * cannot be used as it is set is reported, and the others are.
   * @param cutOff devices whose printers may still wait for the rest of something
   */
  bind(printers: readonly DevicePrinter[], cutOff: ReadonlySet<string>): Promise<void>
  close(): Promise<void>
}

/** A line is free for its next user a moment after its last one has left. What is being printed there takes longer. */
const LEAVE_MS = 1000

/** @param open throws when a printer cannot be used as it is set */
export function createDesks(
  open: (set: DevicePrinter, settings: PrinterSettings, interrupted: boolean) => Desk,
  reportFault: (error: unknown) => void,
): Desks {
  let places = new Map<string, Place>()
  let desks = new Map<string, Desk>()
  const leaving = new Set<Promise<void>>()

  function leave(desk: Desk): Promise<void> {
    const left = desk
      .leave()
      .catch(reportFault)
      .finally(() => leaving.delete(left))
    leaving.add(left)
    return left
  }

  return {
    of: (deviceId) => places.get(deviceId),
    all: () => places,
    async bind(printers, cutOff) {
      const all = printers.map((set) => {
        const settings = settingsOf(set.profile, set.overrides)
        return { set, settings, key: JSON.stringify([set.line, settings]) }
      })
      const wanted = new Set(all.map(({ key }) => key))
      const gone = [...desks].filter(([key]) => !wanted.has(key)).map(([, desk]) => leave(desk))
      if (gone.length > 0) await Promise.race([Promise.all(gone), delay(LEAVE_MS)])
      const bound = new Map<string, Place>()
      const opened = new Map<string, Desk>()
      for (const { set, settings, key } of all) {
        try {
          const desk = opened.get(key) ?? desks.get(key) ?? open(set, settings, cutOff.has(set.deviceId))
          opened.set(key, desk)
          bound.set(set.deviceId, { set, settings, desk })
        } catch (error) {
          reportFault(error)
        }
      }
      places = bound
      desks = opened
    },
    async close() {
      for (const desk of desks.values()) void leave(desk)
      await Promise.all(leaving)
    },
  }
}
