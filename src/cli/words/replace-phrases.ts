export const REPLACE_PHRASES: Readonly<Record<string, string>> = {
  'Address of the central server, https://...': 'Adresa središnjeg poslužitelja, https://...',
  'Its token for the replaced gateway, from: fisk gateway add NAME --again':
    'Token poslužitelja za zamijenjeni pristupnik, iz naredbe: fisk gateway add NAME --again',
  'This machine is enrolled already, as {who}. Go on as that gateway?':
    'Ovo je računalo već povezano, kao {who}. Nastaviti kao taj pristupnik?',
  'This machine is enrolled already, as {who}: the address and the token that were given are not used.':
    'Ovo je računalo već povezano, kao {who}: navedena adresa i token ne upotrebljavaju se.',
  'To go on as that gateway: sudo fisk replace. To be another one: sudo fisk sync leave --yes, then sudo fisk replace URL TOKEN with a new token':
    'Da nastavi kao taj pristupnik: sudo fisk replace. Da postane drugi: sudo fisk sync leave --yes, zatim sudo fisk replace URL TOKEN s novim tokenom',
  'Taking over from the central server ...': 'Preuzimanje podataka sa središnjeg poslužitelja ...',
  'Last receipt of the old machine, from paper, such as POSL1=1234 (empty: 1000 numbers are skipped for each day since the server last heard it, and 10000 for restores)':
    'Posljednji ispisani račun starog računala, na primjer POSL1=1234 (prazno: preskače se 1000 brojeva za svaki dan otkad se posljednji put javilo poslužitelju, i 10000 zbog vraćanja sigurnosnih kopija)',
  'The certificate of {name} ({oib}) is missing here: its private key was on the old machine only.':
    'Ovdje nema certifikata tvrtke {name} ({oib}): njegov je privatni ključ bio samo na starom računalu.',
  'It was: {certificate}.': 'Bio je to: {certificate}.',
  'Its PKCS#12 file (.p12) and passphrase are with the company. Or the office uploads it on the page of the company in the dashboard: then it comes by itself.':
    'PKCS#12 datoteku (.p12) i lozinku ima tvrtka. Ili ga ured učita na stranici tvrtke u nadzornoj ploči: tada stiže automatski.',
  'PKCS#12 file of the fiscal certificate (empty: the office uploads it)':
    'PKCS#12 datoteka fiskalnog certifikata (prazno: učitava ga ured)',
  'Wait here for the certificate from the office?': 'Pričekati ovdje certifikat iz ureda?',
  'Waiting for the certificate from the office, {count} minutes at most ...':
    'Čeka se certifikat iz ureda, najviše {count} min ...',
  'The printer of "{label}" was {profile} at {line}. Is it there now?':
    'Pisač uređaja „{label}” bio je {profile} na {line}. Je li i sada ondje?',

  'taken over': 'preuzeto',
  'receipt numbers': 'brojevi računa',
  'goes on after {number} at {place} (the server has seen none)':
    'nastavljaju se iza {number}, {place} (poslužitelj ne zna ni za jedan)',
  'goes on after {number} at {place} (the server has seen {count})':
    'nastavljaju se iza {number}, {place} (poslužitelj zna do {count})',
  'left out: {why}': 'izostavljeno: {why}',
  'it was {profile} at {line}: fisk printer set {command}': 'bio je {profile} na {line}: fisk printer set {command}',
  '{profile} at {line}, as before': '{profile} na {line}, kao prije',
  'from the office, {days} days left': 'iz ureda, vrijedi još dana: {days}',
  'fisk cert add --company {oib} --file FILE, or the office uploads it on the page of the company':
    'fisk cert add --company {oib} --file FILE, ili ga ured učita na stranici tvrtke',

  'The server last heard from the old machine at {date}.':
    'Staro se računalo poslužitelju posljednji put javilo {date}.',
  'The server does not know when it last heard from the old machine.':
    'Poslužitelj ne zna kada mu se staro računalo posljednji put javilo.',
  'Receipt numbers skipped where none was stated: {count}.':
    'Preskočenih brojeva računa ondje gdje nijedan nije naveden: {count}.',
  'Receipt numbers skipped where none was stated: {count}: 1000 for each of the {days} days that it may have sold without telling the server, and 10000 for restores.':
    'Preskočenih brojeva računa ondje gdje nijedan nije naveden: {count}, po 1000 za svaki dan u kojem je možda prodavalo bez javljanja poslužitelju (dana: {days}) i 10000 zbog vraćanja sigurnosnih kopija.',
  'Nothing may be sold on the old card any more: the skipped numbers cover what it sold until now.':
    'Na staroj kartici više se ne smije prodavati: preskočeni brojevi pokrivaju ono što je dosad prodala.',
  'Sales that it made afterwards are on its card only. If its firmware still waits for an answer about one, look whether the goods were handed out before it is sent again: this machine does not know its key and would sell twice.':
    'Prodaje nakon toga samo su na njegovoj kartici. Ako program uređaja za neku još čeka odgovor, prije ponovnog slanja provjerite je li roba izdana: ovo računalo ne zna njezin ključ i prodalo bi dvaput.',
  '{count} invoices of the old machine have no JIR, and this machine cannot send them.':
    'Računa starog računala bez JIR-a, koje ovo računalo ne može poslati: {count}.',
  'If the old card can still be read, start it in a controller that has internet and no firmware: it sends them by itself.':
    'Ako se stara kartica još može čitati, pokrenite je u računalu s internetom i bez programa uređaja: šalje ih automatski.',
  'device_id is as before. Keys and the CA are new: no server knows those of the old card.':
    'device_id je kao prije. Ključevi i CA su novi: one sa stare kartice ne zna nijedan poslužitelj.',
  'Destroy the old card: no gap is left above the last number that was typed, so a sale on it would give out a number of this machine a second time.':
    'Uništite staru karticu: iznad navedenog posljednjeg broja nema praznine, pa bi prodaja na njoj ponovila broj ovog računala.',
  'what is marked "to do", then sudo fisk replace again':
    'ono što je označeno s „preostaje”, zatim ponovno sudo fisk replace',

  'The token of the gateway is missing.': 'Nedostaje token pristupnika.',
  'On the server: fisk gateway add NAME --again (or "New token" on the page of the gateway), then: sudo fisk replace URL TOKEN':
    'Na poslužitelju: fisk gateway add NAME --again (ili „Novi token” na stranici pristupnika), zatim: sudo fisk replace URL TOKEN',
}
