import type { PrinterProfile } from '../printer.ts'

/** What a profile is for, and how it was tested. */
export interface ProfileNote {
  printers: string
  testedWith: string
}

const BY_MANUAL = "maker's manual, virtual printer; no real one yet"
const SECOND_HAND = 'second-hand descriptions, virtual printer; no real one yet'
const PROVES_NOTHING = `${SECOND_HAND}. Cannot prove that a receipt came out`

export const PROFILE_NOTES: Readonly<Record<PrinterProfile, ProfileNote>> = {
  'epson-tm-t20': { printers: 'Epson TM-T20II and later', testedWith: BY_MANUAL },
  'epson-tm-t88': { printers: 'Epson TM-T88IV and later', testedWith: BY_MANUAL },
  'epson-tm-m30': { printers: 'Epson TM-m30', testedWith: BY_MANUAL },
  'custom-vkp80iii': {
    printers: 'Custom VKP80II and VKP80III, with presenter',
    testedWith: `${BY_MANUAL}. The presenter from second-hand descriptions`,
  },
  'custom-kpm': { printers: 'Custom KPM150, KPM180, KPM216H, with ejector', testedWith: BY_MANUAL },
  'citizen-ct-s': { printers: 'Citizen CT-S', testedWith: SECOND_HAND },
  'star-line': { printers: 'Star TSP650II, TSP700II, TSP800II in their own line mode', testedWith: BY_MANUAL },
  'star-tsp100': { printers: 'Star TSP100 and TSP143, which take pictures only', testedWith: BY_MANUAL },
  'star-escpos': { printers: 'Star printers that are switched to ESC/POS', testedWith: BY_MANUAL },
  'bixolon-srp': { printers: 'Bixolon SRP-350', testedWith: BY_MANUAL },
  'xprinter-xp': { printers: 'Xprinter XP', testedWith: SECOND_HAND },
  nippon: { printers: 'Nippon Primex for kiosks', testedWith: PROVES_NOTHING },
  snbc: { printers: 'SNBC BTP and BK-T', testedWith: PROVES_NOTHING },
  'pos-58': { printers: 'printers without a name for 58 mm paper', testedWith: PROVES_NOTHING },
  'pos-80': { printers: 'printers without a name for 80 mm paper', testedWith: PROVES_NOTHING },
  generic: { printers: 'all others', testedWith: SECOND_HAND },
}
