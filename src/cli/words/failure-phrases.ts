import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { CROATIAN_ERRORS } from '../../domain/texts/error-texts.ts'
import { USAGE_PHRASES } from './usage-phrases.ts'

export const FAILURE_PHRASES: Readonly<Record<string, string>> = {
  '{program} ended with exit code {number}': '{program} završio je s izlaznim kodom {number}',
  'No daemon answers on {path}.': 'fiskd se ne javlja na {path}.',
  '{user} may not open the socket of the daemon, {path}.':
    'Korisnik {user} nema pravo otvoriti priključnicu programa fiskd, {path}.',
  '{user} may not open the socket of the daemon, {path}: only root and the group {group} may.':
    'Korisnik {user} nema pravo otvoriti priključnicu programa fiskd, {path}: to mogu samo root i grupa {group}.',
  'The daemon on {path} took the request and gave no answer.': 'fiskd je na {path} primio zahtjev, ali nije odgovorio.',
  ...USAGE_PHRASES,
  'Error:': 'Pogreška:',
  'Message:': 'Poruka:',
  'Field:': 'Polje:',
  'Option:': 'Opcija:',
  'Register it: {command}; those that are there: fisk company list':
    'Upišite je: {command}; postojeće pokazuje: fisk company list',
  'Fix:': 'Što učiniti:',

  'Ask why: sudo fisk doctor': 'Uzrok pokazuje: sudo fisk doctor',
  'Ask why it is down: fisk doctor': 'Uzrok pokazuje: fisk doctor',
  'Start it with: fiskd.': 'Pokrenite ga: fiskd.',
  'Ask what is wrong: sudo fisk doctor.': 'Što nije u redu, pokazuje: sudo fisk doctor.',
  'To start it again: sudo systemctl restart fiskd': 'Ponovno pokretanje: sudo systemctl restart fiskd',
  'Is its data elsewhere?': 'Podaci su drugdje?',
  'Name the folder in FISKD_DATA_DIR': 'Mapu navedite u FISKD_DATA_DIR',
  'its socket alone with --socket or FISKD_SOCKET.': 'samo priključnicu uz --socket ili u FISKD_SOCKET.',
  'There is data in {path}: {command}': 'Podaci su u {path}: {command}',
  'to start it: fiskd.': 'pokretanje: fiskd.',
  'Use sudo.': 'Koristite sudo.',
  '{user} is in the group {group} from the next sign-in on: sign out and in again, or use sudo.':
    'Korisnik {user} je u grupi {group} od sljedeće prijave: odjavite se i ponovno prijavite ili koristite sudo.',
  '{command}, then sign out and in again.': '{command}, a zatim se odjavite i ponovno prijavite.',
  'Until then use sudo.': 'Dotad koristite sudo.',
  'Look at the log of the daemon: journalctl -u fiskd': 'Pogledajte zapisnik: journalctl -u fiskd',
  'Look at its log: journalctl -u {unit}': 'Pogledajte zapisnik: journalctl -u {unit}',
  'What listens on {path} answered {status} in a form that fiskd does not use: {reason}.':
    'Na {path} stigao je odgovor {status} u obliku koji fiskd ne koristi: {reason}.',
  'What listens on {path} answered {status} in a form that fiskd does not use.':
    'Na {path} stigao je odgovor {status} u obliku koji fiskd ne koristi.',
  'Check that the socket belongs to fiskd and that fiskd and fisk are of the same version.':
    'Provjerite pripada li priključnica programu fiskd i jesu li fiskd i fisk iste inačice.',
  '{server} answered in a form that this fisk does not know: {reason}.':
    '{server}: odgovor je u obliku koji ovaj fisk ne poznaje ({reason}).',
  'fiskd and fisk have to be of the same version: systemctl restart fiskd':
    'fiskd i fisk moraju biti iste inačice: systemctl restart fiskd',
  'fisk itself failed: {reason}': 'Pogreška u samom programu fisk: {reason}',
  'Please report this with the command you typed.': 'Prijavite to zajedno s upisanom naredbom.',
  'Broken off.': 'Prekinuto.',
  'What was done before stays done.': 'Ono što je dotad učinjeno ostaje.',
  'Broken off: the live mode was not confirmed.': 'Prekinuto: stvarni rad nije potvrđen.',
  'Try it with --mode test first.': 'Najprije pokušajte uz --mode test.',
  'Nothing was done: you said no.': 'Ništa nije učinjeno: odgovorili ste „ne”.',
  'This asks before it does it, and nobody can be asked here.':
    'Naredba prije izvođenja traži potvrdu, a ovdje je nitko ne može dati.',
  'Add --yes to do it without asking.': 'Dodajte --yes za izvođenje bez pitanja.',
  '"{name}" names no tenant: see `fisk tenant list`.':
    'Organizacija „{name}” ne postoji: pogledajte `fisk tenant list`.',
  'no sale of it waits for the connection': 'nijedan njezin račun ne čeka vezu',
  'the deadline is extended already': 'rok je već produljen',
  'it is a company of the gateway {name}: run fisk deadline extend there':
    'to je tvrtka pristupnika {name}: pokrenite fisk deadline extend na njemu',
  'say why, in at most {number} characters': 'navedite razlog u najviše {number} znakova',
  'there is no such API key': 'taj API ključ ne postoji',
  'there is no such alert': 'to upozorenje ne postoji',
  'there is no such certificate': 'taj certifikat ne postoji',
  'there is no such closing': 'taj zaključak ne postoji',
  'there is no such command': 'ta naredba ne postoji',
  'there is no such company': 'ta tvrtka ne postoji',
  'there is no such device': 'taj uređaj ne postoji',
  'there is no such device or invoice': 'taj uređaj ili račun ne postoji',
  'there is no such invoice': 'taj račun ne postoji',
  'there is no such job': 'ta skupna radnja ne postoji',
  'there is no such message': 'ta poruka ne postoji',
  'there is no such receipt': 'taj ispisani račun ne postoji',
  'there is no such schedule': 'to redovito slanje ne postoji',
  'there is no such user': 'taj korisnik ne postoji',
  'There is no company {name}.': 'Tvrtka {name} ne postoji.',
  'See them all: {command}': 'Popis pokazuje: {command}',
  '"{name}" names no company: it is neither an OIB (11 digits, the last one a check digit) nor a company id.':
    'Tvrtka „{name}” ne postoji: to nije ni OIB (11 znamenaka, posljednja je kontrolna) ni oznaka tvrtke.',
  'No device has the label or id "{label}".': 'Nijedan uređaj nema naziv ili oznaku „{label}”.',
  'Labels are compared letter by letter: fisk device list': 'Nazivi se uspoređuju slovo po slovo: fisk device list',
  '{count} devices carry the label "{label}":': 'Uređaja s nazivom „{label}”: {count}.',
  'Name the device by its id.': 'Navedite oznaku uređaja (id).',
  '--limit is for one page, and --all is all of them.': '--limit vrijedi za jednu stranicu, a --all za sve.',

  'There is no file {path}.': 'Datoteka {path} ne postoji.',
  '{path} is a directory, not a file.': '{path} je mapa, a ne datoteka.',
  'You may not read {path}.': 'Nemate pravo čitati {path}.',
  '{path} cannot be read: {reason}': '{path} ne može se pročitati: {reason}',
  '{path} is no regular file. Name the file itself, not a link to it.':
    '{path} nije obična datoteka. Navedite samu datoteku, a ne poveznicu na nju.',
  '{path} exists already.': '{path} već postoji.',
  'Choose another name, or add --force.': 'Odaberite drugi naziv ili dodajte --force.',
  'There is no directory {path}.': 'Mapa {path} ne postoji.',
  'You may not write to {path}.': 'Nemate pravo pisati u {path}.',
  'There is no room for the {thing} in {path}.': 'U {path} nema dovoljno mjesta.',
  '{path} cannot be written: {reason}': 'U {path} se ne može pisati: {reason}',
  '{path} is larger than 256 KB: it is not a fiscal certificate.':
    '{path} je veća od 256 KB: to nije fiskalni certifikat.',
  'The passphrase is missing.': 'Nedostaje lozinka certifikata.',
  'The password is missing.': 'Nedostaje lozinka.',
  'Give --{name}-file FILE or --{other}-stdin.': 'Navedite --{name}-file DATOTEKA ili --{other}-stdin.',
  'The passphrase is not UTF-8 text.': 'Lozinka certifikata nije u formatu UTF-8.',
  'The password is not UTF-8 text.': 'Lozinka nije u formatu UTF-8.',
  'Save the file as UTF-8: letters like "š" differ otherwise.':
    'Spremite datoteku u formatu UTF-8: inače se slova poput „š” razlikuju.',
  'The vault key in {path} cannot be unsealed: {reason}': 'Ključ trezora u {path} ne može se dešifrirati: {reason}',
  'Only root can do it, and only on the machine that sealed it.':
    'To može samo root, i samo na računalu na kojem je šifriran.',

  '"{value}": {why}': '„{value}”: {why}',
  'An OIB has 11 digits: "{letter}" at place {number} is no digit.':
    'OIB ima 11 znamenaka: „{letter}” na mjestu {number} nije znamenka.',
  'An OIB has 11 digits, and these are {number}: {count} is missing.':
    'OIB ima 11 znamenaka, a upisano ih je {number}: nedostaje {count}.',
  'An OIB has 11 digits, and these are {number}: {count} are missing.':
    'OIB ima 11 znamenaka, a upisano ih je {number}: nedostaje {count}.',
  'An OIB has 11 digits, and these are {number}: {count} too many.':
    'OIB ima 11 znamenaka, a upisano ih je {number}: {count} previše.',
  'This is not an OIB: its last digit is a check digit, and after {digits} it would be {right}, not {last}. One of the 11 digits is mistyped.':
    'Ovo nije OIB: posljednja je znamenka kontrolna i nakon {digits} bila bi {right}, a ne {last}. Jedna od 11 znamenaka pogrešno je upisana.',
  'Compare it with the papers of the company.': 'Usporedite ga s dokumentima tvrtke.',
  'Which company is meant? There is not exactly one.': 'Na koju se tvrtku misli? Nije upisana točno jedna.',
  'The name of the new company is missing.': 'Nedostaje naziv nove tvrtke.',
  '{name} is registered in {mode} mode; fisk init does not change the mode.':
    '{name}: upisani je način rada „{mode}”, a fisk init ga ne mijenja.',
  'To change it: {command}': 'Promjena: {command}',
  'The seat of {name} is registered otherwise: {seat}.': 'Sjedište tvrtke {name} upisano je drukčije: {seat}.',
  '{name} is the name of the company with the OIB {oib}.': 'Tvrtka s OIB-om {oib} zove se {name}.',
  '{name} is registered in the VAT system.': '{name} je u sustavu PDV-a.',
  '{name} is not in the VAT system.': '{name} nije u sustavu PDV-a.',
  '{name} sells at a VAT rate of {number} %.': '{name} prodaje uz stopu PDV-a {number} %.',
  '{name} has no VAT rate: its firmware sends the VAT.': '{name} nema stopu PDV-a: PDV šalje uređaj.',
  '{name} signs with another certificate than that in {path}.':
    '{name} ne potpisuje certifikatom iz {path}, nego drugim.',
  '"{label}" stands elsewhere: {address}.': 'Uređaj „{label}” stoji drugdje: {address}.',
  '"{label}" stands at premises {code} already.': 'U poslovnom prostoru {code} već je uređaj „{label}”.',
  'To rename it: {command}': 'Preimenovanje: {command}',
  'for another one there: {command}': 'za još jedan ondje: {command}',
  'This gateway is enrolled at {host}.': 'Pristupnik je povezan s poslužiteljem {host}.',
  'fisk init would make another installation, in {path}, beside the data in {other}.':
    'fisk init izradio bi novu instalaciju u {path} uz podatke u {other}.',
  'fisk init would make another installation, in {path}, beside what answers on {host}.':
    'fisk init izradio bi novu instalaciju u {path} uz ono što se javlja na {host}.',
  'If that one is meant, name its folder: {command}': 'Ako mislite na postojeću, navedite njezinu mapu: {command}',
  'else: {command}': 'inače: {command}',
  'The label of the machine is missing.': 'Nedostaje naziv uređaja.',
  'The premises code is missing.': 'Nedostaje oznaka poslovnog prostora.',
  '"{label}" is registered at premises {code}, and that cannot change.':
    'Uređaj „{label}” upisan je u poslovnom prostoru {code}, što se ne može promijeniti.',
  'A machine of its own there: {command}': 'Zaseban uređaj ondje: {command}',
  '"{label}" has the ISU number {number} already.': 'Uređaj „{label}” već ima ISU broj {number}.',
  'The ISU number is empty.': 'ISU broj je prazan.',
  'An ISU number has digits only: no letters, spaces, dots or slashes.':
    'ISU broj ima samo znamenke: bez slova, razmaka, točaka i kosih crta.',
  'An ISU number is never 0.': 'ISU broj nikad nije 0.',
  'An ISU number has no leading zeros: did the portal issue {number}?':
    'ISU broj nema vodećih nula: je li u ePoreznoj dodijeljen {number}?',
  'An ISU number has at most 20 digits.': 'ISU broj ima najviše 20 znamenaka.',
  "Type the number as the tax authority's portal shows it for this machine.":
    'Upišite broj kako ga ePorezna prikazuje za ovaj uređaj.',
  'Where is the printer?': 'Gdje je pisač?',
  'Give --printer-line LINE': 'Navedite --printer-line PRIKLJUČAK',
  'fisk printer list shows lines.': 'priključke pokazuje fisk printer list.',
  '"{label}" has a printer already: {profile} at {line}.':
    'Uređaj „{label}” već ima pisač: {profile}, priključak {line}.',
  '"{line}": no line to a printer: {examples}': '„{line}” nije priključak pisača: {examples}',

  '{host} is no address of this machine.': '{host} nije adresa ovog računala.',
  'It has: {addresses}.': 'Računalo ima: {addresses}.',
  'none but loopback': 'samo loopback',
  '{path} is as it was.': '{path} nije promijenjena.',
  'fiskd does not come up with {settings}: {why}. The old configuration is back in {path}, and fiskd runs with it.':
    'fiskd se ne pokreće uz {settings}: {why}. U {path} vraćena je prijašnja konfiguracija i fiskd s njom radi.',
  'fiskd does not come up with {settings}: {why}. The old configuration is back in {path}, but fiskd does not run: {found}.':
    'fiskd se ne pokreće uz {settings}: {why}. U {path} vraćena je prijašnja konfiguracija, ali fiskd ne radi: {found}.',
  'fiskd does not come up with {settings}: {why}. Somebody else changed {path} meanwhile: it stays, and fiskd runs with it.':
    'fiskd se ne pokreće uz {settings}: {why}. Netko je drugi u međuvremenu promijenio {path}: ostaje tako i fiskd s tim radi.',
  'fiskd does not come up with {settings}: {why}. Somebody else changed {path} meanwhile: it stays, but fiskd does not run: {found}.':
    'fiskd se ne pokreće uz {settings}: {why}. Netko je drugi u međuvremenu promijenio {path}: ostaje tako, ali fiskd ne radi: {found}.',
  'Choose another value.': 'Odaberite drugu vrijednost.',
  'Process {pid} is changing {path} at this moment.': 'Proces {pid} upravo mijenja {path}.',
  'Wait until it has ended.': 'Pričekajte da završi.',
  'If it is no fisk init (ps {pid}): {command}': 'Ako to nije fisk init (ps {pid}): {command}',
  'fiskd does not start: {why}': 'fiskd se ne pokreće: {why}',
  'Use sudo: sudo fisk init': 'Koristite sudo: sudo fisk init',
  'nothing answers on {path}': 'na {path} nema odgovora',
  'systemctl ended with {status}': 'systemctl je završio s {status}',
  'fiskd --prepare did not succeed: {reason}': 'fiskd --prepare nije uspio: {reason}',
  'Correct what it names and run fisk init again.': 'Ispravite navedeno i ponovno pokrenite fisk init.',
  'fiskd --check-config did not answer': 'fiskd --check-config nije odgovorio',
  '{variable} is "{value}": {wanted}': '{variable} ima vrijednost „{value}”: {wanted}',
  '{variable} is not understood: {wanted}': '{variable} nije razumljivo: {wanted}',
  'This is a central server itself.': 'Ovo je središnji poslužitelj.',
  'Gateways are enrolled at it: fisk gateway add NAME': 'Pristupnici se povezuju s njim: fisk gateway add NAZIV',
  'The address of the server needs a token, too.': 'Uz adresu poslužitelja potreban je i token.',
  'On the server: fisk gateway add NAME': 'Na poslužitelju: fisk gateway add NAZIV',
  'A token begins with fisk_enroll_.': 'Token počinje s fisk_enroll_.',
  'Make one on the server (fisk gateway add NAME), then: fisk sync enroll URL TOKEN':
    'Izradite ga na poslužitelju (fisk gateway add NAZIV), a zatim: fisk sync enroll URL TOKEN',
  'A gateway has one process and keeps its sales in SQLite.': 'Pristupnik ima jedan proces i račune sprema u SQLite.',
  'For a server: --role server': 'Za poslužitelj: --role server',
  'At a server of several processes no machine is set up.': 'Na poslužitelju s više procesa ne postavlja se uređaj.',
  'It is for a server of several processes on PostgreSQL.': 'To je za poslužitelj s više procesa uz PostgreSQL.',
  '{name} is a user already: {role}.': 'Korisnik {name} već postoji: {role}.',
  'There is no {path}, from which the processes would be configured.':
    'Datoteka {path}, iz koje se procesi postavljaju, ne postoji.',
  'Install the package of fiskd': 'Instalirajte paket fiskd',
  'in a container, set FISKD_DATABASE_URL_FILE: see docs/server.md':
    'u kontejneru postavite FISKD_DATABASE_URL_FILE: pogledajte docs/server.md',
  'The address of the database is missing.': 'Nedostaje adresa baze podataka.',
  'Give --database-url postgres://...': 'Navedite --database-url postgres://...',
  '{address} is no address of a PostgreSQL database.': '{address} nije adresa baze podataka PostgreSQL.',
  'postgres://USER:PASSWORD@HOST/DATABASE, or postgres://fiskd@/fiskd?host=/run/postgresql':
    'postgres://KORISNIK:LOZINKA@RAČUNALO/BAZA ili postgres://fiskd@/fiskd?host=/run/postgresql',
  '{value} is no number of processes.': '{value} nije broj procesa.',
  '{units} sell on {address}, not on {other}.': '{units} prodaju uz bazu {address}, a ne {other}.',
  'Nothing was changed.': 'Ništa nije promijenjeno.',
  'Stop all of them, on every machine ({command}), and repeat this command.':
    'Zaustavite ih sve, na svakom računalu ({command}), i ponovite ovu naredbu.',
  'systemd does not run this machine, or does not know fiskd@.service.':
    'Ovim računalom ne upravlja systemd ili ne poznaje fiskd@.service.',
  'Install the package of fiskd on a machine with systemd': 'Instalirajte paket fiskd na računalo sa systemd-om',
  'or see docs/postgresql.md': 'ili pogledajte docs/postgresql.md',
  'The database {address} cannot be used: {why}. Nothing was changed.':
    'Baza podataka {address} ne može se koristiti: {why}. Ništa nije promijenjeno.',
  'If it is not there yet: {command}': 'Ako još ne postoji: {command}',
  'then repeat this command.': 'zatim ponovite ovu naredbu.',
  '{unit} does not start: {why}': '{unit} se ne pokreće: {why}',
  'Correct {path} or what its log names (journalctl -u {unit}), and repeat this command: the others serve.':
    'Ispravite {path} ili ono što piše u zapisniku (journalctl -u {unit}) i ponovite naredbu: ostali procesi rade.',

  'The file cannot be used as a certificate: {why}.': 'Datoteka se ne može koristiti kao certifikat: {why}.',
  'the passphrase is wrong': 'lozinka nije točna',
  'it is not a PKCS#12 file': 'nije datoteka PKCS#12',
  'it is damaged or cut short': 'oštećena je ili nepotpuna',
  'it is damaged, or its parts are protected by different passphrases':
    'oštećena je ili su njezini dijelovi zaštićeni različitim lozinkama',
  'its structure is not that of PKCS#12': 'nije građena kao PKCS#12',
  'it holds no private key; export the certificate together with its key':
    'nema privatnog ključa; izvezite certifikat zajedno s ključem',
  'it holds {count} private keys; export only the one of the fiscal certificate':
    'privatnih ključeva u datoteci: {count}; izvezite samo ključ fiskalnog certifikata',
  'it holds {count} certificates; export the key with its own chain only':
    'certifikata u datoteci: {count}; izvezite ključ samo s njegovim lancem',
  'it holds no certificate for its private key; export the two together':
    'nema certifikata za njezin privatni ključ; izvezite ih zajedno',
  'its private key cannot be read': 'privatni ključ ne može se pročitati',
  'no passphrase protects it against changes; export it again with a passphrase':
    'nije zaštićena lozinkom; izvezite je ponovno s lozinkom',
  'the certificate has expired: it was valid until {time}': 'certifikat je istekao: vrijedio je do {time}',
  'the certificate is valid from {time} on, and it is {now} here: check the clock':
    'certifikat vrijedi od {time}, a ovdje je {now}: provjerite sat',
  'Take the renewed one, or order it from FINA, then: {command}':
    'Uzmite obnovljeni ili ga naručite u Fini, a zatim: {command}',
  'Take the certificate that was issued to this company, then: {command}':
    'Uzmite certifikat izdan ovoj tvrtki, a zatim: {command}',
  'Type it again: {command}': 'Upišite je ponovno: {command}',
  'Upload its certificate: {command}': 'Učitajte njezin certifikat: {command}',
  'With the right file: {command}': 'Uz ispravnu datoteku: {command}',
  'the certificate names no OIB in its subject: it is not a fiscal certificate':
    'u certifikatu nema OIB-a: to nije fiskalni certifikat',
  'the certificate has no single OIB where certificates for fiscalization have it, in organizationIdentifier (VATHR-{oib}) or, as FINA writes it, in O behind the name (HR{number}), but {value}: ask its issuer for a certificate for fiscalization':
    'u certifikatu nema jednog OIB-a na mjestu na kojem ga imaju certifikati za fiskalizaciju, u organizationIdentifier (VATHR-{oib}) ili, kako ga piše Fina, u O iza naziva (HR{number}), nego piše {value}: od izdavatelja zatražite certifikat za fiskalizaciju',
  'the certificate was issued to the OIB {number}, and the company has the OIB {oib}':
    'certifikat je izdan na OIB {number}, a OIB tvrtke je {oib}',
  'other certificate files are being opened: wait {count} seconds':
    'upravo se otvaraju druge datoteke certifikata: pričekajte {count} s',
  'the tax authority checks sales in test mode only': 'Porezna uprava provjerava račune samo u testnom radu',
  '{name} is neither "total" nor "taxable"': '{name} nije ni "total" ni "taxable"',
  'the ISU number {number} already belongs to {name}': 'ISU broj {number} već pripada uređaju {name}',
  'it is not the beginning of exactly one fingerprint in {path}: give 8 hex digits or more, as `fisk trust list` shows them':
    'to nije početak otiska točno jednog certifikata u {path}: navedite barem 8 heksadecimalnih znamenaka, kako ih prikazuje `fisk trust list`',
  '{variable} is set, and fiskd does not write its file {path}: put the CA certificates into it, or unset {variable}':
    'varijabla {variable} je postavljena, pa fiskd ne zapisuje u njezinu datoteku {path}: u nju stavite certifikate izdavatelja (CA) ili varijablu izbrišite',

  ...Object.fromEntries(
    (Object.keys(ERRORS) as ErrorCode[]).map((code) => [ERRORS[code].fix, CROATIAN_ERRORS[code].fix]),
  ),
}
