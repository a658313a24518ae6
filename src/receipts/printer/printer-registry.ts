import { setTimeout as delay } from 'node:timers/promises'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { DevicePrinter } from '../../fiscal/ports/model.ts'
import { settingsOf } from '../escpos/printer-profiles.ts'
import type { PrinterWorker } from './printer-worker.ts'

export interface BoundPrinter {
  set: DevicePrinter
  settings: PrinterSettings
  worker: PrinterWorker
}

/** How long the next user of a line waits for the last one to close it; a running print takes longer. */
const LEAVE_MS = 1000

/** Which device prints on which printer. @param open throws when a printer has unusable settings */
export function createPrinterRegistry(
  open: (set: DevicePrinter, settings: PrinterSettings, interrupted: boolean) => PrinterWorker,
  reportFault: (error: unknown) => void,
) {
  let byDevice = new Map<string, BoundPrinter>()
  let workers = new Map<string, PrinterWorker>()
  const leaving = new Set<Promise<void>>()

  function leave(worker: PrinterWorker): Promise<void> {
    const left = worker
      .close()
      .catch(reportFault)
      .finally(() => leaving.delete(left))
    leaving.add(left)
    return left
  }

  return {
    of: (deviceId: string): BoundPrinter | undefined => byDevice.get(deviceId),
    all: (): ReadonlyMap<string, BoundPrinter> => byDevice,
    /**
     * Devices with the same printer and settings share it; a printer that no device has any more is closed. A printer
     * with unusable settings is reported, and the others are used.
     * @param interrupted lines to printers that may still have something of an earlier receipt
     */
    async bind(printers: readonly DevicePrinter[], interrupted: ReadonlySet<string>): Promise<void> {
      const all = printers.map((set) => {
        const settings = settingsOf(set.profile, set.overrides)
        return { set, settings, key: JSON.stringify([set.line, settings]) }
      })
      const wanted = new Set(all.map(({ key }) => key))
      const gone = [...workers].filter(([key]) => !wanted.has(key)).map(([, worker]) => leave(worker))
      if (gone.length > 0) await Promise.race([Promise.all(gone), delay(LEAVE_MS)])
      const bound = new Map<string, BoundPrinter>()
      const opened = new Map<string, PrinterWorker>()
      for (const { set, settings, key } of all) {
        try {
          const worker = opened.get(key) ?? workers.get(key) ?? open(set, settings, interrupted.has(set.line))
          opened.set(key, worker)
          bound.set(set.deviceId, { set, settings, worker })
        } catch (error) {
          reportFault(error)
        }
      }
      byDevice = bound
      workers = opened
    },
    async close(): Promise<void> {
      for (const worker of workers.values()) void leave(worker)
      await Promise.all(leaving)
    },
  }
}
