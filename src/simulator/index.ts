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
export {
  type AnswerMode,
  type CodePage,
  type LogEntry,
  Machine,
  type MachineOptions,
  type Paper,
  PRINTER_KINDS,
  type PrinterError,
  type PrinterKind,
  type PtyPrinter,
  type PtyPrinterOptions,
  startPtyPrinter,
  startTcpPrinter,
  type TcpPrinter,
  type TcpPrinterOptions,
} from './printer/index.ts'
export type { ReceivedRequest } from './requests/request-ledger.ts'
export { type Simulator, type SimulatorOptions, startSimulator } from './server.ts'
export type { KeyAndCertificate } from './x509.ts'
