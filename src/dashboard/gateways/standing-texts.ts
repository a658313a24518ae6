import { inBoth } from '../language.ts'

/** What waits for gateways, and what has become of it. */
export const standingTexts = inBoth({
  title: { en: 'Commands to gateways', hr: 'Naredbe pristupnicima' },
  none: { en: 'No command is waiting.', hr: 'Nijedna naredba ne čeka.' },
  asked: {
    isu: { en: (number: string) => `ISU number ${number}`, hr: (number: string) => `ISU broj ${number}` },
    noIsu: { en: 'Removal of the ISU number', hr: 'Uklanjanje ISU broja' },
    active: { en: 'Activation of the device', hr: 'Aktiviranje uređaja' },
    suspended: { en: 'Suspension of the device', hr: 'Obustava uređaja' },
    archived: { en: 'Archiving of the device', hr: 'Arhiviranje uređaja' },
    label: { en: (label: string) => `Device name “${label}”`, hr: (label: string) => `Naziv uređaja „${label}”` },
    words: {
      en: (label: string, address: string) => `Name “${label}” and address “${address}”`,
      hr: (label: string, address: string) => `Naziv „${label}” i adresa „${address}”`,
    },
    noAddress: { en: 'no address', hr: 'bez adrese' },
    settings: { en: 'Change of the settings of the device', hr: 'Izmjena postavki uređaja' },
    change: { en: 'Change of the device', hr: 'Izmjena podataka o uređaju' },
    add: {
      en: (label: string) => `Addition of the device “${label}”`,
      hr: (label: string) => `Dodavanje uređaja „${label}”`,
    },
    company: {
      active: { en: 'Activation of the company', hr: 'Aktiviranje tvrtke' },
      suspended: { en: 'Suspension of the company', hr: 'Obustava tvrtke' },
      archived: { en: 'Archiving of the company', hr: 'Arhiviranje tvrtke' },
    },
    certificate: { en: 'New certificate', hr: 'Novi certifikat' },
    key: { en: 'Revocation of an API key', hr: 'Opoziv API ključa' },
    retry: { en: 'Sending the invoice again', hr: 'Ponovno slanje računa' },
    requeue: { en: 'Sending refused invoices again', hr: 'Ponovno slanje odbijenih računa' },
    copy: { en: 'Printing a copy of the receipt', hr: 'Ispis kopije računa' },
    correct: { en: 'Correcting the invoice', hr: 'Ispravak računa' },
    hours: { en: 'Working hours', hr: 'Radno vrijeme' },
    doctor: { en: 'Check of the health of the gateway', hr: 'Provjera ispravnosti' },
    bundle: { en: 'Fetching the support bundle', hr: 'Dohvat paketa za podršku' },
  },
  waits: {
    en: (what: string, gateway: string, since: string) => `Waiting for gateway ${gateway} since ${since}: ${what}.`,
    hr: (what: string, gateway: string, since: string) =>
      `${what}: naredba od ${since} čeka da je preuzme pristupnik ${gateway}.`,
  },
  fetched: {
    en: (what: string, gateway: string, at: string) =>
      `${what}: gateway ${gateway} fetched the command on ${at}, and has not reported the outcome yet.`,
    hr: (what: string, gateway: string, at: string) =>
      `${what}: pristupnik ${gateway} preuzeo je naredbu ${at}, ali još nije javio ishod.`,
  },
  silent: {
    en: (since: string) => `The gateway has been silent since ${since}.`,
    hr: (since: string) => `Pristupnik se ne javlja od ${since}.`,
  },
  duplicated: {
    en: 'The gateway gets no commands while two computers use its identity.',
    hr: 'Pristupnik ne prima naredbe dok se pod njegovim nazivom javljaju dva računala.',
  },
  unreachable: {
    en: 'The gateway no longer receives commands from this server.',
    hr: 'Pristupnik više ne prima naredbe s ovog poslužitelja.',
  },
  lapses: {
    en: (at: string) => `If the gateway does not fetch it by ${at}, the command expires and nothing changes.`,
    hr: (at: string) => `Ako je ne preuzme do ${at}, naredba istječe i ništa se ne mijenja.`,
  },
  ended: {
    en: (what: string, gateway: string, outcome: string) => `${what}, gateway ${gateway}: ${outcome}.`,
    hr: (what: string, gateway: string, outcome: string) => `${what}, pristupnik ${gateway}: ${outcome}.`,
  },
  command: { en: 'Command', hr: 'Naredba' },
  more: {
    en: (count: string) => `More commands that wait: ${count}.`,
    hr: (count: string) => `Još naredaba koje čekaju: ${count}.`,
  },
  refresh: { en: 'Refresh the state', hr: 'Osvježi stanje' },
  nothingTwice: {
    en: 'The same command is not sent twice, and a newer one replaces an older one that the gateway has not fetched yet.',
    hr: 'Ista se naredba ne šalje dvaput, a novija zamjenjuje stariju koju pristupnik još nije preuzeo.',
  },
})

export type StandingTexts = (typeof standingTexts)['hr']
