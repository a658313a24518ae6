/** Printers whose defaults are known; `generic` for all others. */
export const PRINTER_PROFILES = [
  'epson-tm-t20',
  'epson-tm-t88',
  'epson-tm-m30',
  'custom-vkp80iii',
  'custom-kpm',
  'citizen-ct-s',
  'star-escpos',
  'bixolon-srp',
  'xprinter-xp',
  'generic',
] as const
export type PrinterProfile = (typeof PRINTER_PROFILES)[number]

/** Paper by characters of font A on a line: 58 mm has 32, 80 mm 48, at 180 dpi 42. */
export const PAPER_COLUMNS = [32, 35, 42, 44, 48] as const
export const ENCODINGS = ['cp852', 'windows1250', 'iso8859-2', 'ascii'] as const
export const QR_MODES = ['native', 'raster'] as const
/** `feed`: to the cutter, then cut (`GS V 66`); `plain`: where the paper is (`GS V 0`), after blank lines. */
export const CUTS = ['feed', 'plain', 'none'] as const
/** Whether a printer answers when it is asked; `maybe`: nobody knows until it has answered once. */
export const ANSWERS = ['yes', 'maybe', 'never'] as const
/** How a printer tells that a receipt is out: `GS ( H`, `GS r`, `DLE EOT` before and after, or not at all. */
export const CONFIRMATIONS = ['process_id', 'status', 'realtime', 'none'] as const
export const FLOW_CONTROLS = ['none', 'rts_cts', 'xon_xoff'] as const

/** Everything about a printer that a profile has a default for and a technician can override. */
export interface PrinterSettings {
  columns: (typeof PAPER_COLUMNS)[number]
  dpi: 180 | 203
  encoding: (typeof ENCODINGS)[number]
  /** The n of `ESC t`; nobody cares with `ascii`. */
  codePage: number
  qr: (typeof QR_MODES)[number]
  cut: (typeof CUTS)[number]
  /** Blank lines before a `plain` cut or the end: to get past the tear bar. */
  feedLines: number
  /** Raw bytes around a receipt, hex, e.g. for a presenter. */
  beforeHex: string
  afterHex: string
  answers: (typeof ANSWERS)[number]
  confirm: (typeof CONFIRMATIONS)[number]
  /** How long an answer to a question may take; a printer that has lost power takes longer. */
  answerTimeoutMs: number
  /** How long printing may take once everything is sent. */
  confirmTimeoutMs: number
  baudRate: number
  flowControl: (typeof FLOW_CONTROLS)[number]
}

/** The pages that printers are known to have Croatian letters on (spec/printing.md, Letters). */
export const LETTER_PAGES: readonly Pick<PrinterSettings, 'encoding' | 'codePage'>[] = [
  { encoding: 'cp852', codePage: 18 },
  ...[45, 47, 30, 72, 3].map((codePage) => ({ encoding: 'windows1250' as const, codePage })),
  { encoding: 'iso8859-2', codePage: 39 },
]

/**
 * Where a printer is: a serial port, the USB printer class, a TCP address, or a file that takes the bytes.
 * Written as `serial:/dev/serial/by-id/…`, `usb:/dev/usb/lp0`, `tcp:192.168.1.9:9100`, `file:/tmp/receipts.bin`.
 */
export type LineAddress =
  | { kind: 'serial' | 'usb' | 'file'; path: string }
  | { kind: 'tcp'; host: string; port: number }

/** @returns undefined for anything else. A bare path below `/dev` is taken for what its name says. */
export function parseLineAddress(text: string): LineAddress | undefined {
  const path = /^(serial|usb|file):(\/[^\0]*[^/\0])$/.exec(text)
  if (path) return { kind: path[1] as 'serial' | 'usb' | 'file', path: String(path[2]) }
  if (/^\/dev\/((usb\/)?lp\d+|fiskd\/printer-usb-[^/\0]+)$/.test(text)) return { kind: 'usb', path: text }
  if (/^\/dev\/(serial\/by-(id|path)\/[^/\0]+|fiskd\/printer-serial-[^/\0]+|tty[A-Za-z0-9]+)$/.test(text))
    return { kind: 'serial', path: text }
  const tcp = /^tcp:(\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+)(?::(\d{1,5}))?$/.exec(text)
  const port = Number(tcp?.[2] ?? 9100)
  if (!tcp || port < 1 || port > 65535) return undefined
  return { kind: 'tcp', host: String(tcp[1]).replace(/^\[|\]$/g, ''), port }
}

export function formatLineAddress(address: LineAddress): string {
  if (address.kind !== 'tcp') return `${address.kind}:${address.path}`
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return `tcp:${host}:${address.port}`
}

/** What a printer says of itself. */
export interface PrinterCondition {
  /**
   * `ready`; `offline`: it answers and does not print (cover, error, paper); `silent`: it does not answer; `lost`: the line
   * cannot be opened or has broken; `unknown`: nobody has looked yet, or it cannot be asked.
   */
  state: 'ready' | 'offline' | 'silent' | 'lost' | 'unknown'
  /** Null when it has not said. */
  paper: 'ok' | 'near_end' | 'out' | null
  cover: 'closed' | 'open' | null
  error: boolean | null
  /** For people: what is wrong; null when all is well. */
  detail: string | null
  /** For people: what to do about it. */
  fix: string | null
}

export const PRINT_JOB_STATUSES = ['queued', 'sending', 'printed', 'unconfirmed', 'failed', 'expired'] as const
export type PrintJobStatus = (typeof PRINT_JOB_STATUSES)[number]
