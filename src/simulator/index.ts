export type { CisError } from './errors.ts'
export type { RegisteredDevice } from './judge-receipt.ts'
export type { ReceivedMessage } from './ledger.ts'
export {
  DELIVERIES,
  FORGED_JIR,
  FORGERIES,
  HEARSAYS,
  type Misbehaviour,
  ODDITIES,
  OUTAGES,
  WRAPPINGS,
} from './misbehaviours.ts'
export {
  type CompanyCertificate,
  type CompanyOrder,
  createPki,
  loadPki,
  type Pki,
  type PkiFiles,
  type SignerOrder,
} from './pki.ts'
export type { AnswerMode } from './printer/answers.ts'
export type { CodePage } from './printer/code-pages.ts'
export type { PrinterError } from './printer/condition.ts'
export { type LogEntry, Machine, type MachineOptions } from './printer/machine.ts'
export { PRINTER_KINDS, type PrinterKind } from './printer/model.ts'
export type { Paper } from './printer/paper/roll.ts'
export { type PtyPrinter, type PtyPrinterOptions, startPtyPrinter } from './printer/pty-printer.ts'
export { startTcpPrinter, type TcpPrinter, type TcpPrinterOptions } from './printer/tcp-printer.ts'
export type { ReceivedRequest } from './requests/request-ledger.ts'
export { type Simulator, type SimulatorOptions, startSimulator } from './server.ts'
export type { KeyAndCertificate } from './x509.ts'
