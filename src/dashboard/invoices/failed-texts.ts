import { inBoth, plural } from '../language.ts'

const counted = (n: number) => `${n} ${plural(n, 'račun', 'računa', 'računa')}`
const countedInEnglish = (n: number) => (n === 1 ? '1 invoice' : `${n} invoices`)

export const failedTexts = inBoth(
  {
    title: 'Odbijeni računi po uzroku',
    back: 'Na popis računa',
    about:
      'Ove račune fiskd ne šalje ponovno sam, jer bi opet bili odbijeni. Otklonite uzrok, pa ih pošaljite sve odjednom.',
    none: 'Nijedan račun ne čeka da se otkloni uzrok.',
    count: (n: number) => counted(n),
    ofGateways: (n: number) =>
      `Od toga ${counted(n)} ${plural(n, 'šalje pristupnik koji ga je izdao', 'šalju pristupnici koji su ih izdali', 'šalju pristupnici koji su ih izdali')}, čim se jave.`,
    believedAgain: 'Odgovorima Porezne uprave opet se može vjerovati: pošaljite ih sve.',
    said: 'Zadnja poruka Porezne uprave:',
    until: (time: string) => `Prvome od njih rok istječe ${time}.`,
    retryAll: (n: number) => `Pošalji sve ponovno (${n})`,
    confirm: (n: number) =>
      `Jeste li otklonili uzrok? ${counted(n)} ${plural(n, 'vratit će', 'vratit će', 'vratit će')} se u red za slanje.`,
    seeThem: 'Prikaži odbijene račune',
    causes: {
      upstream_unavailable: {
        title: 'Porezna uprava nije bila dostupna',
        what: 'Porezna uprava nije odgovorila ili nije mogla odgovoriti.',
        fix: 'Provjerite imaju li uređaji vezu s internetom.',
      },
      upstream_rejected: {
        title: 'Odbila ih je Porezna uprava',
        what: 'Podaci s računa ne odgovaraju onome što je prijavljeno Poreznoj upravi.',
        fix: 'Pročitajte njezinu poruku i ispravite podatke uređaja ili tvrtke (najčešće ISU broj ili oznaku poslovnog prostora).',
      },
      upstream_signature_invalid: {
        title: 'Odgovoru se ne može vjerovati',
        what: 'Stigli su odgovori za koje nije dokazano da dolaze od Porezne uprave.',
        fix: 'Zamolite tehničara da na uređaju pokrene fisk doctor: ondje piše što s odgovorima nije u redu. Čim im se opet bude moglo vjerovati, javit ćemo vam.',
      },
      'hr.certificate_oib_mismatch': {
        title: 'Certifikat glasi na drugi OIB',
        what: 'Računi su potpisani certifikatom koji ne pripada tvrtki.',
        fix: 'Učitajte certifikat koji glasi na OIB tvrtke.',
      },
      certificate_expired: {
        title: 'Certifikat tvrtke nije valjan',
        what: 'Kad je račune trebalo poslati, certifikat nije vrijedio.',
        fix: 'Učitajte certifikat koji sada vrijedi.',
      },
      company_missing_certificate: {
        title: 'Tvrtka nema certifikat',
        what: 'Kad je račune trebalo poslati, tvrtka nije imala certifikat.',
        fix: 'Učitajte fiskalni certifikat tvrtke.',
      },
      unknown: {
        title: 'Nepoznat uzrok',
        what: 'Računi nisu prihvaćeni.',
        fix: 'Otvorite jedan od njih i pogledajte poruke ili se obratite tehničkoj podršci.',
      },
    },
    again: 'Osvježi popis',
    progressTitle: 'Ponovno slanje',
    progress: (done: number, of: number) => `Poslano ${done} od ${of}.`,
    waiting: (n: number) =>
      `${counted(n)} još ${plural(n, 'čeka', 'čekaju', 'čeka')} u redu. Šalju se redom, najugroženiji prvi; ovu stranicu smijete zatvoriti.`,
    done: 'Svi su poslani. Koji je opet odbijen, ponovno je na ovom popisu.',
  },
  {
    title: 'Refused invoices by cause',
    back: 'To the list of invoices',
    about:
      'These invoices are not sent again by themselves, for they would be refused again. Remove the cause, then send all of them at once.',
    none: 'No invoice waits for a cause to be removed.',
    count: (n: number) => countedInEnglish(n),
    ofGateways: (n: number) =>
      `${countedInEnglish(n)} of them ${n === 1 ? 'is sent by the gateway that issued it, as soon as it answers' : 'are sent by the gateways that issued them, as soon as they answer'}.`,
    believedAgain: 'The answers of the tax authority can be trusted again: send all of them.',
    said: 'Latest message of the tax authority:',
    until: (time: string) => `The first of them runs out of time on ${time}.`,
    retryAll: (n: number) => `Send all again (${n})`,
    confirm: (n: number) => `Have you removed the cause? ${countedInEnglish(n)} will be put back into the queue.`,
    seeThem: 'Show refused invoices',
    causes: {
      upstream_unavailable: {
        title: 'The tax authority could not be reached',
        what: 'The tax authority did not answer, or could not.',
        fix: 'Check whether the machines are connected to the internet.',
      },
      upstream_rejected: {
        title: 'Refused by the tax authority',
        what: 'What the invoices say is not what the tax authority has on record.',
        fix: 'Read its message and correct the device or the company (mostly the ISU number or the code of the premises).',
      },
      upstream_signature_invalid: {
        title: 'The answer cannot be trusted',
        what: 'Answers came that are not proven to be from the tax authority.',
        fix: 'Have your technician run fisk doctor on the machine: it says what is wrong with the answers. You are told as soon as they can be trusted again.',
      },
      'hr.certificate_oib_mismatch': {
        title: 'The certificate is for another OIB',
        what: 'The invoices were signed with a certificate that is not the company’s.',
        fix: 'Upload the certificate that was issued to the OIB of the company.',
      },
      certificate_expired: {
        title: 'The certificate of the company is not valid',
        what: 'When the invoices had to be sent the certificate was not valid.',
        fix: 'Upload a certificate that is valid now.',
      },
      company_missing_certificate: {
        title: 'The company has no certificate',
        what: 'When the invoices had to be sent the company had no certificate.',
        fix: 'Upload the fiscal certificate of the company.',
      },
      unknown: {
        title: 'Unknown cause',
        what: 'The invoices were not accepted.',
        fix: 'Open one of them and look at its messages, or ask your technical support.',
      },
    },
    again: 'Refresh the list',
    progressTitle: 'Sending again',
    progress: (done: number, of: number) => `${done} of ${of} sent.`,
    waiting: (n: number) =>
      `${countedInEnglish(n)} still ${n === 1 ? 'waits' : 'wait'} in the queue. They are sent in order, the most endangered first; you may close this page.`,
    done: 'All were sent. What was refused again is on this list again.',
  },
)
