export const SETUP_PHRASES: Readonly<Record<string, string>> = {
  Yes: 'Da',
  No: 'Ne',
  'Next:': 'Sljedeće:',
  'Not taken:': 'Nije prihvaćeno:',
  'Something has to be typed here.': 'Ovdje treba nešto upisati.',

  'What is this machine?': 'Što je ovo računalo?',
  'gateway: in a vending machine': 'pristupnik: u samoposlužnom uređaju',
  'gateway: in a vending machine, whose firmware runs on it':
    'pristupnik: u samoposlužnom uređaju, čiji program radi na njemu',
  'gateway: firmware on other machines reaches it, too': 'pristupnik: povezuju se i programi drugih uređaja',
  'server: at the central office': 'poslužitelj: u središnjem uredu',
  'An address works as long as this machine keeps it: have the router give it the same one each time. While the machine lacks it only firmware on the machine itself sells. 0.0.0.0 is every address that it has now or gets later, in every network that it is attached to; firmware then connects by the name {host}, for the certificate cannot carry addresses that are not known yet.':
    'Adresa vrijedi dok je ovo računalo ima: podesite usmjernik da mu uvijek dodjeljuje istu. Dok je nema, prodaja je moguća samo s programom na samom računalu. 0.0.0.0 znači sve sadašnje i buduće adrese računala, u svim mrežama na koje je povezano; uređaji se tada povezuju pod imenom {host} jer u certifikatu ne mogu biti adrese koje još nisu poznate.',
  'Which of its addresses should firmware reach? (none: only this machine)':
    'Na kojim adresama računala trebaju biti dostupne usluge uređajima? (nijedna: samo ovo računalo)',
  '{address} (all of them, also later ones)': '{address} (sve, i buduće)',
  'OIB of the company': 'OIB tvrtke',
  'Which company sells here?': 'Koja tvrtka ovdje prodaje?',
  'Another one': 'Druga',
  'Name of the company': 'Naziv tvrtke',
  'VAT rate of its sales': 'Stopa PDV-a',
  'None: the company is not in the VAT system': 'Nema: tvrtka nije u sustavu PDV-a',
  '{rate} %': '{rate} %',
  'The firmware sends the VAT with each sale': 'PDV šalje uređaj uz svaku prodaju',
  'Which tax authority service does it report to?': 'Kojoj usluzi Porezne uprave tvrtka šalje račune?',
  'test: nothing counts': 'testni rad: ništa se ne knjiži',
  'live: real receipts': 'stvarni rad: pravi računi',
  'Every sale will be a real receipt that counts. Go live?':
    'Svaka prodaja bit će pravi račun koji se knjiži. Prijeći na stvarni rad?',
  'Seat of the company, for its receipts, such as: Ilica 1, 10000 Zagreb (empty: later)':
    'Sjedište tvrtke, za račune, na primjer: Ilica 1, 10000 Zagreb (prazno: kasnije)',
  'Street and number, a comma, five digits, the city: Ilica 1, 10000 Zagreb':
    'Ulica i kućni broj, zarez, pet znamenaka, mjesto: Ilica 1, 10000 Zagreb',
  "CA certificates of the tax authority's test service": 'Certifikati testne usluge Porezne uprave',
  "CA certificates of the tax authority's live service": 'Certifikati stvarne usluge Porezne uprave',
  'Download them, and check their fingerprints': 'Preuzmi ih i provjeri njihove otiske',
  'Take them from files': 'Učitaj ih iz datoteka',
  Later: 'Kasnije',
  'for the service and for uploads': 'za uslugu i za učitane certifikate',
  'for the service and for uploads: {paths}': 'za uslugu i za učitane certifikate: {paths}',
  'Files with CA certificates, separated by commas': 'Datoteke s certifikatima izdavatelja, odvojene zarezima',
  'PKCS#12 file of its fiscal certificate (empty: later)':
    'PKCS#12 datoteka fiskalnog certifikata tvrtke (prazno: kasnije)',
  'Passphrase of the certificate': 'Lozinka certifikata',
  'Label of the machine, such as "Lobby 1"': 'Naziv uređaja, na primjer „Predvorje 1”',
  'Business premises code': 'Oznaka poslovnog prostora',
  'A premises code has 1 to 20 letters and digits, without accents.':
    'Oznaka poslovnog prostora ima 1 do 20 slova i znamenaka, bez dijakritičkih znakova.',
  'Where does the machine stand, for its receipts? (empty: later)':
    'Gdje se uređaj nalazi, za račune? (prazno: kasnije)',
  'ISU number (empty: not issued yet)': 'ISU broj (prazno: još nije dodijeljen)',
  'Which printer prints its receipts?': 'Koji pisač ispisuje račune?',
  'No printer was found. Is there one?': 'Pisač nije pronađen. Postoji li?',
  '{path} (of "{label}")': '{path} (uređaj „{label}”)',
  'One on the network, or on another line': 'Pisač na mreži ili na drugom priključku',
  'No printer': 'Nema pisača',
  'Its line: tcp:HOST:9100, usb:/dev/usb/lp0 or serial:/dev/ttyS0':
    'Priključak: tcp:RAČUNALO:9100, usb:/dev/usb/lp0 ili serial:/dev/ttyS0',
  'no line to a printer: serial:/dev/..., usb:/dev/usb/lp0, tcp:HOST:9100 or file:/PATH':
    'to nije priključak pisača: serial:/dev/..., usb:/dev/usb/lp0, tcp:RAČUNALO:9100 ili file:/PUTANJA',
  'Does the machine sell bottles or cans with a deposit?': 'Prodaje li uređaj boce ili limenke s povratnom naknadom?',
  'The firmware sends the deposit as a fee, which is a part of the total:':
    'Program uređaja šalje povratnu naknadu kao naknadu koja je dio ukupnog iznosa:',
  'It bears no VAT, but VAT at the default rate is taken out of the whole total here. Change this: fisk company set {oib} --config default_vat_base=taxable':
    'Na nju se ne plaća PDV, a PDV po zadanoj stopi ovdje se računa od cijelog iznosa. Promijenite to: fisk company set {oib} --config default_vat_base=taxable',
  'It bears no VAT, and VAT at the default rate leaves it out.':
    'Na nju se ne plaća PDV, a PDV po zadanoj stopi računa se bez nje.',
  'Where the firmware sends vat, it leaves the deposit out of the base. See docs/firmware.md, Deposits.':
    'Ako program uređaja sam šalje vat, osnovica mora biti bez naknade. Vidi docs/firmware.md, Deposits.',
  'What kind of printer is it?': 'Koje je vrste pisač?',
  'generic: any other': 'generic: svaki drugi',
  'The test page did not come out: {why}': 'Probna stranica nije ispisana: {why}',
  'Print it once more?': 'Ispisati ponovno?',
  'A test page was sent. Are the letters "as they are set" right?':
    'Probna stranica je poslana. Jesu li slova u retku „kako su postavljena” ispravna?',
  'No, but they are right on the line {page}': 'Ne, ali su ispravna u retku {page}',
  'No, on no line: print them without accents': 'Ne, ni u jednom retku: ispisuj bez dijakritičkih znakova',
  'Nothing came out': 'Ništa nije ispisano',
  'nothing came out: look at its cable, its paper and its profile':
    'ništa nije ispisano: provjerite kabel, papir i profil pisača',
  'Make an API key for the firmware?': 'Izraditi API ključ za uređaj?',
  'Where does the server keep its records?': 'Gdje poslužitelj čuva podatke?',
  'PostgreSQL: several processes, thousands of gateways': 'PostgreSQL: više procesa, tisuće pristupnika',
  'SQLite: one process, nothing else to install': 'SQLite: jedan proces, ne treba ništa drugo instalirati',
  'Address of the PostgreSQL database: {address}': 'Adresa baze podataka PostgreSQL: {address}',
  'This is no address of a PostgreSQL database.': 'Ovo nije adresa baze podataka PostgreSQL.',
  'How many processes on this machine, one for each core? (empty: {count})':
    'Koliko procesa na ovom računalu, jedan za svaku jezgru? (prazno: {count})',
  'It is a number from 1 to 99.': 'Treba biti broj od 1 do 99.',
  'By which names and addresses is it reached? (empty: {address})':
    'Pod kojim je imenima i adresama dostupan? (prazno: {address})',
  'Who administers the dashboard? A name to sign in with, such as a mail address':
    'Tko upravlja nadzornom pločom? Ime za prijavu, na primjer adresa e-pošte',
  'Password of {user}': 'Lozinka korisnika {user}',
  'New password of {user}': 'Nova lozinka korisnika {user}',
  'Name of the first gateway (empty: later)': 'Naziv prvog pristupnika (prazno: kasnije)',

  role: 'uloga',
  'reached by': 'dostupno na',
  service: 'usluga',
  seat: 'sjedište',
  mode: 'način rada',
  'before live': 'prije stvarnog rada',
  trust: 'certifikati Porezne uprave',
  certificate: 'certifikat',
  'ISU number': 'ISU broj',
  printer: 'pisač',
  'central server': 'središnji poslužitelj',
  'API key': 'API ključ',
  device_id: 'device_id',
  processes: 'procesi',
  'dashboard user': 'korisnik nadzorne ploče',
  'first gateway': 'prvi pristupnik',
  'done:': 'učinjeno:',
  'already there:': 'već postoji:',
  'to do:': 'preostaje:',
  gateway: 'pristupnik',
  server: 'poslužitelj',
  'this machine only': 'samo ovo računalo',
  'started, and it starts with the machine': 'pokrenuta, pokreće se s računalom',
  '{units}; they start with the machine': '{units}; pokreću se s računalom',
  'none; for one: {command}': 'nema; postavlja se naredbom: {command}',
  '{name}, OIB {oib}, {mode}': '{name}, OIB {oib}, {mode}',
  '{state}, {days} days left': '{state}, preostalo dana: {days}',
  '{count} registered': 'prijavljenih: {count}',
  'more than {count} registered': 'prijavljenih više od {count}',
  '{count} machines have none: fisk isu pending': 'uređaja bez ISU broja: {count} (fisk isu pending)',
  '{command}; receipts need it': '{command}; potrebno je za račune',
  '{label} at {code}': '{label}, poslovni prostor {code}',
  '{profile} at {line}': '{profile}, priključak {line}',
  '{why}; then fisk printer test {label}': '{why}; zatim fisk printer test {label}',
  '{command}; fisk printer list shows lines': '{command}; priključke pokazuje fisk printer list',
  '{key}; for another one: fisk init --key': '{key}; za drugi: fisk init --key',
  'for another password: {command}': 'za drugu lozinku: {command}',
  'to enrol with this token: {command}': 'za povezivanje s ovim tokenom: {command}',
  '{count} known': 'poznatih: {count}',
  'fisk gateway add NAME, for each of them': 'fisk gateway add NAZIV, za svaki od njih',
  '{url} as {name}': '{url}, kao {name}',
  'set {settings} for fiskd and start it again': 'postavite {settings} za fiskd i ponovno ga pokrenite',
  'put {settings} into {path} as root, and start fiskd again':
    'kao root upišite {settings} u {path} i ponovno pokrenite fiskd',
  'start fiskd again: it runs with the configuration from before':
    'ponovno pokrenite fiskd: radi s dosadašnjom konfiguracijom',

  "What to type into the tax authority's portal for the ISU number: fisk isu pending":
    'Što upisati u ePoreznu za ISU broj: fisk isu pending',
  'Put into the firmware:': 'Upišite u program uređaja:',
  'Put into the firmware (the key is shown only now):': 'Upišite u program uređaja (ključ se prikazuje samo sada):',
  'base URL': 'osnovna adresa',
  'CA file': 'datoteka CA',
  'CA SHA-256': 'CA SHA-256',
  'of the CA that has issued the certificate of this fiskd (FISKD_TLS_CERT)':
    'CA koji je izdao certifikat ovog poslužitelja (FISKD_TLS_CERT)',
  'Printing a test page; a printer that does not answer is given 15 seconds ...':
    'Ispisuje se probna stranica; na pisač koji ne odgovara čeka se 15 sekundi ...',
  '{name}, OIB {oib}, issued by {issuer}; until {date}, {days} days':
    '{name}, OIB {oib}, izdavatelj {issuer}; vrijedi do {date}, preostalo dana: {days}',
  'It can sell now.': 'Prodaja je sada moguća.',
  'It CANNOT sell yet.': 'Prodaja još NIJE moguća.',
  'what is marked "to do", then fisk status': 'ono što je označeno s „preostaje”, zatim fisk status',
  '{url} or {others}': '{url} ili {others}',
  dashboard: 'nadzorna ploča',
  gateways: 'pristupnici',
  'Token of the first gateway, shown only now, good until {until}:':
    'Token prvog pristupnika, prikazuje se samo sada, vrijedi do {until}:',
  'On that machine:': 'Na tom računalu:',
  "have a load balancer stand before them. Debian's haproxy does with {path}: in both backends a line for each process ({count} here)":
    'postavite ispred njih raspoređivač opterećenja. U Debianu to radi haproxy s {path}: u oba odjeljka backend po jedan redak za svaki proces (ovdje {count})',
  'then fisk status': 'zatim fisk status',

  'Made: {things}.': 'Izrađeno: {things}.',
  'Everything was there already.': 'Sve je već postojalo.',
  'data directory': 'podatkovna mapa',
  'vault key': 'ključ trezora',
  'CA for firmware': 'CA za uređaje',
  'Keep a copy of the vault key apart from the database: without it no certificate can be opened again.':
    'Kopiju ključa trezora čuvajte odvojeno od baze podataka: bez njega se nijedan certifikat više ne može otvoriti.',
  'start the daemon with fiskd (or: systemctl start fiskd) and run fisk init again.':
    'pokrenite fiskd (ili: systemctl start fiskd), a zatim ponovno fisk init.',
  'No daemon answers on {path}, so what the flags ask for could not be done.':
    'Na {path} nema odgovora, pa se zatraženo nije moglo učiniti.',
  'Start fiskd and repeat the same command.': 'Pokrenite fiskd i ponovite istu naredbu.',
}
