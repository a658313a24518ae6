/** Dots of a character before scaling. */
export interface Font {
  readonly width: number
  readonly height: number
  /** Blank dots to the right of each character. */
  readonly space?: number
}

export type Fonts = readonly [Font, Font]

/** Epson [V] and most others [S]. */
export const USUAL_FONTS: Fonts = [
  { width: 12, height: 24 },
  { width: 9, height: 17 },
]

/** Star; the small one is [S]. */
export const STAR_FONTS: Fonts = [
  { width: 12, height: 24 },
  { width: 9, height: 24 },
]

// Custom, by characters to the inch: 18, 13 and 10 dots wide [V: KPM210; KPM150H has 14 dots for 15].
const CUSTOM_11: Font = { width: 12, height: 24, space: 6 }
const CUSTOM_15: Font = { width: 12, height: 24, space: 1 }
const CUSTOM_20: Font = { width: 10, height: 24 }

export const CUSTOM_FONTS: Fonts = [CUSTOM_11, CUSTOM_15]
/** After `ESC C1 1`. */
export const CUSTOM_NARROW_FONTS: Fonts = [CUSTOM_15, CUSTOM_20]
