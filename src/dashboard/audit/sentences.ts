import type { AuditAction } from '../../fiscal/access/audit-log.ts'
import type { JsonObject, Language } from '../../fiscal/ports/model.ts'
import { alertKind } from '../alerts/kinds.ts'
import { invoicesIn } from '../language.ts'
import { type Detail, detailOf } from './detail.ts'

type Tell = (detail: Detail) => string

/** What was done, as a sentence; an action that is not known, of another version, by the name it has in the log. */
export function sentence(action: string, detail: JsonObject, language: Language): string {
  const told = Object.hasOwn(TOLD, action) ? TOLD[action as AuditAction] : undefined
  return told ? told[language](detailOf(detail, language)) : action
}

const byScheduleHr = (d: Detail) => (d.has('schedule_id') ? ', redovito slanje' : '')
const byScheduleEn = (d: Detail) => (d.has('schedule_id') ? ', by schedule' : '')
const oftenHr = (d: Detail) => (d.text('unit') === 'day' ? 'svaki dan' : 'svaki mjesec')
const oftenEn = (d: Detail) => (d.text('unit') === 'day' ? 'each day' : 'each month')

/** What was changed, from what to what; empty where nothing was. */
export const changesIn = (detail: JsonObject, language: Language) => capital(detailOf(detail, language).changed())

/** Which device, or the new status of a company. */
const commanded = (d: Detail) => {
  const said = [
    ...(d.has('label') ? [d.quoted('label')] : []),
    d.changed() === '' && d.has('status') ? d.word('values', 'status') : '',
  ]
  const told = said.filter((text) => text !== '').join(': ')
  return told === '' ? '' : ` (${told})`
}

