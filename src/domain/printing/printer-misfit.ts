import type { PrinterSettings } from '../printer.ts'

/** A setting that does not fit the others, and what to do. */
export interface Misfit {
  setting: 'commands' | 'confirm' | 'cut' | 'not_taken'
  problem: string
}

export function misfitOf({ commands, confirm, cut, notTaken }: PrinterSettings): Misfit | undefined {
  const isStar = commands !== 'escpos'
  if (isStar && confirm !== 'star' && confirm !== 'realtime' && confirm !== 'none')
    return { setting: 'confirm', problem: `a printer with ${commands} has no ${confirm}: set it to star` }
  if (!isStar && confirm === 'star')
    return { setting: 'confirm', problem: 'star needs the commands star_line or star_raster' }
  if (confirm === 'custom' && cut === 'none')
    return { setting: 'confirm', problem: 'custom proves a receipt by its cut: set a cut, or confirm to realtime' }
  if (isStar && (cut === 'present' || cut === 'eject'))
    return { setting: 'cut', problem: `${cut} is a command of Custom: set it to feed, plain or none` }
  if (notTaken !== 'keep' && cut !== 'present')
    return { setting: 'not_taken', problem: 'only a presenter acts on receipts: set cut to present, or this to keep' }
  return undefined
}
