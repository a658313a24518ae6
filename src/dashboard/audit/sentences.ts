import type { AuditAction } from '../../fiscal/access/audit-log.ts'
import type { JsonObject, Language } from '../../fiscal/ports/model.ts'
import { alertKinds } from '../alerts/kinds.ts'
import { invoicesIn } from '../language.ts'
import { type Detail, detailOf } from './detail.ts'

type Tell = (detail: Detail) => string

/** What was done, as a sentence; an action that is not known, of another version, by the name it has in the log. */
export const sentences: Record<Language, (action: string, detail: JsonObject) => string> = {
  hr: (action, detail) => sentence('hr', action, detail),
  en: (action, detail) => sentence('en', action, detail),
}

function sentence(language: Language, action: string, detail: JsonObject): string {
  const told = Object.hasOwn(TOLD, action) ? TOLD[action as AuditAction] : undefined
  return told ? told[language](detailOf(detail, language)) : action
}

const byScheduleHr = (d: Detail) => (d.has('schedule_id') ? ', redovito slanje' : '')
const byScheduleEn = (d: Detail) => (d.has('schedule_id') ? ', by schedule' : '')
const oftenHr = (d: Detail) => (d.text('unit') === 'day' ? 'svaki dan' : 'svaki mjesec')
const oftenEn = (d: Detail) => (d.text('unit') === 'day' ? 'each day' : 'each month')

/** Which device, and from what to what; or the new status of a company. */
const commanded = (d: Detail) => {
  const said = [
    ...(d.has('label') ? [d.quoted('label')] : []),
    d.changed() || (d.has('status') ? d.word('values', 'status') : ''),
  ]
  const told = said.filter((text) => text !== '').join(': ')
  return told === '' ? '' : ` (${told})`
}

