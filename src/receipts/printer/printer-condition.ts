import { type PrinterCondition, type PrinterReason, UNKNOWN_CONDITION } from '../../domain/printer.ts'
import { type Both, joined, together } from '../../domain/texts/both.ts'
import { PRINTER_WORDS } from '../../domain/texts/printer-texts.ts'
import type { LineError } from '../lines/line.ts'

/** An error that a printer reports: `unnamed` when it does not say which. */
export type PrinterFault = 'cutter' | 'overheated' | 'unrecoverable' | 'mechanical' | 'unnamed'

/** What a printer has reported, in whatever language it speaks. Null: not reported. */
export interface Reported {
  offline: boolean
  paper: PrinterCondition['paper']
  cover: PrinterCondition['cover']
  /** Empty without an error. */
  faults: readonly PrinterFault[] | null
}

export function describe({ offline, paper, cover, faults }: Reported): PrinterCondition {
  const error = faults && faults.length > 0
  const standing = offline || cover === 'open' || error === true || paper === 'out'
  const wrong: Wrong[] = []
  if (cover === 'open') wrong.push(OPEN)
  if (paper === 'out') wrong.push(OUT_OF_PAPER)
  // Some printers report an open cover as an error that ends by itself, as a hot head does.
  for (const fault of faults ?? []) if (fault !== 'overheated' || cover !== 'open') wrong.push(FAULTS[fault])
  if (standing && wrong.length === 0) wrong.push(STANDING)
  if (wrong.length === 0 && paper === 'near_end') wrong.push(NEAR_END)
  const text = (texts: Both[]) => (texts.length === 0 ? null : joined(texts, ' '))
  return {
    state: standing ? 'offline' : 'ready',
    paper,
    cover,
    error,
    // Without paper no cover and no switch helps.
    reason: paper === 'out' ? 'paper_out' : (wrong[0]?.reason ?? null),
    detail: text(wrong.map(({ detail }) => detail)),
    fix: text(wrong.map(({ fix }) => fix)),
  }
}

interface Wrong {
  reason: PrinterReason | null
  detail: Both
  fix: Both
}

const wrongIn = (reason: PrinterReason, fix: Both, detail = PRINTER_WORDS[reason]): Wrong => ({ reason, detail, fix })

const OPEN = wrongIn('cover_open', { en: 'Close the cover.', hr: 'Zatvorite poklopac.' })
const OUT_OF_PAPER = wrongIn('paper_out', { en: 'Load a new roll.', hr: 'Umetnite novu rolu.' })
const NEAR_END: Wrong = {
  reason: null,
  detail: PRINTER_WORDS.near_end,
  fix: { en: 'Load a new roll soon.', hr: 'Uskoro umetnite novu rolu.' },
}
const STANDING = wrongIn('offline', {
  en: 'Look at its lamps, and whether its feed button is held.',
  hr: 'Pogledajte lampice pisača i je li pritisnuta tipka za pomak papira.',
})
const JAMMED = {
  en: 'Look for jammed paper at the cutter, then switch the printer off and on.',
  hr: 'Provjerite je li papir zaglavljen kod noža, a zatim isključite i uključite pisač.',
}
const FAULTS: Record<PrinterFault, Wrong> = {
  cutter: wrongIn('cutter', {
    en: 'Switch the printer off, open the cover, take out the paper at the cutter, close it and switch it on.',
    hr: 'Isključite pisač, otvorite poklopac, izvadite papir kod noža, zatvorite poklopac i uključite pisač.',
  }),
  overheated: wrongIn('overheated', {
    en: 'Wait some minutes: it goes on by itself once it has cooled. If it happens often, give the printer more air.',
    hr:
      'Pričekajte nekoliko minuta: ispis se nastavlja automatski kad se ohladi. Ako se često ponavlja, ' +
      'osigurajte bolje hlađenje.',
  }),
  unrecoverable: wrongIn(
    'error',
    {
      en: 'Switch the printer off for ten seconds. If the error comes back, the printer or its power supply is defective.',
      hr: 'Isključite pisač na deset sekundi. Ako se pogreška vrati, neispravan je pisač ili njegovo napajanje.',
    },
    {
      en: 'The printer reports an error that it cannot recover from.',
      hr: 'Pisač javlja pogrešku koju ne može otkloniti.',
    },
  ),
  mechanical: wrongIn('error', JAMMED, {
    en: 'The printer reports a mechanical error.',
    hr: 'Pisač javlja mehaničku pogrešku.',
  }),
  unnamed: wrongIn('error', JAMMED),
}

