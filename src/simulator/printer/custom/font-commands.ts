import { type Commands, taking } from '../command-context.ts'
import { CUSTOM_FONTS, CUSTOM_NARROW_FONTS } from '../fonts.ts'

/** `ESC C1` makes both fonts narrower, from 11 and 15 characters to the inch to 15 and 20 [V: KPM150H]. */
export const FONT_COMMANDS: Commands = {
  '\x1b\xc1': taking(1, ({ modes }, n = 0) => {
    modes.fonts = n & 1 ? CUSTOM_NARROW_FONTS : CUSTOM_FONTS
  }),
}
