import { inBoth, plural } from '../language.ts'

const counted = (n: number) => `${n} ${plural(n, 'račun', 'računa', 'računa')}`
const countedInEnglish = (n: number) => (n === 1 ? '1 invoice' : `${n} invoices`)

export const failedTexts = inBoth({
  title_hr: 'Odbijeni računi po uzroku',
  title_en: 'Refused invoices by cause',
  back_hr: 'Na popis računa',
  back_en: 'To the list of invoices',
  about_hr:
    'Ove račune fiskd ne šalje ponovno sam, jer bi opet bili odbijeni. Otklonite uzrok, pa ih pošaljite sve odjednom.',
  about_en:
    'These invoices are not sent again by themselves, for they would be refused again. Remove the cause, then send all of them at once.',
  none_hr: 'Nijedan račun ne čeka da se otkloni uzrok.',
  none_en: 'No invoice waits for a cause to be removed.',
  count_hr: (n: number) => counted(n),
  count_en: (n: number) => countedInEnglish(n),
  ofGateways_hr: (n: number) =>
    `Od toga ${counted(n)} ${plural(n, 'šalje pristupnik koji ga je izdao', 'šalju pristupnici koji su ih izdali', 'šalju pristupnici koji su ih izdali')}, čim se jave.`,
  ofGateways_en: (n: number) =>
    `${countedInEnglish(n)} of them ${n === 1 ? 'is sent by the gateway that issued it, as soon as it answers' : 'are sent by the gateways that issued them, as soon as they answer'}.`,
  believedAgain_hr: 'Odgovorima Porezne uprave opet se može vjerovati: pošaljite ih sve.',
  believedAgain_en: 'The answers of the tax authority can be trusted again: send all of them.',
  said_hr: 'Posljednja poruka Porezne uprave:',
  said_en: 'Latest message of the tax authority:',
  until_hr: (time: string) => `Prvome od njih rok istječe ${time}.`,
  until_en: (time: string) => `The first of them runs out of time on ${time}.`,
  retryAll_hr: (n: number) => `Pošalji sve ponovno (${n})`,
  retryAll_en: (n: number) => `Send all again (${n})`,
  confirm_hr: (n: number) =>
    `Jeste li otklonili uzrok? ${counted(n)} ${plural(n, 'vratit će', 'vratit će', 'vratit će')} se u red za slanje.`,
  confirm_en: (n: number) => `Have you removed the cause? ${countedInEnglish(n)} will be put back into the queue.`,
  seeThem_hr: 'Prikaži odbijene račune',
  seeThem_en: 'Show refused invoices',
  causes: {
    upstream_unavailable: {
      title_hr: 'Porezna uprava nije bila dostupna',
      title_en: 'The tax authority could not be reached',
      what_hr: 'Porezna uprava nije odgovorila ili nije mogla odgovoriti.',
      what_en: 'The tax authority did not answer, or could not.',
      fix_hr: 'Provjerite imaju li uređaji vezu s internetom.',
      fix_en: 'Check whether the machines are connected to the internet.',
    },
    upstream_rejected: {
      title_hr: 'Odbila ih je Porezna uprava',
      title_en: 'Refused by the tax authority',
      what_hr: 'Podaci s računa ne odgovaraju onome što je prijavljeno Poreznoj upravi.',
      what_en: 'What the invoices say is not what the tax authority has on record.',
      fix_hr:
        'Pročitajte njezinu poruku i ispravite podatke uređaja ili tvrtke (najčešće ISU broj ili oznaku poslovnog prostora).',
      fix_en:
        'Read its message and correct the device or the company (mostly the ISU number or the code of the premises).',
    },
    upstream_signature_invalid: {
      title_hr: 'Odgovoru se ne može vjerovati',
      title_en: 'The answer cannot be trusted',
      what_hr: 'Stigli su odgovori za koje nije dokazano da dolaze od Porezne uprave.',
      what_en: 'Answers came that are not proven to be from the tax authority.',
      fix_hr:
        'Zamolite tehničara da na uređaju pokrene fisk doctor: ondje piše što s odgovorima nije u redu. Čim im se opet bude moglo vjerovati, javit ćemo vam.',
      fix_en:
        'Have your technician run fisk doctor on the machine: it says what is wrong with the answers. You are told as soon as they can be trusted again.',
    },
    'hr.certificate_oib_mismatch': {
      title_hr: 'Certifikat glasi na drugi OIB',
      title_en: 'The certificate is for another OIB',
      what_hr: 'Računi su potpisani certifikatom koji ne pripada tvrtki.',
      what_en: 'The invoices were signed with a certificate that is not the company’s.',
      fix_hr: 'Učitajte certifikat koji glasi na OIB tvrtke.',
      fix_en: 'Upload the certificate that was issued to the OIB of the company.',
    },
    certificate_expired: {
      title_hr: 'Certifikat tvrtke nije valjan',
      title_en: 'The certificate of the company is not valid',
      what_hr: 'Kad je račune trebalo poslati, certifikat nije vrijedio.',
      what_en: 'When the invoices had to be sent the certificate was not valid.',
      fix_hr: 'Učitajte certifikat koji sada vrijedi.',
      fix_en: 'Upload a certificate that is valid now.',
    },
    company_missing_certificate: {
      title_hr: 'Tvrtka nema certifikat',
      title_en: 'The company has no certificate',
      what_hr: 'Kad je račune trebalo poslati, tvrtka nije imala certifikat.',
      what_en: 'When the invoices had to be sent the company had no certificate.',
      fix_hr: 'Učitajte fiskalni certifikat tvrtke.',
      fix_en: 'Upload the fiscal certificate of the company.',
    },
    unknown: {
      title_hr: 'Nepoznat uzrok',
      title_en: 'Unknown cause',
      what_hr: 'Računi nisu prihvaćeni.',
      what_en: 'The invoices were not accepted.',
      fix_hr: 'Otvorite jedan od njih i pogledajte poruke ili se obratite tehničkoj podršci.',
      fix_en: 'Open one of them and look at its messages, or ask your technical support.',
    },
  },
  again_hr: 'Osvježi popis',
  again_en: 'Refresh the list',
  progressTitle_hr: 'Ponovno slanje',
  progressTitle_en: 'Sending again',
  progress_hr: (done: number, of: number) => `Poslano ${done} od ${of}.`,
  progress_en: (done: number, of: number) => `${done} of ${of} sent.`,
  waiting_hr: (n: number) =>
    `${counted(n)} još ${plural(n, 'čeka', 'čekaju', 'čeka')} u redu. Šalju se redom, najugroženiji prvi; ovu stranicu smijete zatvoriti.`,
  waiting_en: (n: number) =>
    `${countedInEnglish(n)} still ${n === 1 ? 'waits' : 'wait'} in the queue. They are sent in order, the most endangered first; you may close this page.`,
  done_hr: 'Svi su poslani. Koji je opet odbijen, ponovno je na ovom popisu.',
  done_en: 'All were sent. What was refused again is on this list again.',
})
