/** What `fisk doctor` finds at the machine itself and at its service, without asking the daemon. */
export const HOST_PHRASES: Readonly<Record<string, string>> = {
  'fiskd {version} answers on {socket}': 'fiskd {version} odgovara na {socket}',
  'No daemon answers on {path}.': 'fiskd se ne javlja na {path}.',
  '{user} may not open the socket of the daemon, {path}.':
    'Korisnik {user} nema pravo otvoriti priključnicu programa fiskd, {path}.',
  '{user} may not open the socket of the daemon, {path}: only root and the group {group} may.':
    'Korisnik {user} nema pravo otvoriti priključnicu programa fiskd, {path}: to mogu samo root i grupa {group}.',
  'The daemon on {path} took the request and gave no answer.': 'fiskd je na {path} primio zahtjev, ali nije odgovorio.',
  '{path} cannot be used: {reason}': '{path} ne može se koristiti: {reason}',
  '{found} Its environment file is wrong.': '{found} Datoteka s varijablama okoline nije ispravna.',
  'what is said below of the environment file': 'pogledajte niže: datoteka s varijablama okoline',
  '{found} The reason: {why}': '{found} Razlog: {why}',
  'port {port} is taken by {process}': 'priključak {port} zauzima {process}',
  'port {port} is taken by a process that only root can see': 'priključak {port} zauzima proces koji vidi samo root',
  'or give FISKD_LISTEN in {path} another port': 'ili u {path} promijenite priključak u FISKD_LISTEN',
  'give FISKD_LISTEN in {path} another port': 'u {path} promijenite priključak u FISKD_LISTEN',
  'process {pid} ({program})': 'proces {pid} ({program})',
  'process {pid} (of an unknown program)': 'proces {pid} (nepoznat program)',
  '{process} and process {pid} ({program})': '{process} i proces {pid} ({program})',
  'another fiskd, {process}, uses {path}': '{path} koristi još jedan fiskd: {process}',
  'the data directory {path} is gone': 'podatkovne mape {path} nema',
  'attach its disk, then: {command}': 'priključite njezin disk, a zatim: {command}',
  'the disk of {path} is not mounted': 'disk mape {path} nije priključen (mount)',
  'attach it, then: {command}': 'priključite ga, a zatim: {command}',
  'the disk of {path} is read-only': 'na disk mape {path} ne može se pisati',
  'what happened to it: sudo dmesg | tail': 'što se dogodilo: sudo dmesg | tail',
  'the disk of {path} is full': 'disk mape {path} je pun',
  'free some space': 'oslobodite prostor na disku',
  'what takes it: {command}': 'što ga zauzima: {command}',
  'the user {user} may not read or write {path}': 'korisnik {user} nema pravo čitati ili pisati {path}',
  'the user {user} may not read {path}, which is {variable}': 'korisnik {user} nema pravo čitati {path} ({variable})',
  '{path}, which is {variable}, is not there': 'nema datoteke {path} ({variable})',
  'bring the file, or correct {variable} in {path}': 'vratite datoteku ili u {path} ispravite {variable}',
  '{command} and name that copy in {variable} of {path}': '{command}, a tu kopiju upišite u {variable} u {path}',
  'then: {command}': 'a zatim: {command}',
  'line {number}: {why}': 'redak {number}: {why}',
  'start it: fiskd': 'pokrenite ga: fiskd',
  'where it listens on another socket, name that with --socket or FISKD_SOCKET':
    'ako koristi drugu priključnicu, navedite je uz --socket ili u FISKD_SOCKET',
  'all of its log: journalctl -u fiskd': 'cijeli zapisnik: journalctl -u fiskd',
  '{found}. Its log says: {said}': '{found}. U zapisniku piše: {said}',
  '{found} The service fiskd is not installed.': '{found} Usluga fiskd nije instalirana.',
  'install the package of fiskd again: sudo apt install ./fiskd_VERSION_ARCH.deb':
    'ponovno instalirajte paket fiskd: sudo apt install ./fiskd_VERSION_ARCH.deb',
  'or run fiskd': 'ili pokrenite fiskd',
  '{found} The service fiskd is masked: it may not start.':
    '{found} Usluga fiskd je maskirana, pa se ne može pokrenuti.',
  '{found} Its unit cannot be read ({state}).': '{found} Datoteka usluge ne može se pročitati ({state}).',
  'sudo systemd-analyze verify {unit} names what is wrong with it':
    'što nije u redu, pokazuje: sudo systemd-analyze verify {unit}',
  'or install the package of fiskd again: sudo apt install ./fiskd_VERSION_ARCH.deb':
    'ili ponovno instalirajte paket fiskd: sudo apt install ./fiskd_VERSION_ARCH.deb',
  '{found} It ends again and again: {why}; started {count} times.':
    '{found} Usluga stalno prekida rad: {why}; ponovnih pokretanja: {count}.',
  '{found} It ends soon after its start: {why}.': '{found} Usluga prestaje s radom ubrzo nakon pokretanja: {why}.',
  '{found} It has failed: {why}.': '{found} Usluga se srušila: {why}.',
  '{found} It is starting again; before that it ended, and was started {count} times.':
    '{found} Usluga se ponovno pokreće nakon prekida; dosadašnjih pokretanja: {count}.',
  '{found} It is still starting.': '{found} Usluga se još pokreće.',
  '{found} It waits for the memory card or disk.': '{found} Čeka memorijsku karticu ili disk.',
  '{found} The service runs.': '{found} Usluga radi.',
  '{found} The service is stopped.': '{found} Usluga je zaustavljena.',
  'mend what the log names': 'otklonite ono što piše u zapisniku',
  'mend what the log names, then: {command}': 'otklonite ono što piše u zapisniku, a zatim: {command}',
  'wait a minute and ask again': 'pričekajte minutu i ponovno provjerite',
  'name its socket with --socket if it is another one': 'ako koristi drugu priključnicu, navedite je uz --socket',
  'if it hangs: {command}': 'ako ne odgovara: {command}',
  'exit code {number}': 'izlazni kod {number}',
  'killed by signal {number}': 'prekinut signalom {number}',
  'signal {number}': 'signal {number}',
  'the machine was out of memory': 'računalo je ostalo bez memorije',
  'it gave no sign of life, and was ended': 'nije se javljala, pa je prekinuta',
  'it took too long to start or stop': 'pokretanje ili zaustavljanje trajalo je predugo',
  'it was started too often in a short time': 'pokrenuta je prečesto u kratkom vremenu',
  'correct what it names in /etc/fiskd/fiskd.env, then: {command}':
    'ispravite navedeno u /etc/fiskd/fiskd.env, a zatim: {command}',
  'the sealed vault key does not open on this machine: put vault.key of the backup in its place, then: {command}':
    'šifrirani ključ trezora ne može se otvoriti na ovom računalu: vratite vault.key iz sigurnosne kopije, a zatim: {command}',

  '{version} is installed, and runs': 'instalirana i pokrenuta inačica: {version}',
  '{version} is installed, but {other} runs since before that': 'instalirana je inačica {version}, a još radi {other}',
  'you may not read {path}': 'nemate pravo čitati {path}',
  '{path} cannot be read: {code}': '{path} ne može se pročitati: {code}',
  'make it a file that root can read: {path}': 'to mora biti datoteka koju root može čitati: {path}',
  'correct {path}, then: sudo systemctl restart fiskd': 'ispravite {path}, a zatim: sudo systemctl restart fiskd',
  '{variable} is not a variable of fiskd': '{variable} nije varijabla programa fiskd',
  '{variable} is not a variable of fiskd: it has no effect': '{variable} nije varijabla programa fiskd i nema učinka',
  'line {number} is not NAME=value': 'redak {number} nije u obliku NAZIV=vrijednost',
  'line {number} is not NAME=value: it has no effect': 'redak {number} nije u obliku NAZIV=vrijednost i nema učinka',
  'this machine does not have {addresses} of FISKD_LISTEN now': 'ovo računalo sada nema {addresses} iz FISKD_LISTEN',
  'check its network cable, or choose another one: sudo fisk init --listen ADDRESS':
    'provjerite mrežni kabel ili odaberite drugu adresu: sudo fisk init --listen ADDRESS',
  '{path} was changed after fiskd had started': '{path} izmijenjena je nakon pokretanja programa fiskd',
  '{path} is right': '{path} je ispravna',

  '{count} MB are available': 'slobodno: {count} MB',
  'end what takes most of it: ps aux --sort=-rss | head':
    'zaustavite ono što je najviše troši: ps aux --sort=-rss | head',
  'the voltage has held since the machine started': 'napon je od pokretanja računala bio dovoljan',
  'the voltage is too low now: writes to the disk can fail': 'napon je prenizak: pisanje na disk može biti neuspješno',
  'the voltage was too low since the machine started: writes to the disk can fail':
    'napon je od pokretanja računala bio prenizak: pisanje na disk može biti neuspješno',
  'use the power supply of the Raspberry Pi and a short cable': 'koristite napajanje za Raspberry Pi i kratak kabel',
  'give hungry printers a supply of their own': 'pisačima koji troše mnogo struje osigurajte vlastito napajanje',
  '{degrees} °C': '{degrees} °C',
  '{degrees} °C is too hot': '{degrees} °C: pregrijano',
  '{degrees} °C now, but it was so hot that the processor was slowed down':
    'sada {degrees} °C, ali je računalo bilo toliko vruće da je procesor usporen',
  'give the machine air: a fan, a heat sink, less sun': 'osigurajte hlađenje: ventilator, hladnjak, manje sunca',
  'free its vents of dust': 'očistite prašinu s otvora',
  'its life is used up': 'vijek trajanja je istrošen',
  'its life is used up, and its spare blocks run out': 'vijek trajanja je istrošen, a pričuvni blokovi su pri kraju',
  'at most {percent} % of its life is used': 'iskorišteno najviše {percent} % vijeka trajanja',
  'at most {percent} % of its life is used, and its spare blocks run out':
    'iskorišteno najviše {percent} % vijeka trajanja, a pričuvni blokovi su pri kraju',
  'replace the storage soon': 'uskoro zamijenite pohranu',
  'keep a backup elsewhere: fisk backup FILE': 'sigurnosnu kopiju čuvajte drugdje: fisk backup FILE',

  '{unit} is {state}: the other processes do its work': '{unit}: stanje {state}; njegov posao obavljaju drugi procesi',
  'see why: journalctl -u {unit}, then: {command}': 'uzrok pokazuje: journalctl -u {unit}, a zatim: {command}',
  '{unit} runs, and starts with the machine': '{unit} radi i pokreće se s računalom',
  'the service is masked: it cannot start': 'usluga je maskirana, pa se ne može pokrenuti',
  'the service starts with the machine': 'usluga se pokreće s računalom',
  'the service is {state}: after a power cut nothing is sold':
    'usluga se ne pokreće s računalom ({state}): nakon nestanka struje prodaja nije moguća',
  'the unit on the disk is newer than the one in force': 'datoteka usluge na disku novija je od one koja se koristi',
  'Restart={value}: it may end and stay so': 'Restart={value}: nakon prekida usluga se ne pokreće ponovno',
  'after a few bad starts within {time} systemd gives up for good':
    'nakon nekoliko neuspjelih pokretanja u {time} systemd trajno odustaje',
  'systemd starts it anew whenever it ends': 'systemd je ponovno pokreće nakon svakog prekida',
  'a sign of life is due every {time}': 'usluga se mora javiti svakih {time}',
  'systemd would not notice if fiskd hung': 'systemd ne bi primijetio da je fiskd prestao odgovarati',
  'take it out of {paths}, then: {command}': 'uklonite to iz {paths}, a zatim: {command}',
  'put {setting} under {section} with: sudo systemctl edit fiskd, then: {command}':
    'upišite {setting} pod {section} naredbom: sudo systemctl edit fiskd, a zatim: {command}',
  'put User=fiskd under [Service] with: sudo systemctl edit fiskd':
    'upišite User=fiskd pod [Service] naredbom: sudo systemctl edit fiskd',
  'it is not installed: no backups are made by themselves': 'nije instalirano: sigurnosne kopije ne rade se same',
  'copy the database elsewhere each day: fisk backup FILE':
    'svakog dana spremite bazu podataka na drugo mjesto: fisk backup FILE',
  'it is masked: no backups are made by themselves': 'maskirano je: sigurnosne kopije ne rade se same',
  'unmask it, then: {command}': 'uklonite maskiranje, a zatim: {command}',
  'it is {state}: no backups are made by themselves': 'stanje {state}: sigurnosne kopije ne rade se same',
  'it is enabled': 'uključeno je',

  'the service runs as root, which can do far more than it needs':
    'usluga radi kao root, s većim ovlastima nego što treba',
  'there is no user {user}: the service cannot start': 'korisnik {user} ne postoji, pa se usluga ne može pokrenuti',
  '{user} is in the groups {group} and {other}': '{user} je u grupama {group} i {other}',
  '{user} is not in {group} and {other}: it may not open printers there':
    '{user} nije u grupama {group} i {other}, pa ne može otvoriti tamošnje pisače',
  '{user} is not in {groups}: it may not open printers there':
    '{user} nije u grupi {groups}, pa ne može otvoriti tamošnje pisače',
  '{service} keeps the clock': 'sat usklađuje {service}',
  'none runs: nothing corrects the clock when it drifts': 'nijedna ne radi: ništa ne ispravlja sat kad postane netočan',
  'you may not look into {folder}': 'nemate pravo pregledati {folder}',
  'none of those that can be seen; some processes keep their files to themselves':
    'nijedan od vidljivih; neki procesi ne pokazuju svoje datoteke',
  'no process beside the daemon has the database open': 'bazu podataka ima otvorenu samo fiskd',
  '{who} has {database} open beside the daemon': '{who}: uz fiskd ima otvorenu bazu podataka {database}',
  'end it: {command}': 'zaustavite ga: {command}',
  'to look at sales use fisk, or a copy: fisk backup FILE':
    'za pregled računa koristite fisk ili kopiju: fisk backup FILE',
  'it runs, and leaves the printers alone': 'radi, ali ne dira pisače',
  'it runs and may take {paths} for a modem: receipts get garbled or lost':
    'radi i može {paths} smatrati modemom: ispisi računa mogu biti oštećeni ili izgubljeni',
  'without a modem: sudo systemctl disable --now ModemManager':
    'ako nema modema: sudo systemctl disable --now ModemManager',
  'with one: a udev rule with ENV{ID_MM_DEVICE_IGNORE}="1" for the printer':
    'ako ga ima: udev pravilo s ENV{ID_MM_DEVICE_IGNORE}="1" za pisač',
}
