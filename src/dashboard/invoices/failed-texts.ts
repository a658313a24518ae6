import { inBoth, invoicesIn } from '../language.ts'

export const failedTexts = inBoth({
  title: { en: 'Refused invoices by cause', hr: 'Odbijeni računi po uzroku' },
  back: { en: 'To the list of invoices', hr: 'Na popis računa' },
  about: {
    en: 'These invoices are not sent again automatically, because they would be refused again. Remove the cause, then send all of them at once.',
    hr: 'Ovi se računi ne šalju ponovno automatski jer bi opet bili odbijeni. Otklonite uzrok, a zatim ih pošaljite sve odjednom.',
  },
  none: { en: 'There are no refused invoices.', hr: 'Nijedan račun ne čeka otklanjanje uzroka.' },
  count: invoicesIn,
  ofGateways: {
    en: (n: number) => `Sent by the gateways that issued them, as soon as these report: ${n}.`,
    hr: (n: number) => `Poslat će ih pristupnici koji su ih izdali, čim se jave: ${n}.`,
  },
  believedAgain: {
    en: 'The answers of the tax authority can be trusted again: send all of these invoices.',
    hr: 'Odgovorima Porezne uprave opet se može vjerovati: pošaljite sve ove račune.',
  },
  said: { en: 'Latest message of the tax authority:', hr: 'Posljednja poruka Porezne uprave:' },
  until: { en: (time: string) => `The first deadline is ${time}.`, hr: (time: string) => `Najraniji rok: ${time}.` },
  retryAll: { en: (n: number) => `Send all again (${n})`, hr: (n: number) => `Pošalji sve ponovno (${n})` },
  seeThem: { en: 'Show refused invoices', hr: 'Prikaži odbijene račune' },
  /** Of one invoice, and of several. */
  causes: {
    upstream_unavailable: {
      title: { en: 'The tax authority could not be reached', hr: 'Porezna uprava nije bila dostupna' },
      what: {
        en: 'The tax authority could not be reached, or could not answer.',
        hr: 'Porezna uprava nije bila dostupna ili nije mogla odgovoriti.',
      },
      fix: {
        en: 'Check whether the device has an internet connection.',
        hr: 'Provjerite ima li uređaj internetsku vezu.',
      },
    },
    upstream_rejected: {
      title: { en: 'Refused by the tax authority', hr: 'Porezna uprava odbila je račune' },
      what: {
        en: 'The tax authority has refused the data: most often they do not match ePorezna.',
        hr: 'Porezna uprava odbila je podatke: najčešće ne odgovaraju prijavi u ePoreznoj.',
      },
      fix: {
        en: 'Read its message and correct the data of the device or the company. Most often the ISU number or the premises code is wrong.',
        hr: 'Pročitajte njezinu poruku i ispravite podatke uređaja ili tvrtke. Najčešće je pogrešan ISU broj ili oznaka poslovnog prostora.',
      },
    },
    upstream_signature_invalid: {
      title: { en: 'The answer cannot be trusted', hr: 'Odgovoru se ne može vjerovati' },
      what: {
        en: 'It is not proven that the answer came from the tax authority, so it does not count.',
        hr: 'Stigao je odgovor za koji nije dokazano da dolazi od Porezne uprave, pa se ne uzima u obzir.',
      },
      fix: {
        en: 'Have your technician run “fisk doctor” on the computer: it says what is wrong with the answers. As soon as they can be trusted again, you get an alert.',
        hr: 'Zamolite tehničara da na računalu pokrene „fisk doctor”: ondje piše što s odgovorima nije u redu. Čim im se opet bude moglo vjerovati, stići će obavijest.',
      },
    },
    'hr.certificate_oib_mismatch': {
      title: { en: 'The certificate was issued to another OIB', hr: 'Certifikat glasi na drugi OIB' },
      what: {
        en: 'The certificate that signed was not issued to the OIB of the company.',
        hr: 'Potpisano je certifikatom koji ne glasi na OIB tvrtke.',
      },
      fix: {
        en: 'Upload the certificate that was issued to the OIB of the company.',
        hr: 'Učitajte certifikat koji glasi na OIB tvrtke.',
      },
    },
    certificate_expired: {
      title: { en: 'The certificate of the company is not valid', hr: 'Certifikat tvrtke nije valjan' },
      what: {
        en: 'The certificate of the company was not valid at the moment of sending.',
        hr: 'Certifikat tvrtke nije bio valjan u trenutku slanja.',
      },
      fix: { en: 'Upload a certificate that is valid now.', hr: 'Učitajte certifikat koji sada vrijedi.' },
    },
    company_missing_certificate: {
      title: { en: 'The company has no certificate', hr: 'Tvrtka nema certifikat' },
      what: {
        en: 'The company had no certificate at the moment of sending.',
        hr: 'Tvrtka nije imala certifikat u trenutku slanja.',
      },
      fix: { en: 'Upload the fiscal certificate of the company.', hr: 'Učitajte fiskalni certifikat tvrtke.' },
    },
    unknown: {
      title: { en: 'Unknown cause', hr: 'Nepoznat uzrok' },
      what: { en: 'The cause is not known.', hr: 'Uzrok nije poznat.' },
      fix: {
        en: 'Look at the messages of the invoice, or ask your technician.',
        hr: 'Pogledajte poruke računa ili se obratite tehničaru.',
      },
    },
  },
})
