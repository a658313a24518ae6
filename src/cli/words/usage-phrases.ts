/** What is wrong with a command line, and what single commands refuse by themselves. */
export const USAGE_PHRASES: Readonly<Record<string, string>> = {
  "error: unknown option '{flag}'": 'Pogreška: nepoznata opcija „{flag}”',
  "error: unknown command '{name}'": 'Pogreška: nepoznata naredba „{name}”',
  "error: missing required argument '{name}'": 'Pogreška: nedostaje argument „{name}”',
  "error: option '{flag}' argument missing": 'Pogreška: opciji „{flag}” nedostaje vrijednost',
  "error: required option '{flag}' not specified": 'Pogreška: nedostaje opcija „{flag}”',
  "error: option '{flag}' argument '{value}' is invalid. {why}":
    'Pogreška: vrijednost „{value}” opcije „{flag}” nije ispravna. {why}',
  "error: command-argument value '{value}' is invalid for argument '{name}'. {why}":
    'Pogreška: vrijednost „{value}” argumenta „{name}” nije ispravna. {why}',
  "error: option '{flag}' cannot be used with option '{other}'":
    'Pogreška: opcije „{flag}” i „{other}” ne mogu se navesti zajedno',
  "error: too many arguments for '{name}'. Expected {number} argument but got {count}.":
    'Pogreška: previše argumenata naredbe „{name}”. Očekivano: {number}, navedeno: {count}.',
  "error: too many arguments for '{name}'. Expected {number} arguments but got {count}.":
    'Pogreška: previše argumenata naredbe „{name}”. Očekivano: {number}, navedeno: {count}.',
  'Allowed choices are {names}.': 'Moguće su vrijednosti: {names}.',
  '(Did you mean {name}?)': '(Mislite li na {name}?)',
  '(Did you mean one of {names}?)': '(Mislite li na nešto od ovoga: {names}?)',
  'Add --help to see how the command is used.': 'Kako se naredba koristi, pokazuje --help.',

  'It is 1 to 999.': 'Dopušteno je od 1 do 999.',
  'It is a whole number.': 'Očekuje se cijeli broj.',
  'It is a number of seconds.': 'Očekuje se broj sekundi.',
  'It is an IP address, with a port if wanted.': 'Očekuje se IP adresa, po potrebi s priključkom.',
  'It is key=value.': 'Piše se ključ=vrijednost.',
  'The value is no JSON.': 'Vrijednost nije JSON.',
  'It is a receipt number of up to 20 digits, or 0 for from the beginning.':
    'Očekuje se broj računa od najviše 20 znamenaka ili 0 za brojeve od početka.',
  'A year has four digits.': 'Godina ima četiri znamenke.',
  'A day is written 2026-11-22.': 'Dan se piše ovako: 2026-11-22.',
  'A month is written 2026-11.': 'Mjesec se piše ovako: 2026-11.',
  '"{value}" is not a number of minutes from 1 to 9999.': '„{value}” nije broj minuta od 1 do 9999.',
  '"{value}" is not a number from 0 to 1000000.': '„{value}” nije broj od 0 do 1000000.',
  'Give --gap {number}': 'Navedite --gap {number}',

  '{command} needs --{flag}.': 'Uz {command} treba navesti --{flag}.',
  '--{flag} says nothing about {command}.': '--{flag} ne ide uz {command}.',
  '--save goes with the id of a command.': '--save ide samo uz oznaku naredbe.',
  '--code goes with --failed.': '--code ide samo uz --failed.',
  '--device is for --print.': '--device ide samo uz --print.',
  '--none takes the printer away: it stands alone.': '--none uklanja pisač: uz to ne ide ništa drugo.',
  'Name one sale by its id, or all that failed with --failed.':
    'Navedite oznaku zapisa jednog računa ili --failed za sve neuspješno poslane.',
  'Name the picture, too: --logo FILE.': 'Navedite i sliku: --logo DATOTEKA.',
  'Nothing was said about the company: add what is to change, such as --name.':
    'Nije navedeno što se mijenja u podacima tvrtke: dodajte, na primjer, --name.',
  'Nothing was said about the device: add what is to change, such as --label.':
    'Nije navedeno što se mijenja u podacima uređaja: dodajte, na primjer, --label.',
  'Nothing was said about the printer: name its line, for example.':
    'Nije navedeno što se mijenja kod pisača: navedite, na primjer, njegov priključak.',
  'It is not said what the user may see.': 'Nije navedeno što korisnik smije vidjeti.',
  'Give --company OIB, or --all-companies.': 'Navedite --company OIB ili --all-companies.',
  'Say --company OIB, or --any-company.': 'Navedite --company OIB ili --any-company.',
  'Name a machine, or a premises with --company and --premises.':
    'Navedite uređaj ili poslovni prostor uz --company i --premises.',
  '--from and --hours go together.': '--from i --hours navode se zajedno.',
  'Say what is to change: --payment-method or --recipient-oib.':
    'Navedite što se ispravlja: --payment-method ili --recipient-oib.',
  'Nothing is to be reset.': 'Nije navedeno što se poništava.',
  'Give --password, --second-factor or both.': 'Navedite --password, --second-factor ili oboje.',
  'A gateway cannot be told "{name}".': 'Pristupniku se ne može poslati naredba „{name}”.',
  'Use one of: {names}': 'Moguće su naredbe: {names}',
  'Standard output cannot take the backup and its JSON.':
    'Sigurnosna kopija i njezin JSON ne mogu oboje na standardni izlaz.',
  'Standard output cannot take the bundle and its JSON.':
    'Paket za podršku i njegov JSON ne mogu oboje na standardni izlaz.',
  'Certificates of {count} companies are missing, and one file was given.':
    'Tvrtki bez certifikata: {count}, a navedena je samo jedna datoteka.',
  'Each by itself: {commands}; then fisk replace': 'Svaki zasebno: {commands}; zatim fisk replace',

  'No firmware is named.': 'Nije naveden program uređaja.',
  'Type it after --: {command}': 'Upišite ga iza --: {command}',
  '--by-hand takes no command: you are the firmware.': 'Uz --by-hand ne ide naredba: program uređaja glumite Vi.',
  '--by-hand asks questions: it needs a terminal.': '--by-hand postavlja pitanja, za što treba terminal.',
  '{path}.js is missing.': 'Nedostaje datoteka {path}.js.',
  'In a clone: npm run build': 'U klonu repozitorija: npm run build',

  'The passphrase does not open the file: check upper and lower case, and the keyboard.':
    'Lozinka ne otvara datoteku: provjerite velika i mala slova i raspored tipkovnice.',
  'The backup did not arrive as the daemon made it.': 'Sigurnosna kopija nije stigla onakva kakvu je izradio fiskd.',
  '{path} is larger than {count} KB: make it smaller.': '{path} je veća od {count} KB: smanjite je.',
  '{path} is larger than {count} MB.': '{path} je veća od {count} MB.',
  'Run the command again.': 'Ponovite naredbu.',
  'This command has brought no file back.': 'Ta naredba nije donijela datoteku.',
  'nothing was moved: {why}': 'ništa nije premješteno: {why}',
  'nothing was restored: {why}': 'ništa nije vraćeno: {why}',
  'nothing was removed: {why}': 'ništa nije uklonjeno: {why}',
  'fiskd --rehearse said nothing: {why}': 'fiskd --rehearse nije dao rezultat: {why}',
  'Look for room on the disk.': 'Provjerite ima li mjesta na disku.',
  '{label} has no printer.': 'Uređaj {label} nema pisač.',
  'Give it one: {command}': 'Dodijelite mu ga: {command}',
  'There is no closing to print.': 'Nema zaključka za ispis.',
  'See what `--close` closes.': 'Pogledajte što zaključuje `--close`.',
  'Start it, then run again: {command}': 'Pokrenite ga, a zatim ponovite: {command}',
  'This gateway has no central server.': 'Ovaj pristupnik nema središnji poslužitelj.',
  'This gateway has left its server meanwhile.': 'Veza ovog pristupnika s poslužiteljem u međuvremenu je raskinuta.',
  'Bring the files some other way, then: {command}': 'Donesite datoteke na drugi način, a zatim: {command}',
  'Have the gateway {gateway} do it, by the command above.': 'Neka to učini pristupnik {gateway}: naredba je gore.',
}
