import { inBoth } from '../language.ts'

export const texts = inBoth({
  title_hr: 'Dnevnik radnji',
  title_en: 'Audit log',
  about_hr:
    'Ovdje piše tko je što promijenio te tko se prijavio ili se pokušao prijaviti. Zapisi se ne mogu mijenjati ni brisati. Prikazano je vrijeme u Hrvatskoj.',
  about_en:
    'Who changed what, and who signed in or tried to. Entries can be neither changed nor deleted. Times are those of Croatia.',
  gateway_hr: (name: string) => `Pristupnik ${name}`,
  gateway_en: (name: string) => `Gateway ${name}`,
  when_hr: 'Kada',
  when_en: 'When',
  who_hr: 'Tko',
  who_en: 'Who',
  what_hr: 'Što',
  what_en: 'What',
  caption_hr: 'Radnje, najnovije prve',
  caption_en: 'Actions, the latest first',
  operator_hr: 'Tehničar na računalu (naredba fisk)',
  operator_en: 'Technician (command fisk)',
  issuer_hr: 'Izdavatelj certifikata (popis opozvanih)',
  issuer_en: 'Issuer of certificates (revocation list)',
  nobody_hr: 'Nepoznata osoba',
  nobody_en: 'An unknown person',
  server_hr: 'Središnji poslužitelj',
  server_en: 'Central server',
  nothing_hr: 'Još nema zapisa.',
  nothing_en: 'No entries yet.',
  gone_hr: (id: string) => `Uklonjeni korisnik (${id.slice(0, 8)})`,
  gone_en: (id: string) => `Removed user (${id.slice(0, 8)})`,
})