/** The answers to `DLE EOT` 1, 2, 3 and 4; null without an answer. */
export interface StatusBytes {
  printer: number
  cause: number | null
  /** Only asked when `cause` reports an error. */
  fault: number | null
  paper: number | null
}

/** Bit in the answer to `DLE EOT 1`. */
export const OFFLINE = 0x08
/** Bit in the answer to `DLE EOT 2`. */
export const ERROR = 0x40

/** What the bits mean (Epson, ESC/POS reference, `DLE EOT n`; Custom, Citizen and Star in ESC/POS mode agree) [V]. */
export function readCondition({ printer, cause, fault, paper }: StatusBytes): PrinterCondition {
  const stopped = cause !== null && (cause & 0x20) !== 0
  return describe({
    offline: (printer & OFFLINE) !== 0,
    cover: cause === null ? null : cause & 0x04 ? 'open' : 'closed',
    paper: readPaper(paper, stopped),
    faults: cause === null ? null : cause & ERROR ? readFaults(fault ?? 0) : [],
  })
}

const FAULT_BITS: readonly (readonly [number, PrinterFault])[] = [
  [0x08, 'cutter'],
  [0x20, 'unrecoverable'],
  [0x04, 'mechanical'],
  [0x40, 'overheated'],
]

function readFaults(fault: number): PrinterFault[] {
  const named = FAULT_BITS.filter(([bit]) => fault & bit).map(([, name]) => name)
  return named.length > 0 ? named : ['unnamed']
}

function readPaper(paper: number | null, stopped: boolean): PrinterCondition['paper'] {
  if (stopped) return 'out'
  if (paper === null) return null
  if (paper & 0x60) return 'out'
  return paper & 0x0c ? 'near_end' : 'ok'
}

/** A condition in which the printer has reported nothing. */
function unsaid(
  state: PrinterCondition['state'],
  reason: PrinterReason | null,
  detail: Both,
  fix: Both,
): PrinterCondition {
  return { ...UNKNOWN_CONDITION, state, reason, detail, fix }
}

/** Commands name the device as DEVICE; who shows them puts its label there. */
const SET = 'fisk printer set DEVICE'
/** What makes bytes on a serial line meaningless. */
export const CHECK_LINE = {
  en: `On a serial line, check the cable, and that baud rate, parity and stop bits are those of the printer: ${SET} --baud-rate N --parity P.`,
  hr:
    'Na serijskom priključku provjerite kabel te jesu li brzina, paritet i stop bitovi isti kao na ' +
    `pisaču: ${SET} --baud-rate N --parity P.`,
}
const NEVER = `${SET} --answers never`

