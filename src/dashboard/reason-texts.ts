import type { Reason } from '../domain/errors.ts'
import type { Language } from '../fiscal/ports/model.ts'
import { inBoth } from './language.ts'

/** @param about the name of what it is about, where there is one */
export function textOfReason(reason: Reason, about: string | null, language: Language): string {
  return REASON_TEXTS[language][reason].replace('{about}', () => (about === null ? '' : ` (${about})`))
}

/** What is wrong and what to do about it, where the code of a refusal alone does not tell. */
export const REASON_TEXTS: Record<Language, Record<Reason, string>> = inBoth({
  address_characters_hr: 'U adresi je znak koji se ne može spremiti. Izbrišite ga i upišite adresu ponovno.',
  address_characters_en: 'The address has a character that cannot be stored. Remove this character.',
  address_too_long_hr: 'Adresa može imati najviše 500 znakova. Skratite je.',
  address_too_long_en: 'An address has at most 500 characters. Make it shorter.',
  cells_missing_hr: 'Redak ima manje stupaca od zaglavlja. Dodajte prazna polja koja nedostaju.',
  cells_missing_en: 'The row has fewer columns than the header. Add the empty fields that are missing.',
  cells_too_many_hr:
    'Redak ima više stupaca od zaglavlja. Tekst u kojem je zarez ili točka sa zarezom stavite u navodnike.',
  cells_too_many_en: 'The row has more columns than the header. Put text that contains a comma or semicolon in quotes.',
  certificate_before_its_time_hr:
    'Certifikat još ne vrijedi. Provjerite od kojeg dana vrijedi i je li sat računala točan.',
  certificate_before_its_time_en:
    'The certificate is not valid yet. Check from which date it is valid, and check the clock of the computer.',
  certificate_missing_hr: 'Tvrtka nema certifikat u upotrebi. Učitajte fiskalni certifikat.',
  certificate_missing_en: 'The company has no certificate in use. Upload its fiscal certificate.',
  certificate_not_trusted_hr:
    'Certifikat nije izdao izdavatelj kojem se u ovom načinu rada vjeruje. Za stvarni rad treba produkcijski certifikat, a za testni rad demo certifikat. Provjerite jeste li odabrali pravu datoteku.',
  certificate_not_trusted_en:
    'The issuer of the certificate is not trusted in this mode. Live mode needs the production certificate, test mode the demo certificate. Check that you have chosen the right file.',
  certificate_not_valid_now_hr:
    'Certifikat sada nije valjan: istekao je ili još ne vrijedi. Učitajte valjan certifikat.',
  certificate_not_valid_now_en:
    'The certificate is not valid now: it has expired or is not valid yet. Upload a valid one.',
  certificate_of_nobody_hr:
    'U certifikatu nema OIB-a, pa to nije fiskalni certifikat. Odaberite fiskalni certifikat tvrtke.',
  certificate_of_nobody_en:
    'The certificate does not contain an OIB, so it is not a fiscal certificate. Choose the fiscal certificate of the company.',
  certificate_revoked_hr: 'Izdavatelj je opozvao ovaj certifikat. Zatražite novi i učitajte ga.',
  certificate_revoked_en: 'Its issuer has revoked this certificate. Ask for a new one and upload it.',
  certificates_busy_hr:
    'Upravo se otvaraju druge datoteke certifikata. Pričekajte nekoliko sekundi i pokušajte ponovno.',
  certificates_busy_en: 'Other certificate files are being opened. Wait a few seconds and try again.',
  changed_meanwhile_hr:
    'U međuvremenu je netko drugi ovo promijenio. Vaše izmjene nisu spremljene: pogledajte što se promijenilo i spremite ih ponovno ako ih želite zadržati.',
  changed_meanwhile_en:
    'Another user has changed this in the meantime. Nothing was overwritten: compare the values, and save again if yours are right.',
  column_missing_hr: 'U prvom retku nedostaje stupac label ili premises_code. Usporedite datoteku s primjerom.',
  column_missing_en: 'The first line lacks the column label or premises_code. Compare the file with the sample.',
  column_twice_hr: 'Jedan je stupac u prvom retku naveden dvaput. Ostavite samo jedan.',
  column_twice_en: 'A column appears twice in the first line. Keep only one.',
  config_no_object_hr: 'Stupac device_config mora sadržavati postavke u obliku JSON objekta ili biti prazan.',
  config_no_object_en: 'The column device_config must hold settings as a JSON object, or be empty.',
  config_too_large_hr: 'Postavke su prevelike: najviše 32 KB.',
  config_too_large_en: 'The settings are too large: at most 32 KB.',
  database_away_hr:
    'Baza podataka trenutačno nije dostupna. fiskd se s njom ponovno spaja sam, obično za nekoliko sekundi.',
  database_away_en: 'The database cannot be reached. fiskd reconnects automatically, usually within seconds.',
  device_ambiguous_hr:
    'Više uređaja ima taj naziv. U stupac poslovnog prostora upišite oznaku prostora u kojem se uređaj nalazi.',
  device_ambiguous_en: 'Several devices have this name. Give the premises code of the right one in its own column.',
  device_archived_hr: 'Uređaj je arhiviran. Najprije ga uključite ili uklonite redak.',
  device_archived_en: 'The device is archived. Activate it first, or remove the row.',
  device_unknown_hr:
    'Nema uređaja s tim nazivom u navedenom prostoru. Prepišite naziv točno kako stoji na popisu uređaja.',
  device_unknown_en:
    'There is no device of this name at these premises. Copy the name as shown in the list of devices.',
  file_empty_hr: 'Datoteka je prazna. U prvom retku moraju biti barem stupci label i premises_code.',
  file_empty_en: 'The file is empty. Its first line must have at least the columns label and premises_code.',
  file_no_certificate_hr:
    'Ovo nije datoteka certifikata ili je oštećena. Odaberite datoteku s nastavkom .p12 ili .pfx koju ste dobili od izdavatelja.',
  file_no_certificate_en:
    'This is not a certificate file, or it is damaged. Choose the file ending in .p12 or .pfx that the issuer gave you.',
  file_no_csv_hr: 'Datoteka se ne može pročitati kao CSV. Provjerite navodnike i spremite je ponovno kao „CSV UTF-8”.',
  file_no_csv_en: 'The file cannot be read as CSV. Check the quotation marks, and save it again as “CSV UTF-8”.',
  file_no_key_hr: 'U datoteci nema privatnog ključa. Izvezite certifikat zajedno s privatnim ključem.',
  file_no_key_en: 'The file has no private key in it. Export the certificate together with its private key.',
  file_not_utf8_hr: 'Datoteka nije u formatu UTF-8. U Excelu odaberite Spremi kao → „CSV UTF-8”.',
  file_not_utf8_en: 'The file is not UTF-8. In Excel choose Save as → “CSV UTF-8”.',
  file_of_pem_hr:
    'Ovo je certifikat u tekstualnom obliku (PEM). Potrebna je datoteka .p12 ili .pfx u kojoj je i privatni ključ.',
  file_of_pem_en: 'This is a certificate as text (PEM). A .p12 or .pfx file with the private key in it is needed.',
  gateway_busy_hr: 'Na preuzimanje već čeka 100 naredaba. Pričekajte da ih pristupnik preuzme.',
  gateway_busy_en: 'This gateway has 100 commands waiting. Wait until it has fetched some of them.',
  gateway_left_hr: 'Pristupnik se odjavio s ovog poslužitelja i više ne preuzima naredbe. Izradite mu novi token.',
  gateway_left_en: 'This gateway is no longer enrolled and no longer fetches commands. Make a new token for it.',
  gateway_name_taken_hr:
    'Pristupnik s tim nazivom već postoji. Odaberite drugi naziv ili na stranici postojećeg pristupnika izradite novi token.',
  gateway_name_taken_en:
    'There is a gateway of this name already. Choose another one, or make a new token on its page.',
  gateway_name_wrong_hr:
    'Naziv ima od 1 do 63 znaka: slova (bez č, ć, đ, š, ž), znamenke, točke, crtice i podvlake. Počinje slovom ili znamenkom.',
  gateway_name_wrong_en:
    'A name has 1 to 63 characters: letters a-z and A-Z, digits, dots, hyphens and underscores. It begins with a letter or digit.',
  gateway_not_enrolled_hr: 'Pristupnik se još nije povezao s ovim poslužiteljem. Najprije na njemu upotrijebite token.',
  gateway_not_enrolled_en: 'This gateway has not connected to the server yet. Use its token on its computer first.',
  gateway_revoked_hr: 'Pristupnik je opozvan i više ne preuzima naredbe.',
  gateway_revoked_en: 'This gateway is revoked and no longer fetches commands.',
  invoice_not_sendable_hr: 'Račun je već potvrđen ili mu je istekao zakonski rok, pa se više ne može poslati.',
  invoice_not_sendable_en: 'The invoice is confirmed already, or has expired: it can no longer be sent.',
  isu_file_columns_hr: 'U prvom retku nedostaju stupci naziv i ISU broj. Usporedite datoteku s primjerom.',
  isu_file_columns_en: 'The first line lacks the columns label and isu_number. Compare the file with the sample.',
  isu_number_missing_hr: 'Upišite ISU broj.',
  isu_number_missing_en: 'Enter the ISU number.',
  isu_number_not_digits_hr: 'ISU broj ima samo znamenke: bez slova, razmaka, točaka i kosih crta.',
  isu_number_not_digits_en: 'An ISU number has digits only: no letters, spaces, dots or slashes.',
  isu_number_taken_hr: 'Drugi uređaj već ima taj ISU broj{about}. Provjerite broj u ePoreznoj.',
  isu_number_taken_en: 'Another device{about} has this ISU number already. Check the number in ePorezna.',
  isu_number_too_long_hr: 'ISU broj može imati najviše 20 znamenaka.',
  isu_number_too_long_en: 'An ISU number has at most 20 digits.',
  isu_number_zero_hr: 'ISU broj ne počinje nulom. Upišite ga točno kako piše u ePoreznoj.',
  isu_number_zero_en: 'An ISU number does not begin with a zero. Enter it exactly as ePorezna shows it.',
  job_empty_hr: 'Nije odabran nijedan redak.',
  job_empty_en: 'No row was chosen.',
  job_too_large_hr: 'Skupna radnja može imati najviše 5000 redaka. Suzite odabir.',
  job_too_large_en: 'A bulk job can have at most 5,000 rows. Choose fewer.',
  jobs_busy_hr: 'Već je u tijeku 20 skupnih radnji. Pričekajte da neka završi.',
  jobs_busy_en: '20 bulk jobs are already running. Wait until one of them has finished.',
  label_characters_hr: 'U nazivu je znak koji se ne može spremiti. Izbrišite ga i upišite naziv ponovno.',
  label_characters_en: 'The name has a character that cannot be stored. Remove this character.',
  label_missing_hr: 'Upišite naziv uređaja.',
  label_missing_en: 'Enter a name for the device.',
  label_taken_hr: 'Tvrtka već ima uređaj s tim nazivom. Odaberite drugi naziv.',
  label_taken_en: 'The company already has a device of this name. Choose another one.',
  label_too_long_hr: 'Naziv može imati najviše 200 znakova. Skratite ga.',
  label_too_long_en: 'A name has at most 200 characters. Make it shorter.',
  logo_blank_hr: 'Slika je prazna: na bijelom papiru ne bi se ništa vidjelo. Odaberite drugu.',
  logo_blank_en: 'The picture is blank: nothing of it would be seen on white paper. Choose another one.',
  logo_format_hr: 'Datoteka nije ispravna slika PNG.',
  logo_format_en: 'The file is not a valid PNG picture.',
  logo_pixels_hr: 'Slika je prevelika: najviše 2000 točaka po stranici i 1.000.000 ukupno. Smanjite je.',
  logo_pixels_en: 'The picture is too large: at most 2,000 pixels a side and 1,000,000 in all. Make it smaller.',
  mail_address_wrong_hr: 'Ovo nije ispravna adresa e-pošte. Upišite jednu adresu, npr. ime@tvrtka.hr.',
  mail_address_wrong_en: 'This is not a valid e-mail address. Enter one address, such as name@company.hr.',
  mail_not_set_hr: 'Slanje e-pošte nije postavljeno. Postavlja ga osoba koja održava poslužitelj.',
  mail_not_set_en: 'No mail server is set up. Have your technician set one up.',
  mail_too_large_hr: 'Datoteke su prevelike za jednu poruku: najviše 2 MB. Preuzmite ih na ovoj stranici.',
  mail_too_large_en: 'The files are too large for one e-mail: at most 2 MB. Download them from this page instead.',
  mails_waiting_hr: 'Previše poruka čeka slanje. Pričekajte desetak minuta i pokušajte ponovno.',
  mails_waiting_en: 'Too many e-mails are waiting to be sent. Wait ten minutes and try again.',
  oib_taken_hr: 'Tvrtka s tim OIB-om već postoji. Potražite je na popisu tvrtki.',
  oib_taken_en: 'There is a company with this OIB already. Look for it in the list of companies.',
  passphrase_wrong_hr: 'Lozinka ne otvara datoteku. Provjerite velika i mala slova i raspored tipkovnice.',
  passphrase_wrong_en: 'The passphrase does not open the file. Check upper and lower case, and the keyboard layout.',
  premises_code_missing_hr: 'Upišite oznaku poslovnog prostora.',
  premises_code_missing_en: 'Enter the premises code.',
  premises_code_wrong_hr:
    'Oznaka poslovnog prostora ima od 1 do 20 slova (bez č, ć, đ, š, ž) i znamenaka, bez razmaka.',
  premises_code_wrong_en: 'A premises code has 1 to 20 letters a-z, A-Z and digits, and no spaces.',
  premises_of_device_fixed_hr:
    'Uređaj s tim nazivom već postoji u drugom poslovnom prostoru{about}, a prostor uređaja ne može se promijeniti. Arhivirajte taj uređaj i dodajte novi pod drugim nazivom.',
  premises_of_device_fixed_en:
    'The device of this name is at other premises{about}, and the premises of a device cannot be changed. Archive it and add a new one under another name.',
  printer_missing_hr: 'Uređaj nema pisač, pa se kopija ne može ispisati. Račun se može preuzeti kao slika.',
  printer_missing_en:
    'The device has no printer, so no copy can be printed. The receipt can be downloaded as a picture.',
  row_repeated_hr: 'Isti uređaj ili broj već je u drugom retku{about}. Ostavite samo jedan od njih.',
  row_repeated_en: 'The same device or number is already in another line{about}. Keep only one of them.',
  rows_too_many_hr: 'Datoteka je preduga: najviše 5000 uređaja. Podijelite je na više datoteka.',
  rows_too_many_en: 'The file is too long: at most 5,000 devices. Split it into several files.',
  schedules_too_many_hr: 'Već je postavljeno 100 redovitih slanja zaključaka. Uklonite ona koja više nisu potrebna.',
  schedules_too_many_en: 'There are already 100 regular mailings. Remove those that are not needed any more.',
  sign_ins_busy_hr:
    'Trenutačno se prijavljuje previše korisnika odjednom. Pričekajte nekoliko sekundi i pokušajte ponovno.',
  sign_ins_busy_en: 'Too many sign-ins are under way at the moment. Wait a few seconds and try again.',
  tag_characters_hr: 'Naziv skupine ne može sadržavati zarez.',
  tag_characters_en: 'The name of a group must not contain commas.',
  tag_missing_hr: 'Upišite naziv skupine.',
  tag_missing_en: 'Enter the name of the group.',
  tag_too_long_hr: 'Naziv skupine može imati najviše 30 znakova. Skratite ga.',
  tag_too_long_en: 'The name of a group has at most 30 characters. Make it shorter.',
  tags_too_many_hr: 'Uređaj može biti u najviše 10 skupina. Uklonite ga iz neke.',
  tags_too_many_en: 'A device can be in at most 10 groups. Remove it from one of them.',
  view_name_missing_hr: 'Upišite naziv prikaza.',
  view_name_missing_en: 'Enter a name for the view.',
  view_name_too_long_hr: 'Naziv prikaza može imati najviše 60 znakova. Skratite ga.',
  view_name_too_long_en: 'The name of a view has at most 60 characters. Make it shorter.',
  view_too_long_hr: 'Filtar je predug za spremanje. Skratite tekst u njemu.',
  view_too_long_en: 'The filter is too long to be saved. Make the text in it shorter.',
  views_too_many_hr: 'Za jedan popis može se spremiti najviše 20 prikaza. Uklonite neki.',
  views_too_many_en: 'A list can have at most 20 saved views. Remove one of them.',
})
