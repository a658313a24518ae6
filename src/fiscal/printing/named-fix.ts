import type { PrinterCondition } from '../../domain/printer.ts'
import { withDeviceName } from '../../domain/shell-word.ts'

/** The condition with the device in the commands of its fix, ready to be typed. */
export function withDevice(condition: PrinterCondition, label: string): PrinterCondition {
  const { fix } = condition
  if (fix === null) return condition
  return { ...condition, fix: { en: withDeviceName(fix.en, label), hr: withDeviceName(fix.hr, label) } }
}
