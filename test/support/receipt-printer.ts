import type { LineAddress, PrinterCondition, PrinterSettings } from '../../src/domain/printer.ts'
import { settingsOf } from '../../src/receipts/escpos/printer-profiles.ts'
import type { Line } from '../../src/receipts/lines/line.ts'
import { openLine } from '../../src/receipts/lines/open-line.ts'
import { EPSON } from '../../src/receipts/printer/dialects/epson.ts'
import { createPrinter, type Printer, type PrintResult } from '../../src/receipts/printer/printer.ts'
import type { Timing } from '../../src/receipts/printer/printer-timing.ts'
import { createQuestions, type Questions, type QuestionsOptions } from '../../src/receipts/printer/questions.ts'
import type { PtyPrinter, PtyPrinterOptions } from '../../src/simulator/index.ts'
import { PATIENCE_MS } from './patience.ts'
import { startPrinter } from './printer.ts'
import { bytesIn, type ReceiptKind, timesOnPaper as timesOnPaperOf } from './receipt-kinds.ts'

type AtTheEnd = (close: () => void | Promise<void>) => void

/** All that waits waits hardly, so that tests are fast. */
const HASTY: Timing = {
  lookEveryMs: 100,
  freshMs: 150,
  pollMs: 20,
  standMs: 50,
  leastMs: 400,
  stopMs: 200,
  mmPerS: 4000,
  cutMs: 100,
  reopenMs: { first: 20, last: 100 },
}

export function hastySettings(overrides: Partial<PrinterSettings> = {}): PrinterSettings {
  return settingsOf('epson-tm-t20', { ...HASTY_SETTINGS, ...overrides })
}

const HASTY_SETTINGS = { answerTimeoutMs: PATIENCE_MS, confirmTimeoutMs: PATIENCE_MS, baudRate: 921_600 }

/** For tests of a printer that falls silent: how soon it is taken for one. */
export const IMPATIENT: Partial<PrinterSettings> = { answerTimeoutMs: 400, confirmTimeoutMs: 400 }

export interface TestJob {
  segments?: Uint8Array[]
  waitMs?: number
  begin?: () => Promise<boolean>
  signal?: AbortSignal
}

/** Our side of a printer, with a count of the jobs that began. */
export interface Host {
  readonly printer: Printer
  readonly conditions: PrinterCondition[]
  begins: number
  print(job?: TestJob): Promise<PrintResult>
}

export function startHost(
  address: LineAddress,
  settings: PrinterSettings,
  atTheEnd: AtTheEnd,
  timing: Partial<Timing> = {},
  interrupted = false,
): Host {
  const conditions: PrinterCondition[] = []
  const printer = createPrinter({
    ...{ address, settings, openLine, interrupted },
    clock: { elapsed: () => performance.now() },
    timing: { ...HASTY, ...timing },
    changed: (condition) => conditions.push(condition),
  })
  printer.start()
  atTheEnd(() => printer.close())
  const host: Host = {
    printer,
    conditions,
    begins: 0,
    print({ segments = receipt(), waitMs = PATIENCE_MS, begin = async () => true, signal } = {}) {
      return printer.print({
        encode: () => ({ segments }),
        begin() {
          host.begins += 1
          return begin()
        },
        giveUpAt: performance.now() + waitMs,
        ...(signal && { signal }),
      })
    },
  }
  return host
}

/** Both, on a serial line. */
export async function startPair(
  {
    settings = {},
    timing = {},
    ...options
  }: PtyPrinterOptions & { settings?: Partial<PrinterSettings>; timing?: Partial<Timing> },
  atTheEnd: AtTheEnd,
) {
  const machine = await startPrinter(options, atTheEnd)
  const host = startHost({ kind: 'serial', path: machine.path }, hastySettings(settings), atTheEnd, timing)
  return { machine, host }
}

/** A printer of some kind on a serial line, our side of it, and a judge who reads what lies on its paper. */
export async function startKind(
  kind: ReceiptKind,
  {
    settings = {},
    timing = {},
    ...options
  }: PtyPrinterOptions & { settings?: Partial<PrinterSettings>; timing?: Partial<Timing> },
  atTheEnd: AtTheEnd,
) {
  const machine = await startPrinter({ ...kind.machine, ...options }, atTheEnd)
  const ours = settingsOf(kind.profile, { ...HASTY_SETTINGS, ...kind.settings, ...settings })
  let host = startHost({ kind: 'serial', path: machine.path }, ours, atTheEnd, timing)
  return {
    machine,
    get host() {
      return host
    },
    /** Another process of ours, which knows only that the last receipt was not printed. */
    async restart() {
      await host.printer.close()
      host = startHost({ kind: 'serial', path: machine.path }, ours, atTheEnd, timing, true)
    },
    /** Prints a receipt of this title. */
    print: (title = 'ONE', job: TestJob = {}) => host.print({ segments: kind.receipt(title), ...job }),
    /** How often it lies there, whole and cut. */
    onPaper: (title = 'ONE') => timesOnPaperOf(kind, machine.papers, kind.receipt(title)),
    /** Does something when this part of the receipt that is begun now was taken: 0 is nothing of it, 1 all. */
    when: (part: number, act: () => void) =>
      machine.at(machine.printedBytes + Math.ceil(part * bytesIn(kind.receipt())), act),
  }
}

/** Questions to an Epson at the other end of a line. */
export function questionsOver(line: Line, options: Partial<QuestionsOptions> = {}): Questions {
  const ours = { dialect: EPSON, answerTimeoutMs: 400, msPerByte: 0, behindMs: () => 0, onStands() {}, onMark() {} }
  return createQuestions(line, { ...ours, ...options })
}

/** A made-up receipt: start, text, a picture in bands, feed and cut. Every line is another one, and the last one tells all is there. */
export function receipt(title = 'ONE', lines = 30, bands = 4): Uint8Array[] {
  const text = Array.from({ length: lines }, (_, n) =>
    Buffer.from(`${title} line ${String(n).padStart(3, '0')} of goods 1,00\n`),
  )
  const band = () => Buffer.concat([Buffer.from([0x1d, 0x76, 0x30, 0, 36, 0, 14, 0]), Buffer.alloc(36 * 14, 0xaa)])
  return [
    Buffer.from('\x1b@\x1c.\x1bt\x12', 'latin1'),
    ...text,
    ...Array.from({ length: bands }, band),
    Buffer.from(`${title} end\n\x1dVB\x00`, 'latin1'),
  ]
}

/** How often the whole receipt is on paper. */
export function timesOnPaper(machine: PtyPrinter, title = 'ONE', lines = 30, bands = 4): number {
  const whole = [
    ...Array.from({ length: lines }, (_, n) => `${title} line ${String(n).padStart(3, '0')} of goods 1,00`),
    ...(bands > 0 ? [`[picture 288 x ${bands * 14}]`] : []),
    `${title} end`,
  ].join('\n')
  return machine.papers.filter(({ text, cut }) => cut && text.includes(whole)).length
}
