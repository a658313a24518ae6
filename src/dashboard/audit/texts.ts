import { inBoth } from '../language.ts'

export const texts = inBoth(
  {
    title: 'Dnevnik radnji',
    about:
      'Ovdje piše tko je što promijenio i tko se prijavio ili to pokušao. Zapisi se ne mogu mijenjati ni brisati. Vrijeme je hrvatsko.',
    when: 'Kada',
    who: 'Tko',
    what: 'Što',
    caption: 'Radnje, najnovije prve',
    operator: 'Tehničar na uređaju (naredba fisk)',
    issuer: 'Izdavatelj certifikata (popis opozvanih)',
    nobody: 'Nepoznata osoba',
    server: 'Središnji poslužitelj',
    gateway: (name: string) => `Pristupnik ${name}`,
    gone: (id: string) => `Uklonjeni korisnik (${id.slice(0, 8)})`,
    nothing: 'Još nema zapisa.',
  },
  {
    title: 'Audit log',
    about:
      'Who changed what, and who signed in or tried to. Entries can be neither changed nor deleted. Times are those of Croatia.',
    when: 'When',
    who: 'Who',
    what: 'What',
    caption: 'Actions, the latest first',
    operator: 'Technician on the machine (command fisk)',
    issuer: 'Issuer of certificates (revocation list)',
    nobody: 'An unknown person',
    server: 'Central server',
    gateway: (name: string) => `Gateway ${name}`,
    gone: (id: string) => `Removed user (${id.slice(0, 8)})`,
    nothing: 'No entries yet.',
  },
)
