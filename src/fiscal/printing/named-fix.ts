import type { PrinterCondition } from '../../domain/printer.ts'
import { shellWord } from '../../domain/shell-word.ts'

/** The condition with the device in the commands of its fix, ready to be typed. */
export function withDevice(condition: PrinterCondition, label: string): PrinterCondition {
  const { fix } = condition
  if (fix === null) return condition
  const named = (text: string) => text.replaceAll('DEVICE', () => shellWord(label))
  return { ...condition, fix: { en: named(fix.en), hr: named(fix.hr) } }
}
