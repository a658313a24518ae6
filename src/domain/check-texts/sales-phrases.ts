import { FISCAL_ERRORS, type FiscalErrorCode } from '../sale/invoice.ts'

/** Sales, their numbers, receipts, printers, companies and devices. */
export const SALES_PHRASES: Readonly<Record<string, string>> = {
  'there is none': 'nema ih',
  '{count} of tenant {tenant} with {code}: {found}': 'računa s oznakom {code}, organizacija {tenant}: {count}. {found}',
  '{count} with {code}: {found}': 'računa s oznakom {code}: {count}. {found}',
  '{count} can be sent again, for answers are believed again':
    'mogu se ponovno poslati jer se odgovorima opet vjeruje, ukupno: {count}',
  'send all of them: {command}': 'pošaljite sve: {command}',
  'see what "CIS signature" says': 'pogledajte što piše uz „potpis odgovora”',
  'when answers are believed again: {command}': 'kad se odgovorima opet bude vjerovalo: {command}',
  'bring the connection to CIS back: each of them is sent by itself then, and can be for 30 days':
    'uspostavite vezu s CIS-om: računi se tada šalju sami, a rok je 30 dana',
  '{count} wait longer than the two working days that the law allows':
    'računa koji čekaju dulje od zakonskog roka od dva radna dana: {count}',
  'look at the log for what CIS answers: journalctl -u fiskd':
    'u zapisniku pogledajte što CIS odgovara: journalctl -u fiskd',
  'send one now: fisk invoice retry ID': 'pošaljite jedan odmah: fisk invoice retry ID',
  '{count} wait for more than an hour, although CIS answers':
    'računa koji čekaju dulje od sat vremena iako CIS odgovara: {count}',
  '{count} will be sent by themselves': 'računa koji će se poslati sami: {count}',
  'none in the last 30 days, {count} before': 'nijedan u posljednjih 30 dana, prije toga ukupno: {count}',
  'tell your accountant and the tax authority: these sales were never fiscalized and cannot be any more':
    'obavijestite računovodstvo i Poreznu upravu: ti računi nisu fiskalizirani i više ne mogu biti',
  'keep their records': 'sačuvajte podatke o njima',
  '{count} got no JIR within 30 days: number {numbers}':
    'računa bez JIR-a u roku od 30 dana: {count}, brojevi {numbers}',
  '{minutes} minutes ago': 'prije {minutes} min',
  'a pass is under way': 'slanje je u tijeku',
  'ended {ago}': 'završilo {ago}',
  begun: 'počelo je',
  'the last pass ended {ago}: nothing is sent again': 'posljednje slanje završilo je {ago}: ništa se ne šalje ponovno',
  'restart fiskd: systemctl restart fiskd': 'ponovno pokrenite fiskd: systemctl restart fiskd',

  'every premises has numbers left, and none was supplied far ahead':
    'svaki poslovni prostor ima slobodnih brojeva, a nijedan uređaj nije poslao prevelik broj',
  '{place}: used up, so it cannot sell': '{place}: iskorišteni su, pa prodaja nije moguća',
  '{place}: after {highest} only {left} are left': '{place}: nakon broja {highest} preostalo je još {left}',
  'have it count on from where it was: fisk numbers heal OIB PREMISES':
    'nastavite numeraciju ondje gdje je stalo: fisk numbers heal OIB PREMISES',
  'and {count} more': 'i još {count}',
  'the database holds the latest sale of every premises':
    'baza podataka ima posljednji račun svakog poslovnog prostora',
  'the database lacks sales of premises {place} that were issued, so nothing is sold there: {found}':
    'baza podataka nema već izdane račune poslovnog prostora {place}, pa ondje prodaja nije moguća: {found}',
  'restore a newer copy of the database: fisk restore FILE': 'vratite noviju kopiju baze podataka: fisk restore FILE',
  'or go on above these numbers: fisk numbers skip-lost OIB PREMISES':
    'ili nastavite iznad tih brojeva: fisk numbers skip-lost OIB PREMISES',
  'the record of issued sales: {why}': 'zapis o izdanim računima: {why}',
  'it is missing': 'nema ga',
  'it is about another database': 'pripada drugoj bazi podataka',
  'a part of it is not as it was written': 'dio nije onakav kakav je zapisan',
  'it cannot be read ({code})': 'ne može se pročitati ({code})',
  'it cannot be written ({code})': 'ne može se zapisati ({code})',
  'look at the disk (dmesg), and at who changes files in the data directory':
    'pregledajte disk (dmesg) i provjerite tko mijenja datoteke u podatkovnoj mapi',
  'a caller supplied a number far ahead, which counting does not follow: {found}':
    'uređaj je poslao prevelik broj, koji numeracija preskače: {found}',
  'find out why the machine sends such numbers': 'utvrdite zašto uređaj šalje takve brojeve',
  'if nobody can explain it, revoke its API key: fisk key revoke ID':
    'ako to nitko ne može objasniti, opozovite njegov API ključ: fisk key revoke ID',

  '{entries} sale of {journals} premises, each sealed to the one before it':
    'računa: {entries}, poslovnih prostora: {journals}; svaki je račun vezan uz prethodni',
  '{entries} sales of {journals} premises, each sealed to the one before it':
    'računa: {entries}, poslovnih prostora: {journals}; svaki je račun vezan uz prethodni',
  '{place}, position {position}: {why}': '{place}, mjesto {position}: {why}',
  'a sale that named its own number passed over {numbers}': 'račun s vlastitim brojem preskočio je {numbers}',
  'nothing is closed yet': 'još nema zaključaka',
  'the latest {count} are the sums of their invoices':
    'zaključci odgovaraju svojim računima, provjereno posljednjih: {count}',
  'closings are not the sums of their invoices: {found}': 'zaključci ne odgovaraju svojim računima: {found}',
  '{unit} {day} of {place}, number {number}: {why}': '{unit} {day}, {place}, broj {number}: {why}',
  'its text cannot be read': 'zapis se ne može pročitati',
  'the list of its invoices cannot be read': 'popis njegovih računa ne može se pročitati',
  'the invoice {id} has no JIR any more': 'račun {id} više nema JIR',
  'the invoice {id} is not there any more': 'računa {id} više nema',
  'it holds another number of invoices': 'broj računa u njemu nije isti',
  'its sums are not those of its invoices': 'zbrojevi nisu jednaki zbrojevima računa',
  'the database was changed from outside: keep a copy of it, and compare it with the latest good backup':
    'bazu podataka izmijenilo je nešto mimo programa fiskd: sačuvajte njezinu kopiju i usporedite je s posljednjom ispravnom sigurnosnom kopijom',
  'no number is missing': 'nijedan broj ne nedostaje',
  'no number is missing, but for those reserved when a backup was restored':
    'nijedan broj ne nedostaje, osim onih koji su rezervirani pri vraćanju sigurnosne kopije',
  'write down in the records of the premises why these numbers were never issued':
    'u evidenciji poslovnog prostora zapišite zašto ti brojevi nisu izdani',
  'what is searched by says what was issued': 'podaci za pretraživanje odgovaraju izdanim računima',
  'the sums of each day and month are those of its sales': 'zbrojevi svakog dana i mjeseca jednaki su prodaji',
  'they are not those of the sales on {found}': 'ne odgovaraju prodaji za {found}',
  'columns and document differ in {found}': 'podaci za pretraživanje razlikuju se od računa: {found}',
  'no two sales have the same': 'svaki račun ima vlastiti JIR',
  'more than one sale has {found}': 'isti JIR na više računa: {found}',

  '{line} is set differently for {labels}: only one of them can have it':
    'priključak {line} drukčije je postavljen za {labels}: može ga imati samo jedan',
  'give both the same profile and settings, or one another line: fisk printer set DEVICE --line LINE':
    'postavite obama isti profil i postavke ili jednomu drugi priključak: fisk printer set DEVICE --line LINE',
  'look at the printer, then: fisk printer test DEVICE': 'pogledajte pisač, a zatim: fisk printer test DEVICE',
  'it is ready': 'spreman je',
  'it cannot be asked': 'ne može se provjeriti',
  'none was lost of the last {count} in 24 hours': 'u posljednja 24 sata ispisani su svi, ukupno: {count}',
  'for no reason that is known': 'uzrok nije poznat',
  'mend the printer': 'popravite pisač',
  'a customer who asks gets a copy: fisk receipt print ID': 'kupcu koji zatraži ispišite kopiju: fisk receipt print ID',
  '{lost} of the last {count} did not come out: {why}': 'nije ispisano {lost} od posljednjih {count}: {why}',

  'it says what the law wants': 'sadrži sve što zakon propisuje',
  'it lacks the address of {name}': 'nema adrese tvrtke {name}',
  'it lacks the place of sale: where {label} stands': 'nema mjesta prodaje: adresa na kojoj stoji {label}',
  'set `default_vat_rate` in the fiscal_config of the company, or send `vat` with each sale':
    'postavite zadanu stopu PDV-a tvrtke (`default_vat_rate`) ili uz svaku prodaju pošaljite PDV (`vat`)',
  'the last one said nothing about VAT, and the issuer is in the VAT system':
    'na posljednjem nema PDV-a, a tvrtka je u sustavu PDV-a',
  'it leaves out what was set: {problem}': 'izostavlja ono što je postavljeno: {problem}',
  'set it again, as docs/technician.md says': 'postavite to ponovno, kako piše u docs/technician.md',

  'none of its own: this server collects what its gateways sell':
    'nema vlastitih tvrtki: ovaj poslužitelj prikuplja račune svojih pristupnika',
  'fisk init, or: fisk company add --oib OIB --name NAME': 'fisk init ili: fisk company add --oib OIB --name NAME',
  'there is no active company: nothing can be sold': 'nema nijedne aktivne tvrtke: prodaja nije moguća',
  '{count} active': 'aktivnih: {count}',
  'there is no active device: nothing can be sold': 'nema nijednog aktivnog uređaja: prodaja nije moguća',
  'every device that needs one has one': 'ima ga svaki uređaj kojem je potreban',
  'register the premises of the device in the portal of the tax authority (ePorezna), which gives the number':
    'prijavite poslovni prostor uređaja u ePoreznoj, koja dodjeljuje broj',
  'then: fisk isu set LABEL NUMBER': 'zatim: fisk isu set LABEL NUMBER',
  'no device can sell, all lack theirs: {found}':
    'prodaja nije moguća ni na jednom uređaju jer nemaju ISU broj: {found}',
  'cannot sell for want of theirs: {found}': 'prodaja nije moguća jer nemaju ISU broj: {found}',
  'CIS has objected to none': 'CIS nije osporio nijedan',
  'CIS knows other data (codes 182 to 184) of {found}': 'CIS ima druge podatke (šifre 182 do 184): {found}',
  '{label} (premises {premises}, ISU {isu})': '{label} (poslovni prostor {premises}, ISU broj {isu})',
  'compare premises code and ISU number with the portal of the tax authority (ePorezna), correct what is wrong, and enter the right number: fisk isu set LABEL NUMBER':
    'usporedite oznaku poslovnog prostora i ISU broj s podacima u ePoreznoj, ispravite što je pogrešno i upišite točan broj: fisk isu set LABEL NUMBER',
  'a sale that was refused keeps what it was made with: if the portal was wrong, then: fisk invoice retry --failed --code upstream_rejected':
    'odbijeni račun zadržava svoje podatke: ako je pogrešna bila prijava u ePoreznoj, zatim: fisk invoice retry --failed --code upstream_rejected',
  'there is one for every device': 'ima ga svaki uređaj',
  'no key lets the firmware of these sell: {found}': 'nema ključa s kojim bi mogli prodavati: {found}',

  'no mail server is set: alerts stand on the dashboard and in fisk alert list':
    'poslužitelj e-pošte nije postavljen: upozorenja su na nadzornoj ploči i u naredbi fisk alert list',
  'the mail server cannot be used: {answer}': 'poslužitelj e-pošte ne može se koristiti: {answer}',
  'set FISKD_SMTP_URL in /etc/fiskd/fiskd.env, restart fiskd, then: fisk alert test':
    'postavite FISKD_SMTP_URL u /etc/fiskd/fiskd.env, ponovno pokrenite fiskd, a zatim: fisk alert test',
  'mend it, or {fix}': 'popravite ga ili {fix}',
  '{answer}; alerts go to {count} address': '{answer}; adresa na koje stižu upozorenja: {count}',
  '{answer}; alerts go to {count} addresses': '{answer}; adresa na koje stižu upozorenja: {count}',
  '{answer}, but nobody is told of alerts': '{answer}, ali upozorenja nikomu ne stižu',
  'give a user a mail address, or set FISKD_ALERT_TO': 'upišite korisniku adresu e-pošte ili postavite FISKD_ALERT_TO',
}

