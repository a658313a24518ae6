import { inBoth } from '../language.ts'

export const texts = inBoth({
  title: { en: 'Search', hr: 'Traženje' },
  what: { en: 'Found', hr: 'Pronađeno' },
  about: { en: 'More', hr: 'Više' },
  kind: { en: 'Kind', hr: 'Vrsta' },
  kinds: {
    device: { en: 'device', hr: 'uređaj' },
    gateway: { en: 'gateway', hr: 'pristupnik' },
    company: { en: 'company', hr: 'tvrtka' },
    amount: { en: 'amount', hr: 'iznos' },
    invoice: { en: 'invoice', hr: 'račun' },
  },
  all: { en: (count: string) => `all ${count} devices`, hr: (count: string) => `svi uređaji: ${count}` },
  amount: { en: (amount: string) => `invoices of ${amount}`, hr: (amount: string) => `računi s iznosom ${amount}` },
  none: {
    en: (text: string) => `There is no device, place, invoice or amount “${text}”.`,
    hr: (text: string) => `Nema uređaja, mjesta, računa ni iznosa „${text}”.`,
  },
})