/** The printer may be of a kind that never answers, or it may be off. */
export const NEVER_ANSWERED = unsaid(
  'unknown',
  null,
  {
    en: 'The printer has not answered yet: it may be off, or be one that never answers.',
    hr: 'Pisač još nije odgovorio: možda je isključen ili je od onih koji nikad ne odgovaraju.',
  },
  {
    en: `Print a test page: fisk printer test DEVICE. If it comes out, the printer never answers: ${NEVER}.`,
    hr: `Ispišite probnu stranicu: fisk printer test DEVICE. Ako se ispiše, pisač nikad ne odgovara: ${NEVER}.`,
  },
)
/** The same of a kind that answers; without an answer nothing is printed. */
export const SILENT_SO_FAR = unsaid(
  'silent',
  'no_answer',
  { en: 'The printer has not answered on this line so far.', hr: 'Pisač na ovom priključku dosad nije odgovorio.' },
  {
    en: `Check its power, its cable and its profile. ${CHECK_LINE.en} If it prints and never answers: ${NEVER}, then fisk printer test DEVICE.`,
    hr:
      `Provjerite napajanje, kabel i profil pisača. ${CHECK_LINE.hr} Ako ispisuje, a nikad ne odgovara: ${NEVER}, a zatim ` +
      'fisk printer test DEVICE.',
  },
)
const NO_ANSWER_FIX = {
  en: `Check its power and its cable. ${CHECK_LINE.en}`,
  hr: `Provjerite napajanje i kabel pisača. ${CHECK_LINE.hr}`,
}
const SILENT = unsaid('silent', 'no_answer', PRINTER_WORDS.no_answer, NO_ANSWER_FIX)
/** One that stands takes nothing any more once its buffer is full of questions. */
export function silentAfter(before: PrinterCondition): PrinterCondition {
  if (before.state === 'silent') return before
  if (before.state !== 'offline') return SILENT
  return unsaid(
    'silent',
    // What stopped it keeps receipts from coming out, whatever else happens.
    before.reason ?? 'no_answer',
    {
      en: `The printer does not answer any more. Before: ${before.detail?.en}`,
      hr: `Pisač više ne odgovara. Prije toga: ${before.detail?.hr}`,
    },
    before.fix === null ? NO_ANSWER_FIX : together`${before.fix} ${NO_ANSWER_FIX}`,
  )
}
/** What arrives is not what a printer of this kind says. */
const noise = (detail: Both, fix: Both) => unsaid('silent', 'noise', detail, fix)
export const GARBLED = noise(
  {
    en: 'What arrives makes no sense: there is noise on the line, or something else than a printer.',
    hr: 'Pristigli podaci nemaju smisla: na vodu su smetnje ili na njemu nije pisač.',
  },
  CHECK_LINE,
)
/** What is at the other end of a line, when it is no printer that answers in the language that is set. */
export type Peer = 'echo' | 'star' | 'escpos' | 'text'
/** Something is at the other end, and it is not what was set. */
export const MISTAKEN: Readonly<Record<Peer, PrinterCondition>> = {
  echo: noise(
    {
      en: 'What fiskd sends comes back: the line has an echo, and no printer answers on it.',
      hr: 'Poslani podaci vraćaju se natrag: na vodu je jeka i nijedan pisač na njemu ne odgovara.',
    },
    {
      en: 'Check that the cable leads to the printer: two of its wires may be joined, or something else is at its end.',
      hr: 'Provjerite vodi li kabel do pisača: možda su dvije žice spojene ili je na drugom kraju nešto drugo.',
    },
  ),
  star: noise(
    {
      en: 'A Star printer answers in its own language, and is set as another one.',
      hr: 'Odgovara pisač Star u vlastitom jeziku, a postavljen je kao drugi.',
    },
    {
      en: `Set its profile: ${SET} --profile star-line, or star-tsp100 for a TSP100. In ESC/POS mode it is star-escpos.`,
      hr:
        `Postavite mu profil: ${SET} --profile star-line, a za TSP100 star-tsp100. U načinu ESC/POS to je ` +
        'star-escpos.',
    },
  ),
  text: noise(
    {
      en: 'Something answers with text, as a modem or a console does, and no printer.',
      hr: 'Nešto odgovara tekstom, kao modem ili konzola, a ne kao pisač.',
    },
    {
      en: 'Set the line of the printer: fisk printer list shows the lines of this machine.',
      hr: 'Postavite priključak pisača: fisk printer list pokazuje priključke ovog računala.',
    },
  ),
  escpos: noise(
    {
      en: 'The printer answers in ESC/POS, and is set as a Star in its own language.',
      hr: 'Pisač odgovara u jeziku ESC/POS, a postavljen je kao Star u vlastitom jeziku.',
    },
    {
      en: `Set its profile: for a Star in ESC/POS mode ${SET} --profile star-escpos.`,
      hr: `Postavite mu profil: za Star u načinu ESC/POS ${SET} --profile star-escpos.`,
    },
  ),
}

export const lost = (error: LineError): PrinterCondition => unsaid('lost', reasonOf(error), error.said, error.fix)

export const reasonOf = ({ code }: LineError): PrinterReason => (code === 'flooded' ? 'noise' : 'line_lost')

/** What is wrong and what to do about it, in one text, as print jobs keep it. */
export const sayAll = ({ detail, fix }: Pick<PrinterCondition, 'detail' | 'fix'>): string | null =>
  [detail?.en, fix?.en].filter(Boolean).join(' ') || null
