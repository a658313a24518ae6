/** The way to the tax authority, its certificates and the clock. */
export const SERVICE_PHRASES: Readonly<Record<string, string>> = {
  '{found}; the last answer that was believed is signed {algorithm}':
    '{found}; posljednji odgovor kojem se vjerovalo potpisan je algoritmom {algorithm}',
  '{found}; the test service is closed now by its timetable':
    '{found}; testna usluga prema rasporedu sada nije otvorena',
  'look again when it is open: it is closed on weekdays 16:00-17:00 and on Sundays 08:00-12:00':
    'provjerite ponovno kad bude otvorena: zatvorena je radnim danom od 16:00 do 17:00 i nedjeljom od 08:00 do 12:00',
  'let this machine follow a time server: sudo timedatectl set-ntp true':
    'uključite usklađivanje s poslužiteljem točnog vremena: sudo timedatectl set-ntp true',
  'compare the time of this machine with a clock that is right; where it is, nothing is to be done':
    'usporedite vrijeme ovog računala s točnim vremenom; ako je točno, ne treba ništa učiniti',
  'without one: {command}': 'bez njega: {command}',
  'check the network cable or modem and the DNS server of this machine':
    'provjerite mrežni kabel ili modem i DNS poslužitelj ovog računala',
  'ask it again: {command}': 'ponovno ga upitajte: {command}',
  'check the network cable or modem of this machine': 'provjerite mrežni kabel ili modem ovog računala',
  'a line "default" stands for its way out: ip route': 'redak „default” pokazuje njegov put u mrežu: ip route',
  'let this machine reach {host} on TCP port {port}: a firewall or router may be in the way':
    'omogućite ovom računalu pristup na {host}, TCP priključak {port}: možda ga sprječava vatrozid ili usmjerivač',
  'where there is a proxy, set FISKD_CIS_PROXY': 'ako postoji proxy, postavite FISKD_CIS_PROXY',
  'try it: {command}': 'isprobajte: {command}',
  'port {port} of {host} cannot be reached: {code}': 'priključak {port} na {host} nije dostupan: {code}',
  '{host} could not be looked up: {code}': 'adresa za {host} nije pronađena: {code}',
  'the clock shows {shown}, but it is {real} or later': 'sat pokazuje {shown}, a sada je {real} ili kasnije',
  'the clock is {span} ahead': 'sat ide {span} ispred točnog vremena',
  'the clock is {span} behind': 'sat kasni {span}',
  'the clock was set {span} forward while fiskd ran': 'sat je tijekom rada pomaknut unaprijed ({span})',
  'the clock was set {span} back while fiskd ran': 'sat je tijekom rada pomaknut unatrag ({span})',
  '{why}, and the tax authority has not confirmed it yet': '{why}, a Porezna uprava još nije potvrdila vrijeme',
  '{why}, and it is {span} ahead of that of the tax authority': '{why}, i ide {span} ispred sata Porezne uprave',
  '{why}, and it is {span} behind that of the tax authority': '{why}, i kasni {span} za satom Porezne uprave',
  'the clock follows no time server': 'sat se ne usklađuje s poslužiteljem točnog vremena',
  'no time server is known to set the clock': 'nije poznato usklađuje li se sat s poslužiteljem točnog vremena',
  '{count} seconds': '{count} s',
  '{count} minutes': '{count} min',
  '{count} hours': '{count} h',
  '{count} days': '{count} d',
  'the service says no time that can be right': 'usluga ne navodi vrijeme koje bi moglo biti točno',
  'the time in the headers of the service is {span} ahead of the one that it signs: it is not believed':
    'vrijeme u zaglavljima usluge ispred je vremena koje usluga potpisuje ({span}) i ne uzima se u obzir',
  'the time in the headers of the service is {span} behind the one that it signs: it is not believed':
    'vrijeme u zaglavljima usluge kasni za vremenom koje usluga potpisuje ({span}) i ne uzima se u obzir',
  'the time in the headers of the service is {span} ahead of the time server that this machine follows: it is not believed':
    'vrijeme u zaglavljima usluge ispred je poslužitelja točnog vremena ({span}) i ne uzima se u obzir',
  'the time in the headers of the service is {span} behind the time server that this machine follows: it is not believed':
    'vrijeme u zaglavljima usluge kasni za poslužiteljem točnog vremena ({span}) i ne uzima se u obzir',
  'the clock of this machine is {seconds} s ahead of that of CIS':
    'sat ovog računala ide {seconds} s ispred sata CIS-a',
  'the clock of this machine is {seconds} s behind that of CIS': 'sat ovog računala kasni {seconds} s za satom CIS-a',
  'nothing speaks against it': 'ništa ne upućuje na pogrešno vrijeme',
  'look at the clock': 'provjerite sat',
  'look at the clock of this machine': 'provjerite sat ovog računala',

  'there is none: nothing can be sold': 'nema certifikata: prodaja nije moguća',
  'it was revoked {day}: nothing can be sold': 'opozvan je {day}: prodaja nije moguća',
  'it was issued to another OIB than the one of the company': 'izdan je na drugi OIB, a ne na OIB tvrtke',
  'its issuer revoked it {day}': 'izdavatelj ga je opozvao {day}',
  'it expired {day}: nothing can be sold': 'istekao je {day}: prodaja nije moguća',
  'it is valid from {day} only': 'vrijedi tek od {day}',
  'it is valid until {day}, {days} days more': 'vrijedi do {day} (preostalo dana: {days})',
  'the vault does not open it: it was changed, or sealed with another vault key':
    'ne može se otvoriti: izmijenjen je ili je šifriran drugim ključem',
  'what it signs is not what the certificate verifies': 'privatni ključ ne pripada certifikatu',
  'a test signature was verified with the certificate': 'probni je potpis provjeren certifikatom',
  'it leads to the trust bundle of {inMode} mode': 'izdao ga je izdavatelj kojem se vjeruje ({inMode} rad)',
  'bring one of {inMode} mode: fisk cert add --company {oib} --file FILE.p12':
    'učitajte certifikat za {inMode} rad: fisk cert add --company {oib} --file FILE.p12',
  'bring one of {inMode} mode: fisk cert add --company {oib} --file FILE.p12, or take the company live':
    'učitajte certifikat za {inMode} rad: fisk cert add --company {oib} --file FILE.p12, ili prebacite tvrtku u stvarni rad',
  'it is a certificate of {otherMode} mode, and the company sells in {inMode} mode':
    'certifikat je za {otherMode} rad, a tvrtka prodaje u načinu rada „{inMode}”',
  'if you trust its issuer: fisk trust add --mode {mode} FILE':
    'ako vjerujete njegovu izdavatelju: fisk trust add --mode {mode} FILE',
  'bring a valid one: fisk cert add --company {oib} --file FILE.p12':
    'učitajte valjan certifikat: fisk cert add --company {oib} --file FILE.p12',

  'fisk trust fetch --mode {mode}, or without a network: fisk trust add --mode {file}':
    'fisk trust fetch --mode {mode}, ili bez mreže: fisk trust add --mode {file}',
  'write it again: {fix}': 'zapišite je ponovno: {fix}',
  'the CA certificates of the {ofMode} service are not installed': 'nema certifikata Porezne uprave za {ofMode} rad',
  'none of its certificates is one that CIS is known to use: {names}':
    'nijedan od certifikata nije među onima za koje se zna da ih CIS koristi: {names}',
  '{subject} ended {day}': '{subject} istekao je {day}',
  '{subject} ends {day}': '{subject} istječe {day}',
  'add the certificate that replaces it: fisk trust add --mode {mode} FILE':
    'dodajte certifikat koji ga zamjenjuje: fisk trust add --mode {mode} FILE',
  '{count} CA certificates, the first one ends {day}': 'certifikata izdavatelja: {count}, prvi istječe {day}',
  'no list is installed': 'nema popisa opozvanih certifikata',
  '{count} current': 'važećih popisa: {count}',
  'the list of {issuer} was to be renewed {day}': 'popis izdavatelja {issuer} trebalo je obnoviti {day}',
  'bring the new list: fisk trust add --mode {mode} FILE': 'dodajte novi popis: fisk trust add --mode {mode} FILE',

  'restart fiskd, which makes a new one': 'ponovno pokrenite fiskd: sam će napraviti novi',
  'bring a new one (FISKD_TLS_CERT, FISKD_TLS_KEY) and restart fiskd':
    'postavite novi (FISKD_TLS_CERT, FISKD_TLS_KEY) i ponovno pokrenite fiskd',
  '{path} cannot be read': '{path} ne može se pročitati',
  '{key} is not the key of {path}': '{key} nije ključ certifikata {path}',
  'restore {path} from a backup of the data directory: every client trusts it':
    'vratite {path} iz sigurnosne kopije podatkovne mape: njemu vjeruju svi klijenti',
  'restart fiskd when it has ended, and have every client trust the new ca.pem':
    'kad istekne, ponovno pokrenite fiskd i na svim klijentima prihvatite novi ca.pem',
  '{path} is not its key: no new server certificate can be made':
    '{path} nije njegov ključ: novi certifikat poslužitelja ne može se napraviti',
  'restore {path} from a backup of the data directory': 'vratite {path} iz sigurnosne kopije podatkovne mape',
  '{path} is not its key': '{path} nije njegov ključ',
  'the local CA, which clients trust, has not issued it': 'nije ga izdao lokalni CA kojem klijenti vjeruju',
  'it lacks {names}: clients refuse it there': 'ne sadrži {names}: klijenti ga na tim adresama odbijaju',
  'it expired {day}: clients refuse it': 'istekao je {day}: klijenti ga odbijaju',
}
