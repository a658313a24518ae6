import { type Commands, taking } from '../command-context.ts'
import { interpreter } from '../interpreter.ts'
import type { Language } from '../language.ts'
import { END_COMMANDS } from './end-commands.ts'
import { LINE_COMMANDS } from './line-commands.ts'
import { PICTURE_COMMANDS } from './picture-commands.ts'
import { QR_COMMANDS } from './qr-commands.ts'
import { rasterMode, unknownByte } from './raster.ts'
import { askedByOneByteToo, askedByThreeBytes } from './realtime.ts'
import { automaticStatus } from './status.ts'

const LINE_MODE: Commands = {
  ...LINE_COMMANDS,
  ...PICTURE_COMMANDS,
  ...QR_COMMANDS,
  ...END_COMMANDS,
  // Density and speed.
  '\x1b\x1ed': taking(1, () => {}),
  '\x1b\x1er': taking(1, () => {}),
  '\x1b*rA': rasterMode,
}

/** What a printer for raster data knows outside of raster mode (STAR Graphic Mode Command Specifications [V]). */
const GRAPHIC_MODE: Commands = {
  ...END_COMMANDS,
  '\x07': (desk) => desk.bell(),
  '\x1b\x07': taking(2, () => {}),
  '\x1b\x1eA': taking(1, () => {}),
  '\x1b\x1ed': taking(1, () => {}),
  '\x1b\x1er': taking(1, () => {}),
  '\x1b*rR': () => {},
  '\x1b*rA': rasterMode,
}

/** TSP650, TSP700, TSP800. */
export const STAR_LINE: Language = {
  findRealtime: askedByOneByteToo,
  interpret: (desk) => interpreter(desk, LINE_MODE),
  automaticStatus,
}

/** TSP100, TSP143: they print nothing but raster data. */
export const STAR_RASTER: Language = {
  findRealtime: askedByThreeBytes,
  interpret: (desk) => interpreter(desk, GRAPHIC_MODE, { text: unknownByte }),
  automaticStatus,
}
