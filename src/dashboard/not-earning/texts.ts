import { inBoth } from '../language.ts'

export const texts = inBoth({
  title: { en: 'Not earning', hr: 'Ne zarađuju' },
  none: { en: 'No device is known to earn nothing.', hr: 'Nema uređaja za koje je poznato da ne zarađuju.' },
  about: {
    en: (money: string) =>
      `About ${money} missed since the last sales: what these devices sell in the same hours of the week (the four weeks before), by the average worth of their sales.`,
    hr: (money: string) =>
      `Propušteno oko ${money} od posljednjih prodaja: koliko ti uređaji inače prodaju u iste sate tjedna (prethodna četiri tjedna), po prosječnom iznosu svojih računa.`,
  },
  states: {
    stopped: {
      en: 'They cannot sell, or have sold nothing for unusually long.',
      hr: 'Ne mogu prodavati ili neuobičajeno dugo ništa nisu prodali.',
    },
    isu: {
      en: 'Without a number they do not sell; with a wrong one their invoices get no JIR.',
      hr: 'Bez broja ne prodaju, a s pogrešnim brojem njihovi računi ne dobivaju JIR.',
    },
    suspended: { en: 'The office has suspended them or their company.', hr: 'Obustavio ih je ured, njih ili tvrtku.' },
    unknown: {
      en: 'Their gateway is silent. They may be selling; their invoices come when it reports.',
      hr: 'Pristupnik se ne javlja. Možda prodaju, a računi stižu kad se javi.',
    },
  },
  upTo: { en: (money: string) => `up to ${money}`, hr: (money: string) => `do ${money}` },
  why: { en: 'Reason', hr: 'Uzrok' },
  silent: {
    en: 'can sell, and has sold nothing for unusually long',
    hr: 'može prodavati, a neuobičajeno dugo ne prodaje',
  },
  todo: { en: 'What to do', hr: 'Što učiniti' },
  lastSale: { en: 'Last sale', hr: 'Posljednja prodaja' },
  usual: { en: 'Usual sales', hr: 'Inače računa' },
  perWeek: { en: (count: string) => `${count} a week`, hr: (count: string) => `${count} tjedno` },
  send: { en: 'Whom to send', hr: 'Koga poslati' },
  missed: { en: 'Missed', hr: 'Propušteno' },
  all: { en: 'Show all of them', hr: 'Prikaži sve' },
})
