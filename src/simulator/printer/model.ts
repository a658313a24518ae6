import { type CodePage, EPSON_PAGES } from './code-pages.ts'

/** The properties of a printer model. */
export interface Model {
  /** Code pages by their numbers in `ESC t`. */
  codePages: Readonly<Record<number, CodePage>>
  /** Starts in Chinese mode, as clones do. */
  chinese: boolean
  /** Does not know `GS ( k`. */
  withoutNativeQr: boolean
  /** Does not know `GS ( H`. */
  withoutProcessId: boolean
  /** Does not know `GS r`. */
  withoutStatus: boolean
  dpi: number
  /** The width of a line. */
  dots: number
  /** Dots from the head to the cutter. */
  cutterDots: number
}

/** By default an Epson-like printer for 80 mm paper. */
export interface ModelOptions extends Partial<Omit<Model, 'cutterDots' | 'dpi' | 'dots'>> {
  /** The width of a line: 576 for 80 mm and 384 for 58 mm at 203 dpi, 512 at 180 dpi. */
  dots?: number
  dpi?: 180 | 203
  /** The distance from the head to the cutter. */
  cutterMm?: number
}

export function modelOf(options: ModelOptions): Model {
  const { dots = 576, dpi = 203, cutterMm = 14 } = options
  return {
    dots,
    dpi,
    codePages: options.codePages ?? EPSON_PAGES,
    chinese: options.chinese ?? false,
    withoutNativeQr: options.withoutNativeQr ?? false,
    withoutProcessId: options.withoutProcessId ?? false,
    withoutStatus: options.withoutStatus ?? false,
    cutterDots: Math.round((cutterMm * dpi) / 25.4),
  }
}
