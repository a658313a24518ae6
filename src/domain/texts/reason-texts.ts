import { HOURS_CODES, type HoursCode } from '../hours/hours-texts.ts'
import { inBoth } from './in-both.ts'

/** Distinguishes the refusals of one code, so that pages can translate them; never sent to API callers. */
export type Reason = keyof (typeof REASON_TEXTS)['hr']

/** @param about the name of what it is about, where there is one */
export function textOfReason(reason: Reason, about: string | null, language: 'hr' | 'en'): string {
  const known = about === null ? undefined : HOURS_CODES[about as HoursCode]?.[language]
  const named = known === undefined ? about : `${about}: ${known}`
  return REASON_TEXTS[language][reason].replace('{about}', () => (named === null ? '' : ` (${named})`))
}

/** What is wrong and what to do about it, where the code of a refusal alone does not tell. */
export const REASON_TEXTS = inBoth({
  address_characters: {
    en: 'The address has a character that cannot be stored. Remove this character.',
    hr: 'U adresi je znak koji se ne može spremiti. Izbrišite ga i upišite adresu ponovno.',
  },
  address_too_long: {
    en: 'An address has at most 500 characters. Make it shorter.',
    hr: 'Adresa može imati najviše 500 znakova. Skratite je.',
  },
  authority_silent: {
    en: 'The tax authority does not answer: it is asked again later.',
    hr: 'Porezna uprava ne odgovara: upit će se ponoviti kasnije.',
  },
  break_unknown: {
    en: 'No sale waits that was made while the tax authority was not reached: there is no deadline to extend.',
    hr: 'Ne čeka nijedan račun izdan dok Porezna uprava nije bila dostupna: nema roka koji bi se produljio.',
  },
  cells_missing: {
    en: 'The row has fewer columns than the header. Add the empty fields that are missing.',
    hr: 'Redak ima manje stupaca od zaglavlja. Dodajte prazna polja koja nedostaju.',
  },
  cells_too_many: {
    en: 'The row has more columns than the header. Put text that contains a comma or semicolon in quotes.',
    hr: 'Redak ima više stupaca od zaglavlja. Tekst u kojem je zarez ili točka sa zarezom stavite u navodnike.',
  },
  certificate_before_its_time: {
    en: 'The certificate is not valid yet. Check from which date it is valid, and check the clock of the computer.',
    hr: 'Certifikat još ne vrijedi. Provjerite od kojeg dana vrijedi i je li sat računala točan.',
  },
  certificate_missing: {
    en: 'The company has no certificate in use. Upload its fiscal certificate.',
    hr: 'Tvrtka nema certifikat u upotrebi. Učitajte fiskalni certifikat.',
  },
  certificate_not_trusted: {
    en: 'The issuer of the certificate is not trusted in this mode. Live mode needs the production certificate, test mode the demo certificate. Check that you have chosen the right file. If its issuer is not Fina, such as AKD (Certilia), your technician first adds it with “fisk trust add --for uploads”.',
    hr: 'Certifikat nije izdao izdavatelj kojem se u ovom načinu rada vjeruje. Za stvarni rad treba produkcijski certifikat, a za testni rad demo certifikat. Provjerite jeste li odabrali pravu datoteku. Ako izdavatelj nije Fina, nego na primjer AKD (Certilia), tehničar ga najprije dodaje naredbom „fisk trust add --for uploads”.',
  },
  certificate_not_valid_now: {
    en: 'The certificate is not valid now: it has expired or is not valid yet. Upload a valid one.',
    hr: 'Certifikat sada nije valjan: istekao je ili još ne vrijedi. Učitajte valjan certifikat.',
  },
  certificate_of_nobody: {
    en: 'The certificate does not contain an OIB, so it is not a fiscal certificate. Choose the fiscal certificate of the company.',
    hr: 'U certifikatu nema OIB-a, pa to nije fiskalni certifikat. Odaberite fiskalni certifikat tvrtke.',
  },
  certificate_oib_elsewhere: {
    en: 'The certificate has no single OIB where certificates for fiscalization have it{about}. Ask the issuer for a certificate for fiscalization.',
    hr: 'U certifikatu nema jednog OIB-a na mjestu na kojem ga imaju certifikati za fiskalizaciju{about}. Od izdavatelja zatražite certifikat za fiskalizaciju.',
  },
  certificate_revoked: {
    en: 'Its issuer has revoked this certificate. Ask for a new one and upload it.',
    hr: 'Izdavatelj je opozvao ovaj certifikat. Zatražite novi i učitajte ga.',
  },
  certificates_busy: {
    en: 'Other certificate files are being opened. Wait a few seconds and try again.',
    hr: 'Upravo se otvaraju druge datoteke certifikata. Pričekajte nekoliko sekundi i pokušajte ponovno.',
  },
  changed_meanwhile: {
    en: 'Another user has changed this in the meantime. Nothing was overwritten: compare the values, and save again if yours are right.',
    hr: 'U međuvremenu je netko drugi ovo promijenio. Vaše izmjene nisu spremljene: pogledajte što se promijenilo i spremite ih ponovno ako ih želite zadržati.',
  },
  column_missing: {
    en: 'The first line lacks the column label or premises_code. Compare the file with the sample.',
    hr: 'U prvom retku nedostaje stupac label ili premises_code. Usporedite datoteku s primjerom.',
  },
  column_twice: {
    en: 'A column appears twice in the first line. Keep only one.',
    hr: 'Jedan je stupac u prvom retku naveden dvaput. Ostavite samo jedan.',
  },
  config_no_object: {
    en: 'The column device_config must hold settings as a JSON object without a key that is there twice, or be empty.',
    hr: 'Stupac device_config mora sadržavati postavke u obliku JSON objekta bez ponovljenih ključeva ili biti prazan.',
  },
  config_too_large: { en: 'The settings are too large: at most 32 KB.', hr: 'Postavke su prevelike: najviše 32 KB.' },
  contact_too_long: {
    en: 'A contact has at most 200 characters. Make it shorter.',
    hr: 'Kontakt može imati najviše 200 znakova. Skratite ga.',
  },
  correction_of_recipient: {
    en: 'Only an attended sale has a recipient whose OIB can be corrected.',
    hr: 'OIB kupca može se ispraviti samo na računu izdanom uz djelatnika.',
  },
  correction_too_late: {
    en: 'An invoice can be corrected on the day of its sale alone, until midnight. Afterwards make a refund and a new sale.',
    hr: 'Račun se može ispraviti samo na dan prodaje, do ponoći. Nakon toga stornirajte račun i izdajte novi.',
  },
  correction_unchanged: {
    en: 'The invoice has these data already: choose others.',
    hr: 'Račun već ima te podatke: odaberite druge.',
  },
  correction_without_jir: {
    en: 'Only an invoice with a JIR can be corrected. Wait until it has one.',
    hr: 'Ispraviti se može samo račun koji ima JIR. Pričekajte da ga dobije.',
  },
  database_away: {
    en: 'The database is not available at the moment. fiskd tries again automatically.',
    hr: 'Baza podataka trenutačno nije dostupna. fiskd automatski pokušava ponovno.',
  },
  deadline_extended: {
    en: 'The deadline of this break was extended already. That is possible once.',
    hr: 'Rok je za ovaj prekid već produljen. To je moguće jednom.',
  },
  deadline_of_gateway: {
    en: 'The company sells at a gateway. Extend the deadline there, with “fisk deadline extend”.',
    hr: 'Tvrtka prodaje preko pristupnika. Rok produljite na njemu, naredbom „fisk deadline extend”.',
  },
  deadline_reason_missing: { en: 'Say why, in at most 500 characters.', hr: 'Navedite razlog u najviše 500 znakova.' },
  device_ambiguous: {
    en: 'Several devices have this name. Give the premises code of the right one in its own column.',
    hr: 'Više uređaja ima taj naziv. U stupac poslovnog prostora upišite oznaku njegova poslovnog prostora.',
  },
  device_archived: {
    en: 'The device is archived. Activate it first, or remove the row.',
    hr: 'Uređaj je arhiviran. Najprije ga aktivirajte ili uklonite redak.',
  },
  device_unknown: {
    en: 'There is no device of this name at these premises. Copy the name as shown in the list of devices.',
    hr: 'Nema uređaja s tim nazivom u navedenom prostoru. Prepišite naziv točno kako stoji na popisu uređaja.',
  },
  file_empty: {
    en: 'The file is empty. Its first line must have at least the columns label and premises_code.',
    hr: 'Datoteka je prazna. U prvom retku moraju biti barem stupci label i premises_code.',
  },
  file_no_certificate: {
    en: 'This is not a certificate file, or it is damaged. Choose the file ending in .p12 or .pfx that the issuer gave you.',
    hr: 'Ovo nije datoteka certifikata ili je oštećena. Odaberite datoteku s nastavkom .p12 ili .pfx koju ste dobili od izdavatelja.',
  },
  file_no_csv: {
    en: 'The file cannot be read as CSV. Check the quotation marks, and save it again as “CSV UTF-8”.',
    hr: 'Datoteka se ne može pročitati kao CSV. Provjerite navodnike i spremite je ponovno kao „CSV UTF-8”.',
  },
  file_no_key: {
    en: 'The file has no private key in it. Export the certificate together with its private key.',
    hr: 'U datoteci nema privatnog ključa. Izvezite certifikat zajedno s privatnim ključem.',
  },
  file_tabs: {
    en: 'The columns are separated by tabs. In Excel choose Save as → “CSV UTF-8”.',
    hr: 'Stupci su odvojeni tabulatorima. U Excelu odaberite Spremi kao → „CSV UTF-8”.',
  },
  file_workbook: {
    en: 'The file is a workbook (.xlsx, .xls or .ods). In Excel choose Save as → “CSV UTF-8”.',
    hr: 'Datoteka je radna knjiga (.xlsx, .xls ili .ods). U Excelu odaberite Spremi kao → „CSV UTF-8”.',
  },
  file_not_utf8: {
    en: 'The file is not UTF-8. In Excel choose Save as → “CSV UTF-8”.',
    hr: 'Datoteka nije u formatu UTF-8. U Excelu odaberite Spremi kao → „CSV UTF-8”.',
  },
  file_of_pem: {
    en: 'This is a certificate as text (PEM). A .p12 or .pfx file with the private key in it is needed.',
    hr: 'Ovo je certifikat u tekstualnom obliku (PEM). Potrebna je datoteka .p12 ili .pfx u kojoj je i privatni ključ.',
  },
  gateway_busy: {
    en: 'This gateway has 100 commands waiting. Wait until it has fetched some of them.',
    hr: 'Na preuzimanje već čeka 100 naredaba. Pričekajte da ih pristupnik preuzme.',
  },
  gateway_left: {
    en: 'This gateway is no longer enrolled and no longer fetches commands. Make a new token for it.',
    hr: 'Veza pristupnika s ovim poslužiteljem je raskinuta, pa više ne preuzima naredbe. Izradite mu novi token.',
  },
  gateway_name_taken: {
    en: 'There is a gateway of this name already. Choose another one, or make a new token on its page.',
    hr: 'Pristupnik s tim nazivom već postoji. Odaberite drugi naziv ili na stranici postojećeg pristupnika izradite novi token.',
  },
  gateway_name_wrong: {
    en: 'A name has 1 to 63 characters: letters a-z and A-Z, digits, dots, hyphens and underscores. It begins with a letter or digit.',
    hr: 'Naziv ima od 1 do 63 znaka: slova (bez č, ć, đ, š, ž), znamenke, točke, crtice i podvlake. Počinje slovom ili znamenkom.',
  },
  gateway_not_enrolled: {
    en: 'This gateway has not connected to the server yet. Use its token on its computer first.',
    hr: 'Pristupnik se još nije povezao s ovim poslužiteljem. Najprije na njemu upotrijebite token.',
  },
  gateway_revoked: {
    en: 'This gateway is revoked and no longer fetches commands.',
    hr: 'Pristupnik je opozvan i više ne preuzima naredbe.',
  },
  hours_file_columns: {
    en: 'The first line needs the column label and at least one of hours (with from) and exceptions.',
    hr: 'U prvom retku moraju biti stupac naziv i barem jedan od stupaca radno vrijeme (uz od) i iznimke.',
  },
  hours_day: { en: 'This is not a day such as 2026-12-01.', hr: 'To nije datum kao što je 1. 12. 2026.' },
  hours_note: {
    en: 'A note has 1 to 200 characters in one line.',
    hr: 'Napomena ima 1 do 200 znakova u jednom retku.',
  },
  hours_of_day_unreadable: {
    en: 'Write the hours of a day as “08:00-12:00”, or split as “08:00-12:00 16:00-20:00”.',
    hr: 'Radno vrijeme jednog dana pišite kao „08:00-12:00” ili dvokratno kao „08:00-12:00 16:00-20:00”.',
  },
  hours_refused: {
    en: 'The tax authority does not take these hours{about}.',
    hr: 'Porezna uprava ne prima to radno vrijeme{about}.',
  },
  hours_too_many: {
    en: 'One message holds at most 3 regular hours and 10 exceptions. Send the others afterwards.',
    hr: 'U jednoj su poruci najviše 3 redovna radna vremena i 10 iznimaka. Ostala pošaljite nakon toga.',
  },
  hours_unreadable: {
    en: 'Write hours as “mon-fri 08:00-20:00; sat 08:00-12:00 16:00-20:00; holidays 09:00-12:00”, “daily 00:00-24:00”, “mon odd 08:00-12:00; mon even 14:00-20:00” or “by arrangement”, each day once.',
    hr: 'Radno vrijeme pišite kao „pon-pet 08:00-20:00; sub 08:00-12:00 16:00-20:00; praznici 09:00-12:00”, „svakodnevno 00:00-24:00”, „pon neparni 08:00-12:00; pon parni 14:00-20:00” ili „po dogovoru”, svaki dan jednom.',
  },
  invoice_not_sendable: {
    en: 'The invoice is confirmed already, or has expired: it can no longer be sent.',
    hr: 'Račun je već potvrđen ili mu je istekao zakonski rok, pa se više ne može poslati.',
  },
  isu_file_columns: {
    en: 'The first line lacks the columns label and isu_number. Compare the file with the sample.',
    hr: 'U prvom retku nedostaju stupci naziv i ISU broj. Usporedite datoteku s primjerom.',
  },
  isu_number_missing: { en: 'Enter the ISU number.', hr: 'Upišite ISU broj.' },
  isu_number_not_digits: {
    en: 'An ISU number has digits only: no letters, spaces, dots or slashes.',
    hr: 'ISU broj ima samo znamenke: bez slova, razmaka, točaka i kosih crta.',
  },
  isu_number_taken: {
    en: 'Another device{about} has this ISU number already. Check the number in ePorezna.',
    hr: 'Drugi uređaj već ima taj ISU broj{about}. Provjerite broj u ePoreznoj.',
  },
  isu_number_too_long: { en: 'An ISU number has at most 20 digits.', hr: 'ISU broj može imati najviše 20 znamenaka.' },
  isu_number_zero: {
    en: 'An ISU number does not begin with a zero. Enter it exactly as ePorezna shows it.',
    hr: 'ISU broj ne počinje nulom. Upišite ga točno kako piše u ePoreznoj.',
  },
  job_empty: { en: 'No row was chosen.', hr: 'Nije odabran nijedan redak.' },
  job_too_large: {
    en: 'A bulk job can have at most 5,000 rows. Choose fewer.',
    hr: 'Skupna radnja može imati najviše 5000 redaka. Suzite odabir.',
  },
  jobs_busy: {
    en: '20 bulk jobs are already running. Wait until one of them has finished.',
    hr: 'Već je u tijeku 20 skupnih radnji. Pričekajte da neka završi.',
  },
  label_characters: {
    en: 'The name has a character that nobody sees. Type the name anew instead of copying it.',
    hr: 'U nazivu je znak koji se ne vidi. Upišite naziv ponovno umjesto da ga kopirate.',
  },
  label_missing: { en: 'Enter a name for the device.', hr: 'Upišite naziv uređaja.' },
  label_taken: {
    en: 'The company already has a device of this name. Choose another one.',
    hr: 'Tvrtka već ima uređaj s tim nazivom. Odaberite drugi naziv.',
  },
  label_too_long: {
    en: 'A name has at most 200 characters. Make it shorter.',
    hr: 'Naziv može imati najviše 200 znakova. Skratite ga.',
  },
  logo_blank: {
    en: 'The picture is blank: nothing of it would be seen on white paper. Choose another one.',
    hr: 'Slika je prazna: na bijelom papiru ne bi se ništa vidjelo. Odaberite drugu.',
  },
  logo_format: { en: 'The file is not a valid PNG picture.', hr: 'Datoteka nije ispravna slika PNG.' },
  logo_pixels: {
    en: 'The picture is too large: at most 2,000 pixels a side and 1,000,000 in all. Make it smaller.',
    hr: 'Slika je prevelika: najviše 2000 piksela po širini i visini i 1.000.000 ukupno. Smanjite je.',
  },
  mail_address_wrong: {
    en: 'This is not a valid e-mail address. Enter one address, such as name@company.hr.',
    hr: 'Ovo nije ispravna adresa e-pošte. Upišite jednu adresu, npr. ime@tvrtka.hr.',
  },
  mail_not_set: {
    en: 'No mail server is set up. Have your technician set one up.',
    hr: 'Slanje e-pošte nije postavljeno. Postavlja ga osoba koja održava poslužitelj.',
  },
  mail_too_large: {
    en: 'The files are too large for one e-mail: at most 2 MB. Download them from this page instead.',
    hr: 'Datoteke su prevelike za jednu poruku: najviše 2 MB. Preuzmite ih na ovoj stranici.',
  },
  mails_waiting: {
    en: 'Too many e-mails are waiting to be sent. Wait ten minutes and try again.',
    hr: 'Previše poruka čeka slanje. Pričekajte desetak minuta i pokušajte ponovno.',
  },
  note_too_long: {
    en: 'A note has at most 1,000 characters. Make it shorter.',
    hr: 'Bilješka može imati najviše 1000 znakova. Skratite je.',
  },
  oib_taken: {
    en: 'There is a company with this OIB already. Look for it in the list of companies.',
    hr: 'Tvrtka s tim OIB-om već postoji. Potražite je na popisu tvrtki.',
  },
  passphrase_wrong: {
    en: 'The passphrase does not open the file. Check upper and lower case, and the keyboard layout.',
    hr: 'Lozinka ne otvara datoteku. Provjerite velika i mala slova i raspored tipkovnice.',
  },
  premises_code_missing: { en: 'Enter the premises code.', hr: 'Upišite oznaku poslovnog prostora.' },
  premises_code_wrong: {
    en: 'A premises code has 1 to 20 letters a-z, A-Z and digits, and no spaces.',
    hr: 'Oznaka poslovnog prostora ima od 1 do 20 slova (bez č, ć, đ, š, ž) i znamenaka, bez razmaka.',
  },
  premises_of_device_fixed: {
    en: 'The device of this name is at other premises{about}, and the premises of a device cannot be changed. Archive it and add a new one under another name.',
    hr: 'Uređaj s tim nazivom već postoji u drugom poslovnom prostoru{about}, a prostor uređaja ne može se promijeniti. Arhivirajte taj uređaj i dodajte novi pod drugim nazivom.',
  },
  printer_missing: {
    en: 'The device has no printer, so no copy can be printed. The receipt can be downloaded as a picture.',
    hr: 'Uređaj nema pisač, pa se kopija ne može ispisati. Račun se može preuzeti kao slika.',
  },
  row_of_other_company: {
    en: 'The row is about a device of another company. Choose that company, or remove the row.',
    hr: 'Redak se odnosi na uređaj druge tvrtke. Odaberite tu tvrtku ili uklonite redak.',
  },
  row_repeated: {
    en: 'The same device or number is already in another line{about}. Keep only one of them.',
    hr: 'Isti uređaj ili broj već je u drugom retku{about}. Ostavite samo jedan od njih.',
  },
  rows_too_many: {
    en: 'The file is too long: at most 5,000 devices. Split it into several files.',
    hr: 'Datoteka je preduga: najviše 5000 uređaja. Podijelite je na više datoteka.',
  },
  schedules_too_many: {
    en: 'There are already 100 regular mailings. Remove those that are not needed any more.',
    hr: 'Već je postavljeno 100 redovitih slanja zaključaka. Uklonite ona koja više nisu potrebna.',
  },
  setting_wrong: {
    en: 'A setting has a value that no sale can have{about}. Correct it.',
    hr: 'Postavka ima vrijednost koju nijedan račun ne može imati{about}. Ispravite je.',
  },
  sign_ins_busy: {
    en: 'Too many sign-ins are under way at the moment. Wait a few seconds and try again.',
    hr: 'Trenutačno se prijavljuje previše korisnika odjednom. Pričekajte nekoliko sekundi i pokušajte ponovno.',
  },
  tag_characters: { en: 'The name of a group must not contain commas.', hr: 'Naziv skupine ne može sadržavati zarez.' },
  tag_missing: { en: 'Enter the name of the group.', hr: 'Upišite naziv skupine.' },
  tag_too_long: {
    en: 'The name of a group has at most 30 characters. Make it shorter.',
    hr: 'Naziv skupine može imati najviše 30 znakova. Skratite ga.',
  },
  tags_too_many: {
    en: 'A device can be in at most 10 groups. Remove it from one of them.',
    hr: 'Uređaj može biti u najviše 10 skupina. Uklonite ga iz neke.',
  },
  view_name_missing: { en: 'Enter a name for the view.', hr: 'Upišite naziv prikaza.' },
  view_name_too_long: {
    en: 'The name of a view has at most 60 characters. Make it shorter.',
    hr: 'Naziv prikaza može imati najviše 60 znakova. Skratite ga.',
  },
  view_too_long: {
    en: 'The filter is too long to be saved. Make the text in it shorter.',
    hr: 'Filtar je predug za spremanje. Skratite tekst u njemu.',
  },
  views_too_many: {
    en: 'A list can have at most 20 saved views. Remove one of them.',
    hr: 'Za jedan popis može se spremiti najviše 20 prikaza. Uklonite neki.',
  },
})