const TOLD: Record<AuditAction, Record<Language, Tell>> = {
  'alert.acknowledged': {
    hr: (d) => `Potvrđeno je upozorenje: ${alertKinds.hr(d.text('kind'))}.`,
    en: (d) => `Acknowledged the alert: ${alertKinds.en(d.text('kind'))}.`,
  },
  'alert.tested': {
    hr: () => 'Poslana je probna poruka e-pošte.',
    en: () => 'Sent a test e-mail.',
  },
  'all_tenants.read': {
    hr: (d) => `${d.text('list') === 'devices' ? 'Pregledani su uređaji' : 'Pregledane su tvrtke'} svih organizacija.`,
    en: (d) => `Viewed the ${d.text('list') === 'devices' ? 'devices' : 'companies'} of all organisations.`,
  },
  'api_key.created': {
    hr: (d) => `Napravljen je API ključ ${d.quoted('name')} (${d.mode()}).`,
    en: (d) => `Made the API key ${d.quoted('name')} (${d.mode()}).`,
  },
  'api_key.revoked': {
    hr: (d) => `Opozvan je API ključ ${d.quoted('name')}.`,
    en: (d) => `Revoked the API key ${d.quoted('name')}.`,
  },
  'branding.changed': {
    hr: (d) => `Promijenjen je naziv na stranicama (naziv: ${d.text('name')}).`,
    en: (d) => `Changed the name on pages (name: ${d.text('name')}).`,
  },
  'certificate.added': {
    hr: (d) => `Učitan je certifikat tvrtke s OIB-om ${d.text('oib')}.`,
    en: (d) => `Uploaded a certificate of the company with OIB ${d.text('oib')}.`,
  },
  'certificate.revoked': {
    hr: (d) => `Opozvan je certifikat tvrtke s OIB-om ${d.text('oib')}.`,
    en: (d) => `Marked a certificate of the company with OIB ${d.text('oib')} as revoked.`,
  },
  'certificate.superseded': {
    hr: (d) => `Raniji certifikat tvrtke s OIB-om ${d.text('oib')} više se ne koristi.`,
    en: (d) => `Replaced the earlier certificate of the company with OIB ${d.text('oib')}.`,
  },
  'closing.printed': {
    hr: (d) => `Ispisan je zaključak za ${d.period()}, poslovni prostor ${d.text('premises_code')}.`,
    en: (d) => `Printed the closing of ${d.period()} of the premises ${d.text('premises_code')}.`,
  },
  'closings.mailed': {
    hr: (d) => `Zaključci za ${d.period()} poslani su e-poštom na ${d.text('to')} (${d.mode()}${byScheduleHr(d)}).`,
    en: (d) => `Sent the closings of ${d.period()} by e-mail to ${d.text('to')} (${d.mode()}${byScheduleEn(d)}).`,
  },
  'closing_schedule.added': {
    hr: (d) => `Postavljeno je slanje zaključaka na ${d.text('to')} (${oftenHr(d)}, ${d.mode()}).`,
    en: (d) => `Added the regular mailing of closings to ${d.text('to')} (${oftenEn(d)}, ${d.mode()}).`,
  },
  'closing_schedule.changed': {
    hr: (d) => `Promijenjeno je slanje zaključaka na ${d.text('to')} (${oftenHr(d)}, ${d.mode()}).`,
    en: (d) => `Changed the regular mailing of closings to ${d.text('to')} (${oftenEn(d)}, ${d.mode()}).`,
  },
  'closing_schedule.removed': {
    hr: (d) => `Uklonjeno je slanje zaključaka na ${d.text('to')} (${oftenHr(d)}, ${d.mode()}).`,
    en: (d) => `Removed the regular mailing of closings to ${d.text('to')} (${oftenEn(d)}, ${d.mode()}).`,
  },
  'command.taken': {
    hr: (d) => `Preuzeta je naredba br. ${d.text('number')} središnjeg poslužitelja: ${d.word('commands', 'type')}.`,
    en: (d) => `Fetched command no. ${d.text('number')} from the central server: ${d.word('commands', 'type')}.`,
  },
  'company.added': {
    hr: (d) => `Dodana je tvrtka ${d.quoted('name')}, OIB ${d.text('oib')} (${d.mode()}).`,
    en: (d) => `Added the company ${d.quoted('name')}, OIB ${d.text('oib')} (${d.mode()}).`,
  },
  'company.changed': {
    hr: (d) => `Promijenjeni su podaci tvrtke s OIB-om ${d.text('oib')}. ${capital(d.changed())}.`,
    en: (d) => `Changed the company with OIB ${d.text('oib')}. ${capital(d.changed())}.`,
  },
  'company.logo': {
    hr: (d) => `Promijenjen je logotip na računima tvrtke s OIB-om ${d.text('oib')}.`,
    en: (d) => `Changed the logo on the receipts of the company with OIB ${d.text('oib')}.`,
  },
  'database.backed_up': {
    hr: (d) => `Napravljena je sigurnosna kopija baze podataka (${invoicesIn.hr(d.count('invoices'))}).`,
    en: (d) => `Made a backup of the database (invoices: ${d.count('invoices')}).`,
  },
  'database.restored': {
    hr: (d) => `Baza podataka vraćena je iz sigurnosne kopije (${invoicesIn.hr(d.count('invoices'))}).`,
    en: (d) => `Restored the database from a backup (invoices: ${d.count('invoices')}).`,
  },
  'deadline.extended': {
    hr: (d) => `Zakonski rok tvrtke s OIB-om ${d.text('oib')} produljen je na pet radnih dana: ${d.quoted('reason')}.`,
    en: (d) =>
      `Extended the deadline of the company with OIB ${d.text('oib')} to 5 working days: ${d.quoted('reason')}.`,
  },
  'device.added': {
    hr: (d) => `Dodan je uređaj ${d.quoted('label')} u poslovni prostor ${d.text('premises_code')}.`,
    en: (d) => `Added the device ${d.quoted('label')} at the premises ${d.text('premises_code')}.`,
  },
  'device.changed': {
    hr: (d) => `Promijenjeni su podaci uređaja ${d.quoted('label')}. ${capital(d.changed())}.`,
    en: (d) => `Changed the device ${d.quoted('label')}. ${capital(d.changed())}.`,
  },
  'device.tagged': {
    hr: (d) => `Promijenjene su skupine uređaja ${d.quoted('label')}: ${d.text('tags') || 'nijedna'}.`,
    en: (d) => `Changed the groups of the device ${d.quoted('label')}: ${d.text('tags') || 'none'}.`,
  },
  'devices.imported': {
    hr: (d) =>
      `Uvezeni su uređaji iz datoteke: novi: ${d.count('created')}, promijenjeni: ${d.count('changed')}, ` +
      `odbijeni: ${d.count('failed')}.`,
    en: (d) =>
      `Imported devices from a file: ${d.count('created')} new, ${d.count('changed')} changed, ` +
      `${d.count('failed')} refused.`,
  },
  'job.created': {
    hr: (d) => `Pokrenuta je skupna radnja, redaka: ${d.count('rows')}.`,
    en: (d) => `Started a bulk job (rows: ${d.count('rows')}).`,
  },
  'file.downloaded': {
    hr: (d) => `Preuzeta je datoteka ${d.quoted('file')}.`,
    en: (d) => `Downloaded the file ${d.quoted('file')}.`,
  },
  'gateway.added': {
    hr: (d) => `Dodan je pristupnik ${d.quoted('name')}.`,
    en: (d) => `Added the gateway ${d.quoted('name')}.`,
  },
  'gateway.commanded': {
    hr: (d) =>
      `Pristupniku ${d.quoted('gateway')} poslana je naredba br. ${d.text('number')}: ${d.word('commands', 'type')}${commanded(d)}.`,
    en: (d) =>
      `Sent the gateway ${d.quoted('gateway')} command no. ${d.text('number')}: ${d.word('commands', 'type')}${commanded(d)}.`,
  },
  'gateway.companies_set': {
    hr: (d) => `Određeno je za koje tvrtke smije prodavati pristupnik ${d.quoted('name')}.`,
    en: (d) => `Set the companies that the gateway ${d.quoted('name')} may sell for.`,
  },
  'gateway.enrolled': {
    hr: (d) => `Pristupnik ${d.quoted('name')} prijavio se s računala ${d.quoted('host')}.`,
    en: (d) => `The gateway ${d.quoted('name')} was enrolled from the computer ${d.quoted('host')}.`,
  },
  'gateway.invoice_accepted': {
    hr: (d) =>
      `Naknadno je prihvaćen račun ${d.quoted('invoice_id')} pristupnika ${d.quoted('name')}, koji je prije bio odbijen zbog broja.`,
    en: (d) =>
      `Accepted the invoice ${d.quoted('invoice_id')} of the gateway ${d.quoted('name')}, which had been refused because of its number.`,
  },
  'gateway.revoked': {
    hr: (d) => `Opozvan je pristupnik ${d.quoted('name')}.`,
    en: (d) => `Revoked the gateway ${d.quoted('name')}.`,
  },
  'gateway.token_made': {
    hr: (d) => `Izrađen je novi token za prijavu pristupnika ${d.quoted('name')}.`,
    en: (d) => `Made a new enrolment token for the gateway ${d.quoted('name')}.`,
  },
  'hours.removed': {
    hr: (d) =>
      `Zatraženo je brisanje radnog vremena prostora ${d.quoted('premises_code')}: ${d.word('requests', 'state')}.`,
    en: (d) =>
      `Asked the tax authority to delete working hours of ${d.quoted('premises_code')}: ${d.word('requests', 'state')}.`,
  },
  'hours.set': {
    hr: (d) => `Prijavljeno je radno vrijeme prostora ${d.quoted('premises_code')}: ${d.word('requests', 'state')}.`,
    en: (d) => `Registered working hours of ${d.quoted('premises_code')}: ${d.word('requests', 'state')}.`,
  },
  'invoice.corrected': {
    hr: (d) => `Ispravak računa ${d.id('id')}, ${d.text('from')} u ${d.text('to')}: ${d.word('requests', 'state')}.`,
    en: (d) =>
      `Correction of invoice ${d.id('id')}, ${d.text('from')} to ${d.text('to')}: ${d.word('requests', 'state')}.`,
  },
  'invoice.mailed': {
    hr: (d) => `Kopija računa ${d.id('id')} poslana je e-poštom na ${d.text('to')}.`,
    en: (d) => `Sent a copy of invoice ${d.id('id')} by e-mail to ${d.text('to')}.`,
  },
  'invoice.retried': {
    hr: (d) => `Račun ${d.id('id')} ponovno je poslan Poreznoj upravi: ${d.word('statuses', 'status')}.`,
    en: (d) => `Sent invoice ${d.id('id')} to the tax authority again: ${d.word('statuses', 'status')}.`,
  },
  'invoices.requeued': {
    hr: (d) => `Odbijeni računi vraćeni su u red za slanje (${invoicesIn.hr(d.count('count'))}).`,
    en: (d) => `Put refused invoices back into the queue (${d.count('count')}).`,
  },
  'machine.accepted': {
    hr: (d) => `Potvrđeno je da kartica ostaje u ovom računalu (${d.text('now')}; prije: ${d.text('before')}).`,
    en: (d) => `Confirmed that the card stays in this computer (${d.text('now')}; before: ${d.text('before')}).`,
  },
  'numbers.confirmed': {
    hr: (d) =>
      `Potvrđeni su dvojbeni brojevi računa koje je javio središnji poslužitelj. Ukupno: ${d.list('numbers').length}.`,
    en: (d) => `Confirmed doubtful invoice numbers of the central server (sequences: ${d.list('numbers').length}).`,
  },
  'numbers.healed': {
    hr: (d) =>
      `Numeracija računa vraćena je na redovite brojeve (${d.text('premises_code')}, nakon broja ${d.text('to')}).`,
    en: (d) => `Set the invoice numbers of the premises ${d.text('premises_code')} to continue after ${d.text('to')}.`,
  },
  'numbers.learned': {
    hr: (d) => `Sa središnjeg poslužitelja preuzeti su posljednji brojevi računa. Ukupno: ${d.list('numbers').length}.`,
    en: (d) => `Took over the latest invoice numbers from the central server (sequences: ${d.list('numbers').length}).`,
  },
  'numbers.skipped': {
    hr: (d) =>
      `Preskočeni su brojevi izdanih računa kojih u bazi podataka nema (${d.text('premises_code')}, do broja ${d.text('to')}).`,
    en: (d) =>
      `Skipped the numbers of issued invoices that the database lacks (${d.text('premises_code')}, up to ${d.text('to')}).`,
  },
  'period.closed': {
    hr: (d) => `Zaključeno je razdoblje ${d.period()} (${d.mode()}${byScheduleHr(d)}).`,
    en: (d) => `Closed the period ${d.period()} (${d.mode()}${byScheduleEn(d)}).`,
  },
  'printer.removed': {
    hr: (d) => `Uklonjen je pisač uređaja ${d.id('device_id')}.`,
    en: (d) => `Removed the printer of device ${d.id('device_id')}.`,
  },
  'printer.set': {
    hr: (d) => `Postavljen je pisač uređaja ${d.id('device_id')} (${d.text('line')}).`,
    en: (d) => `Set the printer of device ${d.id('device_id')} (${d.text('line')}).`,
  },
  'receipt.copied': {
    hr: (d) => `Ispisana je ${d.text('copy')}. kopija računa ${d.id('id')}.`,
    en: (d) => `Printed copy ${d.text('copy')} of invoice ${d.id('id')}.`,
  },
  'session.recovery_code_used': {
    hr: (d) =>
      `Prijava rezervnim kodom s adrese ${d.text('address')}: ${d.text('name')}. Preostalo kodova: ${d.count('left')}.`,
    en: (d) =>
      `Signed in with a recovery code from the address ${d.text('address')}: ${d.text('name')}. Codes left: ${d.count('left')}.`,
  },
  'session.refused': {
    hr: (d) =>
      `Neuspjela prijava${d.has('name') ? ` korisnika ${d.quoted('name')}` : ' nepoznatim korisničkim imenom'} ` +
      `s adrese ${d.text('address')}: ${d.text('step') === 'code' ? 'kod nije točan' : 'korisničko ime ili lozinka nisu točni'}.` +
      (d.has('is_last') ? ' Daljnje neuspjele prijave neko se vrijeme ne zapisuju.' : ''),
    en: (d) =>
      `Failed sign-in${d.has('name') ? ` for the user ${d.quoted('name')}` : ' with an unknown name'} ` +
      `from the address ${d.text('address')}: ${d.text('step') === 'code' ? 'wrong code' : 'wrong name or password'}.` +
      (d.has('is_last') ? ' Further failed sign-ins are not recorded for a while.' : ''),
  },
  'session.started': {
    hr: (d) => `Prijava na nadzornu ploču: ${d.text('name')}.`,
    en: (d) => `Signed in to the dashboard: ${d.text('name')}.`,
  },
  'gateway.replaced': {
    hr: (d) => `Ovo je računalo preuzelo ulogu ranijeg pristupnika. Preuzeto uređaja: ${d.text('devices')}.`,
    en: (d) => `This computer took the place of an earlier gateway. Devices taken over: ${d.text('devices')}.`,
  },
  'sync.enrolled': {
    hr: (d) => `Ovaj je pristupnik prijavljen na središnji poslužitelj ${d.text('server')}.`,
    en: (d) => `Enrolled this gateway at the central server ${d.text('server')}.`,
  },
  'sync.left': {
    hr: (d) => `Ovaj je pristupnik odjavljen sa središnjeg poslužitelja ${d.text('server')}.`,
    en: (d) => `Ended the enrolment of this gateway at the central server ${d.text('server')}.`,
  },
  'tenant.added': {
    hr: (d) => `Dodana je organizacija ${d.quoted('name')}.`,
    en: (d) => `Added the organisation ${d.quoted('name')}.`,
  },
  'trust.changed': {
    hr: (d) => `${d.has('removed') ? 'Skraćen' : 'Dopunjen'} je popis ${d.trusted()} kojima se vjeruje (${d.mode()}).`,
    en: (d) => `${d.has('removed') ? 'Removed' : 'Added'} trusted certificates of ${d.trusted()} (${d.mode()}).`,
  },
  'user.added': {
    hr: (d) => `Dodan je korisnik ${d.quoted('name')}, uloga: ${d.word('roles', 'role')}.`,
    en: (d) => `Added the user ${d.quoted('name')}, role: ${d.word('roles', 'role')}.`,
  },
  'user.changed': {
    hr: (d) => `Promijenjeni su podaci korisnika ${d.quoted('name')}: ${d.changed()}.`,
    en: (d) => `Changed the account of ${d.quoted('name')}: ${d.changed()}.`,
  },
  'user.invited': {
    hr: (d) => `Pozvan je korisnik ${d.quoted('name')}, uloga: ${d.word('roles', 'role')}.`,
    en: (d) => `Invited the user ${d.quoted('name')}, role: ${d.word('roles', 'role')}.`,
  },
  'user.link_sent': {
    hr: (d) =>
      `Korisniku ${d.quoted('name')} ${d.has('to') ? `poslana je na ${d.text('to')}` : 'izrađena je'} ` +
      `poveznica za postavljanje lozinke${d.has('address') ? `, zatražena s adrese ${d.text('address')}` : ''}.`,
    en: (d) =>
      `${d.has('to') ? `Sent ${d.text('to')}` : 'Made'} a link to set the password of ${d.quoted('name')}` +
      `${d.has('address') ? `, requested from the address ${d.text('address')}` : ''}.`,
  },
  'user.password_set': {
    hr: (d) => `Korisnik ${d.quoted('name')} postavio je lozinku pomoću poveznice.`,
    en: (d) => `The user ${d.quoted('name')} set the password with a link.`,
  },
  'user.removed': {
    hr: (d) => `Uklonjen je korisnik ${d.quoted('name')}.`,
    en: (d) => `Removed the user ${d.quoted('name')}.`,
  },
  'user.reset': {
    hr: (d) => `Administrator je poništio podatke za prijavu korisnika ${d.quoted('name')}: ${d.changed()}.`,
    en: (d) => `Reset the sign-in data of ${d.quoted('name')} as administrator: ${d.changed()}.`,
  },
  'view.removed': {
    hr: (d) => `Uklonjen je spremljeni prikaz ${d.quoted('name')}.`,
    en: (d) => `Removed the saved view ${d.quoted('name')}.`,
  },
  'view.saved': {
    hr: (d) => `Spremljen je prikaz ${d.quoted('name')}.`,
    en: (d) => `Saved the view ${d.quoted('name')}.`,
  },
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
