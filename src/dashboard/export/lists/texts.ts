import { inBoth } from '../../language.ts'
import { MODE_NAMES } from '../../shared-texts.ts'

export const texts = inBoth({
  modes: MODE_NAMES,
  why: { en: 'Reason', hr: 'Razlog' },
  mode: { en: 'Mode', hr: 'Način rada' },
  isuState: { en: 'State of the ISU number', hr: 'Stanje ISU broja' },
  silent: { en: 'No sales for an unusually long time', hr: 'Neuobičajeno dugo bez prodaje' },
  yes: { en: 'yes', hr: 'da' },
  no: { en: 'no', hr: 'ne' },
  id: { en: 'Record ID', hr: 'Oznaka zapisa' },
  acknowledgedBy: { en: 'Acknowledged by', hr: 'Vidio korisnik' },
  action: { en: 'Action', hr: 'Vrsta radnje' },
  actor: { en: 'User ID', hr: 'Oznaka korisnika' },
  files: {
    devices: { en: 'devices', hr: 'uredaji' },
    invoices: { en: 'list-of-invoices', hr: 'popis-racuna' },
    isu: { en: 'eporezna', hr: 'eporezna' },
    alerts: { en: 'alerts', hr: 'upozorenja' },
    audit: { en: 'audit-log', hr: 'dnevnik-radnji' },
  },
})
