import { type CodePage, EPSON_PAGES, STAR_PAGES } from './code-pages.ts'
import { CUSTOM_FONTS, type Fonts, STAR_FONTS, USUAL_FONTS } from './fonts.ts'

export interface Model {
  commands: 'escpos' | 'star_line' | 'star_raster'
  maker: 'epson' | 'custom'
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
  /** Does not know `GS ( L`: pictures in permanent memory. */
  withoutGraphics: boolean
  /** Does not know `GS v 0`: pictures as rows. */
  withoutRaster: boolean
  /** Reports changes from power on, as a memory switch of Star has it, without being asked to. */
  reportsFromStart: boolean
  /** Star: what it sends is followed by a length, as on Ethernet. */
  networkStatus: boolean
  fonts: Fonts
  /** Dots between the tops of two lines, after power on. */
  lineSpacing: number
  dpi: number
  /** The width of a line. */
  dots: number
  /** Dots from the head to the cutter. */
  cutterDots: number
}

/** By default an Epson-like printer for 80 mm paper. */
export interface ModelOptions extends Partial<Omit<Model, 'cutterDots' | 'dpi' | 'dots' | 'fonts' | 'lineSpacing'>> {
  /** The width of a line: 576 for 80 mm and 384 for 58 mm at 203 dpi, 512 at 180 dpi. */
  dots?: number
  dpi?: 180 | 203
  cutterMm?: number
}

export function modelOf(options: ModelOptions): Model {
  const { dots = 576, dpi = 203, cutterMm = 14, commands = 'escpos', maker = 'epson', ...given } = options
  // Custom has its own commands for these. Its KPM210 knows GS r [V].
  const lacks = maker === 'custom'
  return {
    chinese: false,
    withoutNativeQr: false,
    withoutProcessId: lacks,
    withoutStatus: lacks,
    withoutGraphics: lacks,
    withoutRaster: false,
    reportsFromStart: false,
    networkStatus: false,
    codePages: commands === 'escpos' ? EPSON_PAGES : STAR_PAGES,
    ...given,
    dots,
    dpi,
    commands,
    maker,
    fonts: commands !== 'escpos' ? STAR_FONTS : maker === 'custom' ? CUSTOM_FONTS : USUAL_FONTS,
    // Star: 4 mm [V].
    lineSpacing: commands === 'escpos' ? 30 : 32,
    cutterDots: Math.round((cutterMm * dpi) / 25.4),
  }
}

export const PRINTER_KINDS = {
  epson: {},
  custom: { maker: 'custom' },
  'star-line': { commands: 'star_line' },
  'star-raster': { commands: 'star_raster' },
  // POS-58, POS-80 and others that know the oldest commands only [S].
  clone: {
    chinese: true,
    withoutGraphics: true,
    withoutNativeQr: true,
    withoutProcessId: true,
    withoutRaster: true,
    withoutStatus: true,
  },
} as const satisfies Record<string, ModelOptions>

export type PrinterKind = keyof typeof PRINTER_KINDS

export const isPrinterKind = (name: string): name is PrinterKind => Object.hasOwn(PRINTER_KINDS, name)
