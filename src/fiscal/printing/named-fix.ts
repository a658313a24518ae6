import type { PrinterCondition } from '../../domain/printer.ts'
import { shellWord } from '../../domain/shell-word.ts'

/** The condition with the device in the commands of its fix, ready to be typed. */
export function withDevice(condition: PrinterCondition, label: string): PrinterCondition {
  const { fix } = condition
  return fix?.includes('DEVICE') ? { ...condition, fix: fix.replaceAll('DEVICE', () => shellWord(label)) } : condition
}
