import { inBoth, plural } from '../language.ts'

const counted = (n: number) => `${n} ${plural(n, 'račun', 'računa', 'računa')}`
const countedInEnglish = (n: number) => (n === 1 ? '1 invoice' : `${n} invoices`)

export const failedTexts = inBoth({
  title_hr: 'Odbijeni računi po uzroku',
  title_en: 'Refused invoices by cause',
  back_hr: 'Na popis računa',
  back_en: 'To the list of invoices',
  about_hr:
    'Ovi se računi ne šalju ponovno sami jer bi opet bili odbijeni. Otklonite uzrok, a zatim ih pošaljite sve odjednom.',
  about_en:
    'These invoices are not sent again automatically, because they would be refused again. Remove the cause, then send all of them at once.',
  none_hr: 'Nijedan račun ne čeka otklanjanje uzroka.',
  none_en: 'There are no refused invoices.',
  count_hr: (n: number) => counted(n),
  count_en: (n: number) => countedInEnglish(n),
  ofGateways_hr: (n: number) => `Od toga računa koje njihovi pristupnici šalju čim se jave: ${n}.`,
  ofGateways_en: (n: number) =>
    `Of these, ${countedInEnglish(n)} ${n === 1 ? 'is sent by the gateway that issued it, as soon as it reports' : 'are sent by the gateways that issued them, as soon as they report'}.`,
  believedAgain_hr: 'Odgovorima Porezne uprave opet se može vjerovati: pošaljite sve ove račune.',
  believedAgain_en: 'The answers of the tax authority can be trusted again: send all of these invoices.',
  said_hr: 'Posljednja poruka Porezne uprave:',
  said_en: 'Latest message of the tax authority:',
  until_hr: (time: string) => `Prvom od njih rok istječe ${time}.`,
  until_en: (time: string) => `The first deadline is ${time}.`,
  retryAll_hr: (n: number) => `Pošalji sve ponovno (${n})`,
  retryAll_en: (n: number) => `Send all again (${n})`,
  confirm_hr: (n: number) =>
    `Jeste li otklonili uzrok? U red za slanje ${plural(n, 'vraća', 'vraćaju', 'vraća')} se ${counted(n)}.`,
  confirm_en: (n: number) => `Have you removed the cause? ${countedInEnglish(n)} will be put back into the queue.`,
  seeThem_hr: 'Prikaži odbijene račune',
  seeThem_en: 'Show refused invoices',
  causes: {
    upstream_unavailable: {
      title_hr: 'Porezna uprava nije bila dostupna',
      title_en: 'The tax authority could not be reached',
      what_hr: 'Porezna uprava nije odgovorila ili nije mogla odgovoriti.',
      what_en: 'The tax authority could not be reached, or could not answer.',
      fix_hr: 'Provjerite imaju li uređaji internetsku vezu.',
      fix_en: 'Check whether the devices have an internet connection.',
    },
    upstream_rejected: {
      title_hr: 'Porezna uprava odbila je račune',
      title_en: 'Refused by the tax authority',
      what_hr: 'Podaci na računima ne odgovaraju podacima prijavljenima Poreznoj upravi.',
      what_en: 'The data of the invoices do not match those registered with the tax authority.',
      fix_hr:
        'Pročitajte njezinu poruku i ispravite podatke uređaja ili tvrtke. Najčešće je pogrešan ISU broj ili oznaka poslovnog prostora.',
      fix_en:
        'Read its message and correct the data of the device or the company. Most often the ISU number or the premises code is wrong.',
    },
    upstream_signature_invalid: {
      title_hr: 'Odgovoru se ne može vjerovati',
      title_en: 'The answer cannot be trusted',
      what_hr: 'Stigli su odgovori za koje nije dokazano da dolaze od Porezne uprave.',
      what_en: 'It is not proven that the answers came from the tax authority.',
      fix_hr:
        'Zamolite tehničara da na računalu pokrene „fisk doctor”: ondje piše što s odgovorima nije u redu. Čim im se opet bude moglo vjerovati, stići će obavijest.',
      fix_en:
        'Have your technician run “fisk doctor” on the computer: it says what is wrong with the answers. As soon as they can be trusted again, you get an alert.',
    },
    'hr.certificate_oib_mismatch': {
      title_hr: 'Certifikat glasi na drugi OIB',
      title_en: 'The certificate was issued to another OIB',
      what_hr: 'Računi su potpisani certifikatom koji ne pripada tvrtki.',
      what_en: 'The invoices were signed with a certificate that was not issued to the OIB of this company.',
      fix_hr: 'Učitajte certifikat koji glasi na OIB tvrtke.',
      fix_en: 'Upload the certificate that was issued to the OIB of the company.',
    },
    certificate_expired: {
      title_hr: 'Certifikat tvrtke nije valjan',
      title_en: 'The certificate of the company is not valid',
      what_hr: 'Certifikat nije bio valjan u trenutku slanja računa.',
      what_en: 'The certificate was not valid when the invoices were to be sent.',
      fix_hr: 'Učitajte certifikat koji sada vrijedi.',
      fix_en: 'Upload a certificate that is valid now.',
    },
    company_missing_certificate: {
      title_hr: 'Tvrtka nema certifikat',
      title_en: 'The company has no certificate',
      what_hr: 'Tvrtka nije imala certifikat u trenutku slanja računa.',
      what_en: 'The company had no certificate when the invoices were to be sent.',
      fix_hr: 'Učitajte fiskalni certifikat tvrtke.',
      fix_en: 'Upload the fiscal certificate of the company.',
    },
    unknown: {
      title_hr: 'Nepoznat uzrok',
      title_en: 'Unknown cause',
      what_hr: 'Računi nisu prihvaćeni.',
      what_en: 'The invoices were not accepted.',
      fix_hr: 'Otvorite jedan od njih i pogledajte poruke ili se obratite tehničaru.',
      fix_en: 'Open one of them and look at its messages, or ask your technician.',
    },
  },
  again_hr: 'Osvježi popis',
  again_en: 'Refresh the list',
  progressTitle_hr: 'Ponovno slanje',
  progressTitle_en: 'Sending again',
  progress_hr: (done: number, of: number) => `Poslano: ${done} od ${of}.`,
  progress_en: (done: number, of: number) => `Sent: ${done} of ${of}.`,
  waiting_hr: (n: number) =>
    `${counted(n)} još ${plural(n, 'čeka', 'čekaju', 'čeka')} u redu. Najprije se šalju oni kojima rok prvo istječe. Ovu stranicu možete zatvoriti.`,
  waiting_en: (n: number) =>
    `${countedInEnglish(n)} still ${n === 1 ? 'waits' : 'wait'} in the queue. Those with the earliest deadline are sent first. You can close this page.`,
  done_hr: 'Svi su računi poslani. Oni koji su opet odbijeni ponovno su na ovom popisu.',
  done_en: 'All invoices were sent. Those that were refused again are back on this list.',
})
