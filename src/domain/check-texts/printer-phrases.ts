/** What a printer says of itself, or what its silence says. */
export const PRINTER_PHRASES: Readonly<Record<string, string>> = {
  'The cover is open.': 'Poklopac je otvoren.',
  'Close the cover.': 'Zatvorite poklopac.',
  'The paper is out.': 'Nema papira.',
  'Load a new roll.': 'Umetnite novu rolu.',
  'The paper is near its end.': 'Papir je pri kraju.',
  'Load a new roll soon.': 'Uskoro umetnite novu rolu.',
  'The printer is offline and does not say why.': 'Pisač ne ispisuje i ne javlja zašto.',
  'Look at its lamps, and whether its feed button is held.':
    'Pogledajte lampice pisača i je li pritisnuta tipka za pomak papira.',
  'Look for jammed paper at the cutter, then switch the printer off and on.':
    'Provjerite je li papir zaglavljen kod noža, a zatim isključite i uključite pisač.',
  'The cutter is jammed.': 'Nož je zaglavljen.',
  'Switch the printer off, open the cover, take out the paper at the cutter, close it and switch it on.':
    'Isključite pisač, otvorite poklopac, izvadite papir kod noža, zatvorite poklopac i uključite pisač.',
  'The print head is too hot.': 'Glava pisača je pregrijana.',
  'Wait some minutes: it goes on by itself once it has cooled. If it happens often, give the printer more air.':
    'Pričekajte nekoliko minuta: ispis se nastavlja sam kad se ohladi. Ako se često ponavlja, osigurajte bolje hlađenje.',
  'The printer reports an error that it cannot recover from.': 'Pisač javlja pogrešku koju ne može otkloniti.',
  'Switch the printer off for ten seconds. If the error comes back, the printer or its power supply is defective.':
    'Isključite pisač na deset sekundi. Ako se pogreška vrati, neispravan je pisač ili njegovo napajanje.',
  'The printer reports a mechanical error.': 'Pisač javlja mehaničku pogrešku.',
  'The printer reports an error.': 'Pisač javlja pogrešku.',
  'The printer has not answered yet: it may be off, or be one that never answers.':
    'Pisač još nije odgovorio: možda je isključen ili je od onih koji nikad ne odgovaraju.',
  'Print a test page: {command}. If it comes out, the printer never answers: {other}.':
    'Ispišite probnu stranicu: {command}. Ako se ispiše, pisač nikad ne odgovara: {other}.',
  'The printer has not answered on this line so far.': 'Pisač na ovom priključku dosad nije odgovorio.',
  'Check its power, its cable and its profile. {fix} If it prints and never answers: {command}.':
    'Provjerite napajanje, kabel i profil pisača. {fix} Ako ispisuje, a nikad ne odgovara: {command}.',
  'The printer does not answer.': 'Pisač ne odgovara.',
  'Check its power and its cable. {fix}': 'Provjerite napajanje i kabel pisača. {fix}',
  'On a serial line, check the cable, and that baud rate, parity and stop bits are those of the printer: {command}.':
    'Na serijskom priključku provjerite kabel te jesu li brzina, paritet i stop bitovi isti kao na pisaču: {command}.',
  'The printer does not answer any more. Before: {why}': 'Pisač više ne odgovara. Prije toga: {why}',
  'What arrives makes no sense: there is noise on the line, or something else than a printer.':
    'Pristigli podaci nemaju smisla: na vodu su smetnje ili na njemu nije pisač.',
  'What fiskd sends comes back: the line has an echo, and no printer answers on it.':
    'Poslani podaci vraćaju se natrag: na vodu je jeka i nijedan pisač na njemu ne odgovara.',
  'Check that the cable leads to the printer: two of its wires may be joined, or something else is at its end.':
    'Provjerite vodi li kabel do pisača: možda su dvije žice spojene ili je na drugom kraju nešto drugo.',
  'A Star printer answers in its own language, and is set as another one.':
    'Odgovara pisač Star u vlastitom jeziku, a postavljen je kao drugi.',
  'Set its profile: {command} --profile star-line, or star-tsp100 for a TSP100. In ESC/POS mode it is star-escpos.':
    'Postavite mu profil: {command} --profile star-line, a za TSP100 star-tsp100. U načinu ESC/POS to je star-escpos.',
  'Something answers with text, as a modem or a console does, and no printer.':
    'Nešto odgovara tekstom, kao modem ili konzola, a ne kao pisač.',
  'Set the line of the printer: fisk printer list shows the lines of this machine.':
    'Postavite priključak pisača: fisk printer list pokazuje priključke ovog računala.',
  'The printer answers in ESC/POS, and is set as a Star in its own language.':
    'Pisač odgovara u jeziku ESC/POS, a postavljen je kao Star u vlastitom jeziku.',
  'Set its profile: for a Star in ESC/POS mode {command}.': 'Postavite mu profil: za Star u načinu ESC/POS {command}.',
  'Check that a printer is at this address. {fix}': 'Provjerite je li na toj adresi pisač. {fix}',
  'The connection to the printer at {address} is lost.': 'Veza s pisačem na {address} je prekinuta.',
  'Check its power and its network cable.': 'Provjerite napajanje i mrežni kabel pisača.',
  'No host is known by the name {host}.': 'Računalo s imenom {host} nije poznato.',
  'Check the name, or set the address of the printer in numbers.': 'Provjerite ime ili upišite IP adresu pisača.',
  '{host} refuses connections on port {port}.': '{host} odbija veze na priključku {port}.',
  'Another place: {command}': 'Drugi priključak: {command}',
  'Another address: {command}': 'Druga adresa: {command}',
  'Check that this is the printer and its port, and that no other computer holds it: many take one at a time.':
    'Provjerite je li to pisač i njegov priključak te koristi li ga drugo računalo: mnogi primaju samo jednu vezu.',
  '{address} does not answer ({code}).': '{address} ne odgovara ({code}).',
  'Check the power and the network cable of the printer, and its address.':
    'Provjerite napajanje, mrežni kabel i adresu pisača.',
  '{path} is not a device.': '{path} nije uređaj.',
  'Give the path of a device, as `fisk printer list` shows it.':
    'Upišite putanju uređaja, kako je prikazuje fisk printer list.',
  '{path} cannot be reached: a folder is closed to us.': '{path} nije dostupno: nema prava pristupa mapi.',
  'Let the user that fiskd runs as enter the folders on the way to it.':
    'Dopustite korisniku pod kojim fiskd radi pristup svim mapama na putanji.',
  'Check the cable and the power of the printer; no printer or serial port is attached now.':
    'Provjerite kabel i napajanje pisača; trenutačno nije povezan nijedan pisač ni serijski priključak.',
  'Check the cable and the power of the printer, or set one of those that are attached now: {paths}.':
    'Provjerite kabel i napajanje pisača ili postavite jedan od povezanih: {paths}.',
  '{path} is not there.': '{path} ne postoji.',
  '{path} belongs to user {owner} and group {group} (mode {mode}); user {user} may not open it.':
    '{path} pripada korisniku {owner} i grupi {group} (prava {mode}); korisnik {user} ne može ga otvoriti.',
  'Run `{command}` as root, then restart fiskd.': 'Kao root pokrenite `{command}`, a zatim ponovno pokrenite fiskd.',
  '{path} is in use by another program.': '{path} koristi drugi program.',
  'Stop the program that uses it (`{command}` names it), e.g. a modem manager or a login on that port.':
    'Zaustavite program koji ga koristi (pokazuje ga `{command}`), npr. upravitelj modema ili prijavu na tom priključku.',
  '{path} cannot be used: {reason}.': '{path} ne može se koristiti: {reason}.',
  'Check that the printer is on this port, as `fisk printer list` shows it.':
    'Provjerite je li pisač na tom priključku, kako prikazuje fisk printer list.',
  'The printer on {path} is gone.': 'Pisač na {path} više nije povezan.',
  'Check the cable and the power of the printer.': 'Provjerite kabel i napajanje pisača.',
  'The printer on {path} takes no more data.': 'Pisač na {path} više ne prima podatke.',
  'Check paper, cover and power of the printer, and that the flow control that is set is the one of the printer.':
    'Provjerite papir, poklopac i napajanje pisača te je li kontrola toka ista kao na pisaču.',
  '{path} is already used by another printer of this installation{more}.':
    '{path} već koristi drugi pisač ove instalacije{more}.',
  'Give each device a printer of its own, or take the printer away from the other one.':
    'Svakom uređaju postavite vlastiti pisač ili ga uklonite s drugoga.',
  'Try again.': 'Pokušajte ponovno.',
  'The line was closed meanwhile.': 'Priključak je u međuvremenu zatvoren.',
}