/** Why an invoice has no JIR, and what to do about it (`FISCAL_ERRORS`). */
const OF_INVOICES: Record<FiscalErrorCode, { means: string; fix: string }> = {
  upstream_unavailable: {
    means: 'Porezna uprava nije bila dostupna ili od nje nije stiglo ništa čemu se može vjerovati.',
    fix: 'Ne treba ništa učiniti dok je `retry_scheduled` true: račun se ponovno šalje sam. Nakon 30 dana rok mu istječe (`expired`).',
  },
  upstream_rejected: {
    means: 'Porezna uprava odbila je poruku. U polju `message` piše zašto.',
    fix: 'Uklonite uzrok (uređaj, tvrtka, postavke), a zatim ponovno pošaljite račun prije roka `deadline_at`.',
  },
  upstream_signature_invalid: {
    means: 'Nije dokazano da je odgovor stigao od Porezne uprave, pa se njegovu JIR-u ne vjeruje.',
    fix:
      'Na pristupniku pokrenite `fisk doctor`: ondje piše što s odgovorima nije u redu. Kad im se opet bude vjerovalo, sve ' +
      'te račune pošaljite naredbom `fisk invoice retry --failed --code upstream_signature_invalid`.',
  },
  'hr.certificate_oib_mismatch': {
    means: 'Prema Poreznoj upravi OIB na računu nije OIB iz certifikata.',
    fix: 'Učitajte certifikat ove tvrtke, a zatim ponovno pošaljite račun prije roka `deadline_at`.',
  },
  certificate_expired: {
    means: 'Certifikat tvrtke nije bio valjan kad se račun ponovno slao.',
    fix: 'Učitajte valjan certifikat, a zatim ponovno pošaljite račun prije roka `deadline_at`.',
  },
  company_missing_certificate: {
    means: 'Tvrtka nije imala certifikat kad se račun ponovno slao.',
    fix: 'Učitajte certifikat, a zatim ponovno pošaljite račun prije roka `deadline_at`.',
  },
}

export const INVOICE_PHRASES: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(OF_INVOICES) as FiscalErrorCode[]).flatMap((code) => [
    [FISCAL_ERRORS[code].means, OF_INVOICES[code].means],
    [FISCAL_ERRORS[code].fix, OF_INVOICES[code].fix],
  ]),
)
