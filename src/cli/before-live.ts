import { skipped } from '../domain/check.ts'
import type { Both } from '../domain/texts/both.ts'

const check = (en: string, hr: string, todo: Both) => skipped({ en, hr }, todo)

/** What has to be done before the first live sale and no program can see (docs/before-live.md). */
export const BEFORE_LIVE = [
  check('registration', 'prijava', {
    en: 'each machine is a premises of its own in ePorezna, with working hours, before its first sale: fisk isu pending',
    hr: 'svaki je uređaj u ePoreznoj zaseban poslovni prostor s radnim vremenom, i to prije prve prodaje: fisk isu pending',
  }),
  check('ISU notice', 'ISU obavijest', {
    en: 'the printed notice of ePorezna (ISPIS ISU OBAVIJESTI) is on each machine, where customers see it',
    hr: 'na svakom je uređaju vidljivo istaknuta ISU obavijest (u ePoreznoj: ISPIS ISU OBAVIJESTI)',
  }),
  check('internal act', 'interni akt', {
    en: 'the rules of numbering and the premises codes are in the internal act of the company',
    hr: 'pravila slijednosti brojeva i oznake poslovnih prostora u internom su aktu tvrtke',
  }),
  check('maker of the software', 'proizvođač softvera', {
    en: 'the OIB of the maker or maintainer of the software is entered in ePorezna',
    hr: 'OIB proizvođača ili održavatelja programa upisan je u ePoreznoj',
  }),
  check('two days of test', 'dva dana testa', {
    en: 'for two days the machines have sold in test mode, without findings and with a JIR for each sale',
    hr: 'uređaji su dva dana prodavali u testnom radu, bez zamjerki i s JIR-om za svaku prodaju',
  }),
  check('paper or none', 'papir ili bez njega', {
    en: 'it is decided whether machines print: a receipt on paper is complete; without one, the screen shows the QR code',
    hr: 'odlučeno je ispisuju li uređaji račune: ispisani račun je potpun, a bez njega zaslon prikazuje QR kod',
  }),
]
