import type { PrinterSettings } from '../../../domain/printer.ts'
import type { Dialect } from './dialect.ts'
import { EPSON } from './epson.ts'

/** The language in which a printer with these settings answers. */
export function dialectOf(_settings: PrinterSettings): Dialect {
  return EPSON
}
