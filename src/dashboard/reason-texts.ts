import type { Reason } from '../domain/errors.ts'
import type { Language } from '../fiscal/ports/model.ts'

/** @param about the name of what it is about, where there is one */
export function textOfReason(reason: Reason, about: string | null, language: Language): string {
  return REASON_TEXTS[language][reason].replace('{about}', () => (about === null ? '' : ` (${about})`))
}

/** What is wrong and what to do about it, where the code of a refusal alone does not tell. */
export const REASON_TEXTS: Record<Language, Record<Reason, string>> = {
  hr: {
    address_characters: 'U adresi je znak koji se ne može spremiti. Izbrišite ga i upišite adresu ponovno.',
    address_too_long: 'Adresa može imati najviše 500 znakova. Skratite je.',
    cells_missing: 'Redak ima manje stupaca od zaglavlja. Dodajte prazna polja koja nedostaju.',
    cells_too_many:
      'Redak ima više stupaca od zaglavlja. Tekst u kojem je zarez ili točka sa zarezom stavite u navodnike.',
    certificate_before_its_time:
      'Certifikat još ne vrijedi. Provjerite od kojeg dana vrijedi i je li sat računala točan.',
    certificate_missing: 'Tvrtka nema certifikat u upotrebi. Učitajte fiskalni certifikat.',
    certificate_not_trusted:
      'Certifikat nije izdao izdavatelj kojem se u ovom načinu rada vjeruje. Za stvarni rad treba produkcijski certifikat, a za testni rad demo certifikat. Provjerite jeste li odabrali pravu datoteku.',
    certificate_not_valid_now:
      'Certifikat sada nije valjan: istekao je ili još ne vrijedi. Učitajte valjan certifikat.',
    certificate_of_nobody:
      'U certifikatu nema OIB-a, pa to nije fiskalni certifikat. Odaberite fiskalni certifikat tvrtke.',
    certificate_revoked: 'Izdavatelj je opozvao ovaj certifikat. Zatražite novi i učitajte ga.',
    certificates_busy:
      'Upravo se otvaraju druge datoteke certifikata. Pričekajte nekoliko sekundi i pokušajte ponovno.',
    changed_meanwhile:
      'U međuvremenu je netko drugi ovo promijenio. Ništa nije prepisano: pogledajte što se promijenilo i odlučite.',
    column_missing: 'U prvom retku nedostaje stupac label ili premises_code. Usporedite datoteku s primjerom.',
    column_twice: 'Jedan je stupac u prvom retku naveden dvaput. Ostavite samo jedan.',
    config_no_object: 'Stupac device_config mora sadržavati postavke u obliku JSON objekta ili biti prazan.',
    config_too_large: 'Postavke su prevelike: najviše 32 KB.',
    file_empty: 'Datoteka je prazna. U prvom retku trebaju biti barem stupci label i premises_code.',
    file_no_certificate:
      'Ovo nije datoteka certifikata ili je oštećena. Odaberite datoteku s nastavkom .p12 ili .pfx koju ste dobili od izdavatelja.',
    file_no_csv: 'Datoteka se ne može pročitati kao CSV. Provjerite navodnike i spremite je ponovno kao „CSV UTF-8”.',
    file_no_key: 'U datoteci nema privatnog ključa. Izvezite certifikat zajedno s privatnim ključem.',
    file_not_utf8: 'Datoteka nije u zapisu UTF-8. U Excelu odaberite Spremi kao → „CSV UTF-8”.',
    file_of_pem:
      'Ovo je certifikat u tekstualnom obliku (PEM). Treba datoteka .p12 ili .pfx u kojoj je i privatni ključ.',
    gateway_busy: 'Pristupnik već čeka 100 naredaba. Pričekajte da ih preuzme.',
    gateway_left: 'Pristupnik je napustio ovaj poslužitelj i više ne pita za naredbe. Napravite mu novi token.',
    gateway_name_taken:
      'Pristupnik s tim nazivom već postoji. Odaberite drugi naziv ili mu na njegovoj stranici napravite novi token.',
    gateway_name_wrong:
      'Naziv ima od 1 do 63 znaka: slova bez kvačica, znamenke, točke, crtice i podvlake. Počinje slovom ili znamenkom.',
    gateway_not_enrolled: 'Pristupnik se još nije povezao s ovim poslužiteljem. Najprije na njemu upotrijebite token.',
    gateway_revoked: 'Pristupnik je opozvan i više ne pita za naredbe.',
    isu_number_not_digits: 'ISU broj ima samo znamenke: bez slova, razmaka, točaka i kosih crta.',
    isu_number_taken: 'Taj ISU broj već ima drugi uređaj{about}. Provjerite broj u ePoreznoj.',
    isu_number_too_long: 'ISU broj može imati najviše 20 znamenaka.',
    isu_number_zero: 'ISU broj ne počinje nulom. Upišite ga točno kako piše u ePoreznoj.',
    label_characters: 'U nazivu je znak koji se ne može spremiti. Izbrišite ga i upišite naziv ponovno.',
    label_missing: 'Upišite naziv uređaja.',
    label_taken: 'Tvrtka već ima uređaj s tim nazivom. Odaberite drugi naziv.',
    label_too_long: 'Naziv može imati najviše 200 znakova. Skratite ga.',
    oib_taken: 'Tvrtka s tim OIB-om već postoji. Potražite je na popisu tvrtki.',
    passphrase_wrong: 'Lozinka ne otvara datoteku. Provjerite velika i mala slova i raspored tipkovnice.',
    premises_code_missing: 'Upišite oznaku poslovnog prostora.',
    premises_code_wrong: 'Oznaka poslovnog prostora ima od 1 do 20 slova (bez č, ć, đ, š, ž) i znamenaka, bez razmaka.',
    premises_of_device_fixed:
      'Uređaj s tim nazivom stoji u drugom poslovnom prostoru{about}, a prostor se ne mijenja. Arhivirajte ga i dodajte novi uređaj pod drugim nazivom.',
    rows_too_many: 'Datoteka je preduga: najviše 5000 uređaja. Podijelite je na više datoteka.',
    sign_ins_busy: 'Trenutačno se prijavljuje previše ljudi odjednom. Pričekajte nekoliko sekundi i pokušajte ponovno.',
  },
  en: {
    address_characters: 'The address has a character that cannot be stored. Delete it and type the address again.',
    address_too_long: 'An address has at most 500 characters. Make it shorter.',
    cells_missing: 'The row has fewer columns than the header. Add the empty fields that are missing.',
    cells_too_many: 'The row has more columns than the header. Put text with a comma or semicolon into quotes.',
    certificate_before_its_time:
      'The certificate is not valid yet. Check from which day on it is, and the clock of the computer.',
    certificate_missing: 'The company has no certificate in use. Upload its fiscal certificate.',
    certificate_not_trusted:
      'The certificate was not issued by anybody who is trusted in this mode. Live mode needs the production certificate, test mode the demo certificate. Check that you have chosen the right file.',
    certificate_not_valid_now:
      'The certificate is not valid now: it has expired or is not valid yet. Upload a valid one.',
    certificate_of_nobody:
      'The certificate names no OIB, so it is no fiscal certificate. Choose the fiscal certificate of the company.',
    certificate_revoked: 'Its issuer has revoked this certificate. Ask for a new one and upload it.',
    certificates_busy: 'Other certificate files are being opened. Wait a few seconds and try again.',
    changed_meanwhile:
      'Somebody else has changed this meanwhile. Nothing was overwritten: look at what is different and decide.',
    column_missing: 'The first line lacks the column label or premises_code. Compare the file with the sample.',
    column_twice: 'A column is in the first line twice. Leave only one.',
    config_no_object: 'The column device_config must hold settings as a JSON object, or be empty.',
    config_too_large: 'The settings are too large: at most 32 KB.',
    file_empty: 'The file is empty. Its first line must have at least the columns label and premises_code.',
    file_no_certificate:
      'This is no certificate file, or it is damaged. Choose the file ending in .p12 or .pfx that the issuer gave you.',
    file_no_csv: 'The file cannot be read as CSV. Check the quotes, and save it again as “CSV UTF-8”.',
    file_no_key: 'The file has no private key in it. Export the certificate together with its private key.',
    file_not_utf8: 'The file is not UTF-8. In Excel choose Save as → “CSV UTF-8”.',
    file_of_pem: 'This is a certificate as text (PEM). A .p12 or .pfx file with the private key in it is needed.',
    gateway_busy: 'This gateway has 100 commands waiting. Wait until it has taken them.',
    gateway_left: 'This gateway has left the server and asks for nothing any more. Make a new token for it.',
    gateway_name_taken: 'There is a gateway of this name already. Choose another one, or make a new token on its page.',
    gateway_name_wrong:
      'A name has 1 to 63 letters a-z, A-Z, digits, dots, hyphens and underscores. It begins with a letter or digit.',
    gateway_not_enrolled: 'This gateway has not connected to the server yet. Use its token on its machine first.',
    gateway_revoked: 'This gateway was revoked and asks for nothing any more.',
    isu_number_not_digits: 'An ISU number has digits only: no letters, spaces, dots or slashes.',
    isu_number_taken: 'Another device{about} has this ISU number already. Check the number in ePorezna.',
    isu_number_too_long: 'An ISU number has at most 20 digits.',
    isu_number_zero: 'An ISU number does not begin with a zero. Type it exactly as ePorezna shows it.',
    label_characters: 'The name has a character that cannot be stored. Delete it and type the name again.',
    label_missing: 'Type a name for the device.',
    label_taken: 'The company already has a device of this name. Choose another one.',
    label_too_long: 'A name has at most 200 characters. Make it shorter.',
    oib_taken: 'There is a company with this OIB already. Look for it in the list of companies.',
    passphrase_wrong: 'The passphrase does not open the file. Check upper and lower case, and the keyboard layout.',
    premises_code_missing: 'Type the code of the business premises.',
    premises_code_wrong: 'A premises code has 1 to 20 letters a-z, A-Z and digits, and no spaces.',
    premises_of_device_fixed:
      'The device of this name stands at other premises{about}, and a device never changes its premises. Archive it and add a new one under another name.',
    rows_too_many: 'The file is too long: at most 5000 devices. Split it into several files.',
    sign_ins_busy: 'Too many sign-ins are under way at the moment. Wait a few seconds and try again.',
  },
}
