import type { PrinterReason } from '../printer.ts'
import type { Both } from './both.ts'

export const PRINTER_WORDS: Record<PrinterReason | 'near_end', Both> = {
  paper_out: { hr: 'Nema papira.', en: 'The paper is out.' },
  near_end: { hr: 'Papir je pri kraju.', en: 'The paper is near its end.' },
  cover_open: { hr: 'Poklopac je otvoren.', en: 'The cover is open.' },
  cutter: { hr: 'Nož je zaglavljen.', en: 'The cutter is jammed.' },
  overheated: { hr: 'Glava pisača je pregrijana.', en: 'The print head is too hot.' },
  error: { hr: 'Pisač javlja pogrešku.', en: 'The printer reports an error.' },
  offline: { hr: 'Pisač ne ispisuje i ne javlja zašto.', en: 'The printer is offline and does not say why.' },
  no_answer: { hr: 'Pisač ne odgovara.', en: 'The printer does not answer.' },
  line_lost: { hr: 'Veza s pisačem je prekinuta.', en: 'The connection to the printer is lost.' },
  noise: { hr: 'Pristigli podaci nemaju smisla.', en: 'What arrives makes no sense.' },
}

/** What a gateway has said of a printer; newer versions may know more reasons. Null when it has said only the state. */
export function sayPrinter(
  { paper, reason }: { paper: string | null; reason: string | null },
  language: 'hr' | 'en',
): string | null {
  if (reason === null) return paper === 'near_end' ? PRINTER_WORDS.near_end[language] : null
  return Object.hasOwn(PRINTER_WORDS, reason) ? PRINTER_WORDS[reason as PrinterReason][language] : reason
}
