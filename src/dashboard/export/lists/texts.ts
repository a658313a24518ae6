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
  files: {
    devices: { en: 'devices', hr: 'uredaji' },
    invoices: { en: 'list-of-invoices', hr: 'popis-racuna' },
    'not-earning': { en: 'not-earning', hr: 'ne-zaraduju' },
    companies: { en: 'companies', hr: 'tvrtke' },
    gateways: { en: 'gateways', hr: 'pristupnici' },
    jobs: { en: 'bulk-jobs', hr: 'skupne-radnje' },
    keys: { en: 'api-keys', hr: 'api-kljucevi' },
    users: { en: 'users', hr: 'korisnici' },
    isu: { en: 'eporezna', hr: 'eporezna' },
    alerts: { en: 'alerts', hr: 'upozorenja' },
    audit: { en: 'audit-log', hr: 'dnevnik-radnji' },
  },
})
