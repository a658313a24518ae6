/** Each step of the way to the tax authority, and how its answers are signed. */
export const AUTHORITY_PHRASES: Readonly<Record<string, string>> = {
  '{host} is an address already': '{host} već je IP adresa',
  '{host} is {addresses}': '{host}: {addresses}',
  'no answer within {seconds} seconds': 'nema odgovora {seconds} s',
  'port {port} of {host} cannot be reached: {why}': 'priključak {port} na {host} nije dostupan: {why}',
  '{host} could not be looked up: {why}': 'adresa za {host} nije pronađena: {why}',
  'open, {ms} ms away': 'otvoren, odgovor za {ms} ms',
  'open through the proxy, {ms} ms away': 'otvoren preko proxyja, odgovor za {ms} ms',
  'through the proxy {proxy} (FISKD_CIS_PROXY): {found}': 'preko proxyja {proxy} (FISKD_CIS_PROXY): {found}',
  'check FISKD_CIS_PROXY in {path}': 'provjerite FISKD_CIS_PROXY u {path}',
  'if the name is right, {fix}': 'ako je ime ispravno, {fix}',
  'the proxy {proxy} does not let this machine through to port {port} of {host}: {why}':
    'proxy {proxy} ne propušta ovo računalo do {host}, priključak {port}: {why}',
  'it answered HTTP {count}': 'odgovorio je s HTTP {count}',
  'ask the administrator of the proxy: the proxy could not reach {host} port {port} itself':
    'pitajte administratora proxyja: ni proxy ne može do {host}, priključak {port}',
  'let the proxy allow CONNECT to {host} port {port}': 'dopustite na proxyju CONNECT do {host}, priključak {port}',
  'set name and password: {setting} in {path}': 'postavite ime i lozinku: {setting} u {path}',
  'check the name and password in FISKD_CIS_PROXY in {path}': 'provjerite ime i lozinku u FISKD_CIS_PROXY u {path}',
  'the proxy {proxy} answered HTTP {count}': 'proxy {proxy} odgovorio je s HTTP {count}',
  'the proxy {proxy} is not reached: {why} ({code})': 'proxy {proxy} nije dostupan: {why} ({code})',
  'its address could not be looked up': 'njegova adresa nije pronađena',
  'the connection failed or was cut': 'veza nije uspostavljena ili je prekinuta',

  'no answer came within {seconds} seconds': 'odgovor nije stigao za {seconds} s',
  'the answer is too large': 'odgovor je prevelik',
  'the certificate of the service is not trusted ({code})': 'certifikatu usluge se ne vjeruje ({code})',
  'the secure connection could not be made ({code})': 'zaštićena veza nije uspostavljena ({code})',
  'the address of the service could not be looked up ({code})': 'adresa usluge nije pronađena ({code})',
  'what came back is not HTTP ({code})': 'odgovor nije HTTP ({code})',
  'the connection failed or was cut ({code})': 'veza nije uspostavljena ili je prekinuta ({code})',
  'no trust bundle is installed for {inMode} mode: run `{command}`':
    'nema certifikata Porezne uprave za {inMode} rad: pokrenite `{command}`',
  'The test service is closed now: on weekdays 16:00-17:00 and on Sundays 08:00-12:00, Europe/Zagreb.':
    'Testna usluga sada je zatvorena: radnim danom od 16:00 do 17:00 i nedjeljom od 08:00 do 12:00.',
  'The echo failed: {why}.': 'Probna poruka nije uspjela: {why}.',
  'something else than an echo came back (HTTP {count})': 'odgovor nije probna poruka (HTTP {count})',
  'another text came back (HTTP {count})': 'vraćen je drugi tekst (HTTP {count})',
  'no echo came back: {why}': 'probna poruka nije se vratila: {why}',
  'wait some minutes and look again': 'pričekajte nekoliko minuta i ponovno provjerite',
  'sales go on and are sent later': 'prodaja se nastavlja, a računi se šalju naknadno',
  'the same text came back in {ms} ms': 'isti je tekst vraćen za {ms} ms',

  '{protocol}, {names}; the certificate of the service is valid until {day}':
    '{protocol}, {names}; certifikat usluge vrijedi do {day}',
  '{subject} issued by {issuer}': '{subject}, izdavatelj {issuer}',
  'what answers on port {port} of {host} does not speak TLS as CIS does: {why}':
    'na {host}, priključak {port}, ne odgovara TLS kakav ima CIS: {why}',
  'the connection was cut': 'veza je prekinuta',
  'it shows no certificate': 'certifikat nije poslan',
  'let this machine reach {host} directly: something on the way, such as a proxy, a firewall that opens connections or a sign-in page, answers in its place':
    'omogućite ovom računalu izravan pristup na {host}: umjesto njega odgovara nešto na putu, na primjer proxy, vatrozid koji otvara veze ili stranica za prijavu',
  'check the date of this machine': 'provjerite datum ovog računala',
  'check the date of this machine, too': 'provjerite i datum ovog računala',
  'if it is right, the certificate has to be replaced: {fix}': 'ako je ispravan, certifikat treba zamijeniti: {fix}',
  'only the tax authority can do that': 'to može samo Porezna uprava',
  'the certificate {subject} expired on {day}': 'certifikat {subject} istekao je {day}',
  'the certificate {subject} is valid from {day} only': 'certifikat {subject} vrijedi tek od {day}',
  'set the date of this machine, or let it follow a time server':
    'namjestite datum ovog računala ili uključite usklađivanje s poslužiteljem točnog vremena',
  'the certificate of the service is for {names}, not for {host}':
    'certifikat usluge izdan je za {names}, a ne za {host}',
  'the certificate {subject} is not trusted ({code})': 'certifikatu {subject} se ne vjeruje ({code})',
  'the certificate {subject} is not one of CIS: it was issued by {issuer}':
    'certifikat {subject} nije certifikat CIS-a: izdao ga je {issuer}',
  'the intermediate certificate {issuer} is missing in the trust bundle ({code})':
    'među certifikatima Porezne uprave nedostaje posredni certifikat {issuer} ({code})',
  'the root certificate {issuer} is missing in the trust bundle ({code})':
    'među certifikatima Porezne uprave nedostaje korijenski certifikat {issuer} ({code})',

  '{why}: how its answers are signed shows with the first sale':
    '{why}: način potpisivanja odgovora pokazat će prva prodaja',
  'the service does not answer an empty message ({why})': 'usluga ne odgovara na praznu poruku ({why})',
  'the service does not sign its answer to an empty message (HTTP {count})':
    'usluga ne potpisuje odgovor na praznu poruku (HTTP {count})',
  'answers are signed by {subject}, issued by {issuer}, valid until {day}; {algorithm} (SHA-1, accepted), {form} canonical form':
    'odgovore potpisuje {subject}, izdavatelj {issuer}, vrijedi do {day}; {algorithm} (SHA-1, prihvaćen), kanonski oblik {form}',
  'answers are signed by {subject}, issued by {issuer}, valid until {day}; {algorithm}, {form} canonical form':
    'odgovore potpisuje {subject}, izdavatelj {issuer}, vrijedi do {day}; {algorithm}, kanonski oblik {form}',
  'an answer of the service would not be believed: {why}': 'odgovoru usluge ne bi se vjerovalo: {why}',
  '{why} (it brings the certificate of {subject}, issued by {issuer})':
    '{why} (uz odgovor je certifikat {subject}, izdavatelj {issuer})',
  'its answer cannot be checked': 'odgovor se ne može provjeriti',
  'set FISKD_CIS_SHA1_ANSWERS=accept in {path} and restart fiskd':
    'postavite FISKD_CIS_SHA1_ANSWERS=accept u {path} i ponovno pokrenite fiskd',
  'install the newest fiskd: the service signs in a way that this version does not know':
    'instalirajte najnoviji fiskd: usluga potpisuje na način koji ova inačica ne poznaje',
  'install the newest fiskd': 'instalirajte najnoviji fiskd',
  'if this is it, send its makers a support bundle: {command}':
    'ako je ovo najnoviji, autorima pošaljite paket za podršku: {command}',
}
