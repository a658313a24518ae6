import { CARD_PHRASES } from './card-phrases.ts'

/** The machine, its disk, the database and the configuration. */
export const INSTALLATION_PHRASES: Readonly<Record<string, string>> = {
  'not looked at: see "{check}" first': 'nije provjereno: najprije pogledajte „{check}”',
  'it could not be looked at: {why}': 'nije se moglo provjeriti: {why}',
  'look at the log of the daemon: journalctl -u fiskd': 'pogledajte zapisnik: journalctl -u fiskd',
  'look at the log: journalctl -u fiskd': 'pogledajte zapisnik: journalctl -u fiskd',

  'the database was on {before} before, and this is {now}':
    'baza podataka dosad je bila na računalu {before}, a ovo je {now}',
  'where the card was copied for a second machine: switch this one off, and set up a new card (fisk replace, where it takes the place of a broken machine); where the board was swapped or the card moved, and no copy of it is in use: sudo fisk machine accept':
    'ako je kartica kopirana za drugo računalo: isključite ovo i postavite novu karticu (fisk replace, ako preuzima mjesto pokvarenog računala); ako je zamijenjena ploča ili je kartica premještena, a njezina se kopija ne koristi: sudo fisk machine accept',
  'it is the one that the database was on before': 'isto je na kojem je baza podataka bila i prije',
  'only its machine-id is known, which a copied card has too: FISKD_MACHINE_ID can name it':
    'poznat je samo njegov machine-id, koji ima i kopirana kartica: može se imenovati varijablom FISKD_MACHINE_ID',

  'fisk backup FILE, on another disk': 'fisk backup FILE, na drugi disk',
  'make one now, on another disk: sudo fisk backup FILE': 'napravite je odmah, na drugom disku: sudo fisk backup FILE',
  'the database is PostgreSQL: fiskd does not see whether pg_dump or WAL archiving saves it':
    'baza podataka je PostgreSQL: fiskd ne vidi spremaju li je pg_dump ili arhiviranje WAL-a',
  'there are no sales yet': 'još nema prodaje',
  'none was ever made': 'nikad nije napravljena',
  'the last one was made less than a day ago': 'posljednja je napravljena prije manje od jednog dana',
  'the last one was made {days} days ago': 'posljednja je napravljena prije {days} dana',

  'every variable is one of fiskd': 'sve su varijable poznate',
  'no variable of fiskd, without effect: {names}': 'nepoznate varijable, bez učinka: {names}',
  'correct the spelling, or remove it: man fiskd': 'ispravite naziv ili uklonite varijablu: man fiskd',
  '{inMode}, which monitoring asks about': '{inMode} rad, što provjerava i nadzor',
  'it is {inMode}, so monitoring asks another service than the one that is sold with ({otherMode})':
    'postavljen je {inMode} rad, pa nadzor ne provjerava uslugu s kojom se prodaje ({otherMode} rad)',
  'set FISKD_DEPLOYMENT_MODE={mode} and restart fiskd':
    'postavite FISKD_DEPLOYMENT_MODE={mode} i ponovno pokrenite fiskd',

  'stop fiskd and restore the last backup that was whole: fisk restore FILE':
    'zaustavite fiskd i vratite posljednju ispravnu sigurnosnu kopiju: fisk restore FILE',
  'something changed the database behind fiskd: keep a copy of it as evidence, then {fix}':
    'bazu podataka izmijenilo je nešto mimo programa fiskd: sačuvajte njezinu kopiju kao dokaz, a zatim: {fix}',
  'restore the last dump that was whole with pg_restore, then fisk restore':
    'vratite posljednji ispravan dump naredbom pg_restore, a zatim fisk restore',
  'every page is sound': 'sve su stranice ispravne',
  'restart fiskd, which checks it again': 'ponovno pokrenite fiskd, koji je tada opet provjerava',
  'the database is PostgreSQL ({server}): pg_amcheck looks at its files':
    'baza podataka je PostgreSQL ({server}): njezine datoteke provjerava pg_amcheck',
  'tables, indexes and triggers are as fiskd made them': 'tablice, indeksi i okidači nisu mijenjani',
  'the free space is not known': 'slobodan prostor nije poznat',
  '{free} MB are free': 'slobodno: {free} MB',
  'free some space on the disk of the data directory': 'oslobodite prostor na disku na kojem je podatkovna mapa',
  '{found}: nothing can be sold': '{found}: prodaja nije moguća',
  '{found}: messages are not kept': '{found}: poruke se ne arhiviraju',
  '{found}: ordinary log lines are not kept': '{found}: uobičajeni zapisi o radu ne spremaju se',

  'restart fiskd, and report this if it stays': 'ponovno pokrenite fiskd, a ako se ponovi, prijavite pogrešku',
  'set it to on in postgresql.conf': 'u postgresql.conf postavite na on',
  'what is answered is on the disk': 'sve što je potvrđeno spremljeno je na disk',
  'let a streaming standby on another machine follow, name it in synchronous_standby_names in postgresql.conf, and reload PostgreSQL':
    'postavite pričuvnu bazu podataka (streaming standby) na drugo računalo, upišite je u synchronous_standby_names u postgresql.conf i ponovno učitajte PostgreSQL',
  'where the disk itself is kept twice, this is well as it is': 'ako je sam disk udvostručen, ne treba ništa mijenjati',
  'each commit waits for a standby': 'svaki upis čeka pričuvnu bazu podataka',
  'PostgreSQL has no standby: with its disk everything since the last dump is lost':
    'PostgreSQL nema pričuvnu bazu podataka: kvarom diska gubi se sve od posljednjeg dumpa',
  'no commit waits for a standby: a failover loses the latest sales, whose receipts are printed':
    'upisi ne čekaju pričuvnu bazu podataka: pri preuzimanju se gube najnoviji računi, a već su ispisani',
  'synchronous_standby_names wants a standby, and none of that name is connected: commits wait for it':
    'pričuvna baza podataka iz synchronous_standby_names nije povezana, pa je upisi čekaju',
  'start the standby, or correct its name: SELECT application_name, sync_state FROM pg_stat_replication':
    'pokrenite pričuvnu bazu podataka ili ispravite njezin naziv: SELECT application_name, sync_state FROM pg_stat_replication',
  'PostgreSQL does not show fiskd whether a standby is connected':
    'PostgreSQL ne pokazuje je li pričuvna baza podataka povezana',
  'grant pg_read_all_stats to the role of FISKD_DATABASE_URL':
    'dodijelite pg_read_all_stats ulozi iz FISKD_DATABASE_URL',

  '{files} was removed or replaced while fiskd runs': '{files}: uklonjeno ili zamijenjeno dok fiskd radi',
  '{file} was removed: nothing keeps a second fiskd off this database':
    '{file}: uklonjeno, pa ništa ne sprječava da istu bazu podataka otvori još jedan fiskd',
  'take a new lock: systemctl restart fiskd': 'ponovno pokrenite fiskd: systemctl restart fiskd',
  'the files that fiskd has open bear their names': 'otvorene datoteke su na svojem mjestu',
  'the sales are only in what fiskd (process {pid}) holds open: before it stops, find it with {commands}, then stop fiskd and restore that: fisk restore FILE':
    'računi su samo u datotekama koje drži proces {pid}: prije zaustavljanja pronađite ih naredbom {commands}, a zatim zaustavite fiskd i vratite ih: fisk restore FILE',
  'nobody reaches fiskd at {address}: {why}': 'fiskd nije dostupan na adresi {address}: {why}',
  'it tries every {seconds} s': 'pokušava svakih {seconds} s',
  'plug in its network cable, or have the router give this machine the same address each time':
    'priključite mrežni kabel ili podesite usmjernik da ovom računalu uvijek dodjeljuje istu adresu',
  'or choose another one: sudo fisk init --listen ADDRESS, where 0.0.0.0 is every address that it has':
    'ili odaberite drugu: sudo fisk init --listen ADDRESS, pri čemu 0.0.0.0 znači sve adrese računala',
  'reached at {addresses}': 'dostupno na {addresses}',

  'data, keys and socket are closed to other users': 'podaci, ključevi i priključnica nisu dostupni drugim korisnicima',
  '{path} belongs to user {owner}, not to {user}': '{path} pripada korisniku {owner}, a ne korisniku {user}',
  '{path} is open to other users (mode {mode})': '{path} dostupno je drugim korisnicima (prava {mode})',
  '{path} is open to its group (mode {mode})': '{path} dostupno je grupi (prava {mode})',

  'fiskd may open {limit}': 'fiskd smije otvoriti {limit}',
  'fiskd may open an unknown number of': 'nije poznato koliko datoteka fiskd smije otvoriti',
  '{found}: too few for many machines at once': '{found}: premalo za mnogo uređaja istodobno',
  'put {setting} under [Service] with: sudo systemctl edit fiskd, and restart it':
    'pod [Service] upišite {setting} naredbom sudo systemctl edit fiskd i ponovno pokrenite fiskd',
  'systemd starts fiskd anew when it gives no sign of life for {seconds} s':
    'systemd ponovno pokreće fiskd ako se ne javi {seconds} s',
  'systemd would not notice if fiskd hung': 'systemd ne bi primijetio da je fiskd prestao raditi',

  'stop fiskd, move the data directory to a local ext4 disk, and name it with FISKD_DATA_DIR':
    'zaustavite fiskd, premjestite podatkovnu mapu na lokalni disk ext4 i upišite je u FISKD_DATA_DIR',
  'a trial write was on the disk in {ms} ms': 'probni zapis spremljen je na disk za {ms} ms',
  'look for errors of the disk (dmesg), and replace an old SD card: fisk backup FILE first':
    'provjerite pogreške diska (dmesg) i zamijenite staru SD karticu: najprije fisk backup FILE',
  'a trial write took {ms} ms to reach the disk: every sale waits as long':
    'probni zapis na disk trajao je {ms} ms: toliko čeka svaka prodaja',
  'look for errors of the disk (dmesg), then restart the machine':
    'provjerite pogreške diska (dmesg), a zatim ponovno pokrenite računalo',
  'a card that does it again is worn out: replace it, and restore the last backup':
    'ako se ponovi, kartica je istrošena: zamijenite je i vratite posljednju sigurnosnu kopiju',
  'the disk of {path} has become read-only': 'na disk s mapom {path} više se ne može pisati',
  'the disk of {path} has become read-only: the kernel does so after an error of the disk':
    'na disk s mapom {path} više se ne može pisati: sustav ga zaključava nakon pogreške diska',
  ...CARD_PHRASES,
  'replace the disk or SD card at once, and restore the last backup':
    'odmah zamijenite disk ili SD karticu i vratite posljednju sigurnosnu kopiju',
  'the disk of {path} reports errors (EIO)': 'disk s mapom {path} javlja pogreške (EIO)',
  'the disk quota is used up': 'dopušteni prostor na disku je iskorišten',
  'free some space, or raise the quota': 'oslobodite prostor ili povećajte dopušteni',
  'nothing can be written to {path}: {why}': 'u {path} ne može se pisati: {why}',
  'let the user that fiskd runs as write there': 'dopustite pisanje korisniku pod kojim fiskd radi',
  'it is on {why}': 'podaci su na: {why}',
  'this file system never runs out of them': 'na ovom datotečnom sustavu ne mogu se potrošiti',
  '{free} of {files} are free': 'slobodno {free} od {files}',
  '{free} of {files} are free: no more files can be made':
    'slobodno {free} od {files}: nove se datoteke ne mogu stvarati',
  'remove what has many small files on this disk: du --inodes -x / | sort -n | tail':
    'uklonite mape s mnogo malih datoteka na ovom disku: du --inodes -x / | sort -n | tail',
  'a file system that /proc/self/mountinfo does not name': 'datotečni sustav kojeg nema u /proc/self/mountinfo',
  '{type}, mounted at {path}': '{type}, priključen na {path}',
  '{why}: in memory, so every sale is gone with the power': '{why}: u memoriji, pa nestankom struje nestaju svi računi',
  '{why}: SQLite can lose or damage a database there': '{why}: SQLite ondje može izgubiti ili oštetiti bazu podataka',
  '{why}: a power cut can damage it, and it knows no owners':
    '{why}: nestanak struje može ga oštetiti, a nema vlasnika datoteka',
  '{why}: nobody has tried whether sales survive a power cut there':
    '{why}: nije ispitano ostaju li računi sačuvani nakon nestanka struje',
  '{why} without write barriers: the last sales can be gone with the power':
    '{why} bez zaštite redoslijeda zapisa: nestankom struje mogu nestati posljednji računi',
  'an overlay at {path} over {why}': 'overlay na {path} iznad {why}',
  'an overlay at {path} in memory: every sale is gone with the power':
    'overlay na {path} u memoriji: nestankom struje nestaju svi računi',
  'an overlay at {path}: it may be in memory, or go with its container':
    'overlay na {path}: možda je u memoriji ili nestaje zajedno sa spremnikom',
}
