import type { Bitmap } from '../drawing/bitmap.ts'

/** `small`: the small font of the printer, where it has one; `tall`: double height; `double`: double height and width. */
export const TEXT_SIZES = ['small', 'normal', 'tall', 'double'] as const
export type TextSize = (typeof TEXT_SIZES)[number]

/** Letters of one style. The small font never stands on a line with another one. */
export interface Span {
  text: string
  bold: boolean
  size: TextSize
}

/** The text of a line is composed: it fits the paper, spaces and all. A line without spans is blank. */
export interface Line {
  kind: 'line'
  spans: readonly Span[]
  align: 'left' | 'center'
  /** Close to the next line; otherwise the lines stand as far apart as a printer has them by default. */
  tight: boolean
}

/**
 * A QR code. The lines stand at its right side, the first one at its upper edge, all of them tight, left-aligned and of
 * normal size; without lines the code stands in the middle of the paper.
 */
export interface QrBlock {
  kind: 'qr'
  payload: string
  beside: readonly Line[]
  /** As small as the law allows. */
  tight: boolean
}

/** A part of a receipt from top to bottom. A picture stands in the middle, and is not wider than the paper. */
export type Block = Line | { kind: 'gap'; mm: number } | QrBlock | { kind: 'picture'; bitmap: Bitmap }

export const textOf = ({ spans }: Line): string => spans.map(({ text }) => text).join('')
