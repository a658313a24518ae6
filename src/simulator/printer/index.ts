export type { AnswerMode } from './answers.ts'
export type { CodePage } from './code-pages.ts'
export type { PrinterError } from './condition.ts'
export { isPrinterKind, PRINTER_KINDS, type PrinterKind } from './kinds.ts'
export { type LogEntry, Machine, type MachineOptions } from './machine.ts'
export type { Paper } from './paper/roll.ts'
export { PtyPrinter, type PtyPrinterOptions, startPtyPrinter } from './pty-printer.ts'

export { startTcpPrinter, TcpPrinter, type TcpPrinterOptions } from './tcp-printer.ts'