/** Facts of the entry in braces: `{name}`, `{"name"}` in quotation marks, `{#id}` its beginning, `{roles.role}` in words. */
const FACT = /\{(?:"(\w+)"|#(\w+)|(roles|statuses|requests|values)\.(\w+)|(\w+))\}/g

type List = 'roles' | 'statuses' | 'requests' | 'values'

const filled = (text: string, d: Detail) =>
  text.replace(FACT, (_all, quoted: string, id: string, list: List, word: string, name: string) => {
    if (quoted) return d.quoted(quoted)
    if (id) return d.id(id)
    if (list) return d.word(list, word)
    return name === 'mode' || name === 'command' ? d[name]() : d.text(name)
  })

const says = (hr: string, en: string) => ({ hr: (d: Detail) => filled(hr, d), en: (d: Detail) => filled(en, d) })

const TOLD: Record<AuditAction, Record<Language, Tell>> = {
  'alert.acknowledged': {
    hr: (d) => `Viđeno je upozorenje: ${alertKind(d.text('kind'), 'hr')}.`,
    en: (d) => `Acknowledged the alert: ${alertKind(d.text('kind'), 'en')}.`,
  },
  'alert.tested': says('Poslana je probna poruka e-pošte.', 'Sent a test e-mail.'),
  'all_tenants.read': {
    hr: (d) => `${d.text('list') === 'devices' ? 'Pregledani su uređaji' : 'Pregledane su tvrtke'} svih organizacija.`,
    en: (d) => `Viewed the ${d.text('list') === 'devices' ? 'devices' : 'companies'} of all organisations.`,
  },
  'api_key.created': says('Izrađen je API ključ {"name"} ({mode}).', 'Made the API key {"name"} ({mode}).'),
  'api_key.revoked': says('Opozvan je API ključ {"name"}.', 'Revoked the API key {"name"}.'),
  'branding.changed': says(
    'Promijenjen je naziv na stranicama (naziv: {name}).',
    'Changed the name on pages (name: {name}).',
  ),
  'certificate.added': says(
    'Učitan je certifikat tvrtke s OIB-om {oib}.',
    'Uploaded a certificate of the company with OIB {oib}.',
  ),
  'certificate.revoked': says(
    'Opozvan je certifikat tvrtke s OIB-om {oib}.',
    'Marked a certificate of the company with OIB {oib} as revoked.',
  ),
  'certificate.superseded': says(
    'Raniji certifikat tvrtke s OIB-om {oib} više se ne koristi.',
    'Replaced the earlier certificate of the company with OIB {oib}.',
  ),
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
  'command.taken': says(
    'Preuzeta je naredba br. {number} središnjeg poslužitelja: {command}.',
    'Fetched command no. {number} from the central server: {command}.',
  ),
  'company.added': says(
    'Dodana je tvrtka {"name"}, OIB {oib} ({mode}).',
    'Added the company {"name"}, OIB {oib} ({mode}).',
  ),
  'company.changed': says('Promijenjeni su podaci tvrtke s OIB-om {oib}.', 'Changed the company with OIB {oib}.'),
  'company.logo': says(
    'Promijenjen je logotip na računima tvrtke s OIB-om {oib}.',
    'Changed the logo on the receipts of the company with OIB {oib}.',
  ),
  'database.backed_up': {
    hr: (d) => `Izrađena je sigurnosna kopija baze podataka (${invoicesIn.hr(d.count('invoices'))}).`,
    en: (d) => `Made a backup of the database (invoices: ${d.count('invoices')}).`,
  },
  'database.restored': {
    hr: (d) => `Baza podataka vraćena je iz sigurnosne kopije (${invoicesIn.hr(d.count('invoices'))}).`,
    en: (d) => `Restored the database from a backup (invoices: ${d.count('invoices')}).`,
  },
  'deadline.extended': says(
    'Zakonski rok tvrtke s OIB-om {oib} produljen je na pet radnih dana: {"reason"}.',
    'Extended the deadline of the company with OIB {oib} to 5 working days: {"reason"}.',
  ),
  'device.added': says(
    'Dodan je uređaj {"label"}, poslovni prostor {premises_code}.',
    'Added the device {"label"} at the premises {premises_code}.',
  ),
  'device.changed': says('Promijenjeni su podaci uređaja {"label"}.', 'Changed the device {"label"}.'),
  'device.noted': says('Promijenjena je bilješka o uređaju {"label"}.', 'Changed the note about the device {"label"}.'),
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
  'job.created': says('Pokrenuta je skupna radnja, redaka: {rows}.', 'Started a bulk job (rows: {rows}).'),
  'file.downloaded': says('Preuzeta je datoteka {"file"}.', 'Downloaded the file {"file"}.'),
  'gateway.added': says('Dodan je pristupnik {"name"}.', 'Added the gateway {"name"}.'),
  'gateway.commanded': {
    hr: (d) =>
      `Pristupniku ${d.quoted('gateway')} poslana je naredba br. ${d.text('number')}: ${d.command()}${commanded(d)}.`,
    en: (d) =>
      `Sent the gateway ${d.quoted('gateway')} command no. ${d.text('number')}: ${d.command()}${commanded(d)}.`,
  },
  'gateway.companies_set': says(
    'Određeno je za koje tvrtke smije prodavati pristupnik {"name"}.',
    'Set the companies that the gateway {"name"} may sell for.',
  ),
  'gateway.enrolled': says(
    'Pristupnik {"name"} povezao se s računala {"host"}.',
    'The gateway {"name"} was enrolled from the computer {"host"}.',
  ),
  'gateway.invoice_accepted': says(
    'Naknadno je prihvaćen račun {"invoice_id"} pristupnika {"name"}, koji je prije bio odbijen zbog broja.',
    'Accepted the invoice {"invoice_id"} of the gateway {"name"}, which had been refused because of its number.',
  ),
  'gateway.revoked': says('Opozvan je pristupnik {"name"}.', 'Revoked the gateway {"name"}.'),
  'gateway.token_made': says(
    'Izrađen je novi token za povezivanje pristupnika {"name"}.',
    'Made a new enrolment token for the gateway {"name"}.',
  ),
  'hours.removed': says(
    'Zatraženo je brisanje radnog vremena prostora {"premises_code"}: {requests.state}.',
    'Asked the tax authority to delete working hours of {"premises_code"}: {requests.state}.',
  ),
  'hours.set': says(
    'Prijavljeno je radno vrijeme prostora {"premises_code"}: {requests.state}.',
    'Registered working hours of {"premises_code"}: {requests.state}.',
  ),
  'invoice.corrected': says(
    'Ispravak računa {#id}, {from} u {to}: {requests.state}.',
    'Correction of invoice {#id}, {from} to {to}: {requests.state}.',
  ),
  'invoice.mailed': says(
    'Kopija računa {#id} poslana je e-poštom na {to}.',
    'Sent a copy of invoice {#id} by e-mail to {to}.',
  ),
  'invoice.retried': says(
    'Račun {#id} ponovno je poslan Poreznoj upravi: {statuses.status}.',
    'Sent invoice {#id} to the tax authority again: {statuses.status}.',
  ),
  'invoices.requeued': {
    hr: (d) => `Odbijeni računi vraćeni su u red za slanje (${invoicesIn.hr(d.count('count'))}).`,
    en: (d) => `Put refused invoices back into the queue (${d.count('count')}).`,
  },
  'machine.accepted': says(
    'Potvrđeno je da kartica ostaje u ovom računalu ({now}; prije: {before}).',
    'Confirmed that the card stays in this computer ({now}; before: {before}).',
  ),
  'numbers.confirmed': {
    hr: (d) =>
      `Potvrđeni su dvojbeni brojevi računa koje je javio središnji poslužitelj. Ukupno: ${d.list('numbers').length}.`,
    en: (d) => `Confirmed doubtful invoice numbers of the central server (sequences: ${d.list('numbers').length}).`,
  },
  'numbers.healed': says(
    'Numeracija računa vraćena je na redovite brojeve ({premises_code}, nakon broja {to}).',
    'Set the invoice numbers of the premises {premises_code} to continue after {to}.',
  ),
  'numbers.learned': {
    hr: (d) => `Sa središnjeg poslužitelja preuzeti su posljednji brojevi računa. Ukupno: ${d.list('numbers').length}.`,
    en: (d) => `Took over the latest invoice numbers from the central server (sequences: ${d.list('numbers').length}).`,
  },
  'numbers.skipped': says(
    'Preskočeni su brojevi izdanih računa kojih u bazi podataka nema ({premises_code}, do broja {to}).',
    'Skipped the numbers of issued invoices that the database lacks ({premises_code}, up to {to}).',
  ),
  'period.closed': {
    hr: (d) => `Zaključeno je razdoblje ${d.period()} (${d.mode()}${byScheduleHr(d)}).`,
    en: (d) => `Closed the period ${d.period()} (${d.mode()}${byScheduleEn(d)}).`,
  },
  'printer.removed': says('Uklonjen je pisač uređaja {#device_id}.', 'Removed the printer of device {#device_id}.'),
  'printer.set': says(
    'Postavljen je pisač uređaja {#device_id} ({line}).',
    'Set the printer of device {#device_id} ({line}).',
  ),
  'receipt.copied': says('Ispisana je {copy}. kopija računa {#id}.', 'Printed copy {copy} of invoice {#id}.'),
  'receipt_link.withdrawn': {
    hr: (d) =>
      d.has('oib')
        ? `Povučene su sve poveznice na račune tvrtke s OIB-om ${d.text('oib')}.`
        : `Povučena je poveznica na račun ${d.text('id')}.`,
    en: (d) =>
      d.has('oib')
        ? `Withdrew all links to receipts of the company with OIB ${d.text('oib')}.`
        : `Withdrew the link to the receipt of invoice ${d.text('id')}.`,
  },
  'session.recovery_code_used': says(
    'Prijava rezervnim kodom s adrese {address}: {name}. Preostalo kodova: {left}.',
    'Signed in with a recovery code from the address {address}: {name}. Codes left: {left}.',
  ),
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
  'session.started': says('Prijava na nadzornu ploču: {name}.', 'Signed in to the dashboard: {name}.'),
  'gateway.replaced': says(
    'Ovo je računalo preuzelo ulogu ranijeg pristupnika. Preuzeto uređaja: {devices}.',
    'This computer took the place of an earlier gateway. Devices taken over: {devices}.',
  ),
  'sync.enrolled': says(
    'Ovaj je pristupnik povezan sa središnjim poslužiteljem {server}.',
    'Enrolled this gateway at the central server {server}.',
  ),
  'sync.left': says(
    'Veza ovog pristupnika sa središnjim poslužiteljem {server} raskinuta je.',
    'Ended the enrolment of this gateway at the central server {server}.',
  ),
  'tenant.added': says('Dodana je organizacija {"name"}.', 'Added the organisation {"name"}.'),
  'trust.changed': {
    hr: (d) => `${d.has('removed') ? 'Skraćen' : 'Dopunjen'} je popis ${d.trusted()} kojima se vjeruje (${d.mode()}).`,
    en: (d) => `${d.has('removed') ? 'Removed' : 'Added'} trusted certificates of ${d.trusted()} (${d.mode()}).`,
  },
  'user.added': says(
    'Dodan je korisnik {"name"}, uloga: {roles.role}.',
    'Added the user {"name"}, role: {roles.role}.',
  ),
  'user.changed': says('Promijenjeni su podaci korisnika {"name"}.', 'Changed the account of {"name"}.'),
  'user.invited': says(
    'Pozvan je korisnik {"name"}, uloga: {roles.role}.',
    'Invited the user {"name"}, role: {roles.role}.',
  ),
  'user.link_sent': {
    hr: (d) =>
      `Korisniku ${d.quoted('name')} ${d.has('to') ? `poslana je na ${d.text('to')}` : 'izrađena je'} ` +
      `poveznica za postavljanje lozinke${d.has('address') ? `, zatražena s adrese ${d.text('address')}` : ''}.`,
    en: (d) =>
      `${d.has('to') ? `Sent ${d.text('to')}` : 'Made'} a link to set the password of ${d.quoted('name')}` +
      `${d.has('address') ? `, requested from the address ${d.text('address')}` : ''}.`,
  },
  'user.password_set': says(
    'Korisnik {"name"} postavio je lozinku pomoću poveznice.',
    'The user {"name"} set the password with a link.',
  ),
  'user.removed': says('Uklonjen je korisnik {"name"}.', 'Removed the user {"name"}.'),
  'user.reset': says(
    'Administrator je poništio podatke za prijavu korisnika {"name"}.',
    'Reset the sign-in data of {"name"} as administrator.',
  ),
  'view.removed': says('Uklonjen je spremljeni prikaz {"name"}.', 'Removed the saved view {"name"}.'),
  'view.saved': says('Spremljen je prikaz {"name"}.', 'Saved the view {"name"}.'),
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
