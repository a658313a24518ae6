import { inBoth } from '../language.ts'

export const texts = inBoth({
  title: { en: 'Audit log', hr: 'Dnevnik radnji' },
  about: {
    en: 'Who changed what, and who signed in or tried to. Entries can be neither changed nor deleted. Times are those of Croatia.',
    hr: 'Ovdje piše tko je što promijenio te tko se prijavio ili se pokušao prijaviti. Zapisi se ne mogu mijenjati ni brisati. Prikazano je vrijeme u Hrvatskoj.',
  },
  gateway: { en: (name: string) => `Gateway ${name}`, hr: (name: string) => `Pristupnik ${name}` },
  when: { en: 'When', hr: 'Kada' },
  who: { en: 'Who', hr: 'Tko' },
  what: { en: 'What', hr: 'Što' },
  caption: { en: 'Actions, the latest first', hr: 'Radnje, najnovije prve' },
  operator: { en: 'Technician (command fisk)', hr: 'Tehničar na računalu (naredba fisk)' },
  issuer: { en: 'Issuer of certificates (revocation list)', hr: 'Izdavatelj certifikata (popis opozvanih)' },
  nobody: { en: 'An unknown person', hr: 'Nepoznata osoba' },
  server: { en: 'Central server', hr: 'Središnji poslužitelj' },
  nothing: { en: 'No entries yet.', hr: 'Još nema zapisa.' },
  gone: {
    en: (id: string) => `Removed user (${id.slice(0, 8)})`,
    hr: (id: string) => `Uklonjeni korisnik (${id.slice(0, 8)})`,
  },
})
