import { explainCodes } from '../sale/restrictive-codes.ts'
import { type AlertFacts, type AlertWords, isLost, salesOf, type WordsOfKinds } from './facts.ts'

const test = ({ isTest }: AlertFacts) => (isTest ? ' Riječ je o testnim računima.' : '')
function unconfirmed(facts: AlertFacts, title: string, more = ''): AlertWords {
  const { count, oldestAt, deadlineAt } = facts
  return {
    title: `${title} (${salesOf(facts)})`,
    what:
      `Porezna uprava još nije potvrdila račune. Broj računa: ${count}. Najstariji je izdan ${oldestAt}. ` +
      `Porezna uprava prima ga do ${deadlineAt}, a nakon toga više ne.${more}${test(facts)}`,
    todo:
      'Uređaji prodaju i dalje, a računi koji čekaju šalju se ponovno sami. Provjerite internetsku vezu uređaja. ' +
      'Zatim otvorite račune iz ovog upozorenja: na svakom piše zašto nije potvrđen.',
  }
}

const sale = (facts: AlertFacts) => {
  const id = facts.text('invoice_id')
  return id === '-' ? '' : ` (račun ${id})`
}

function certificate(facts: AlertFacts, title: string): AlertWords {
  const { company, notAfter } = facts
  return {
    title: `${title} (${company})`,
    what: `Certifikat tvrtke ${company} vrijedi do ${notAfter}. Bez valjanog certifikata njezini se računi ne mogu potvrditi.`,
    todo: 'Odmah zatražite novi certifikat od Fine jer izdavanje može potrajati. Zatim ga učitajte pod Tvrtke i certifikati.',
  }
}

export const hr: WordsOfKinds = {
  unconfirmed_legal: (facts) =>
    unconfirmed(facts, 'Računi nisu potvrđeni u zakonskom roku od dva radna dana', ' Zakonski rok su dva radna dana.'),
  unconfirmed_21: (facts) => unconfirmed(facts, 'Računi nisu potvrđeni već 21 dan'),
  unconfirmed_25: (facts) => unconfirmed(facts, 'Računi nisu potvrđeni već 25 dana', ' Ostaje najviše pet dana.'),
  unconfirmed_28: (facts) => unconfirmed(facts, 'Računi nisu potvrđeni već 28 dana', ' Ostaju najviše dva dana.'),
  invoices_expired: (facts) => ({
    title: `Računi se više ne mogu potvrditi (${salesOf(facts)})`,
    what:
      `Porezna uprava nije potvrdila račune u roku od 30 dana i više ih ne prima. Broj računa: ${facts.count}.` +
      test(facts),
    todo: 'Dogovorite s računovodstvom kako ih prijaviti. Zatim potvrdite ovo upozorenje jer ono ne završava samo.',
  }),
  invoices_failed: (facts) => {
    const explained = explainCodes(facts.restrictiveCodes, 'hr')
    const usual =
      TODO[facts.text('code')] ??
      'Otvorite jedan od računa kako biste vidjeli uzrok, uklonite ga i zatim odaberite „Pošalji ponovno”.'
    return {
      title: `Računi su odbijeni (${salesOf(facts)})`,
      what:
        `Računi nisu potvrđeni i ne šalju se ponovno sami. Broj računa: ${facts.count}. ` +
        `Najstariji je izdan ${facts.oldestAt} i može se potvrditi do ${facts.deadlineAt}. ` +
        [
          CAUSES[facts.text('code')] ?? `Oznaka uzroka: ${facts.text('code')}.`,
          ...explained.map(({ label, means }) => `${label}: ${means}`),
        ].join(' ') +
        test(facts),
      todo: [...explained.map(({ label, fix }) => `${label}: ${fix}`), ...(isLost(facts) ? [] : [usual])].join(' '),
    }
  },
  answers_believed: (facts) => ({
    title: `Računi se mogu ponovno poslati (${salesOf(facts)})`,
    what:
      'Odgovorima Porezne uprave opet se može vjerovati. Računi na koje je stigao nepouzdan odgovor čekaju da ih netko ' +
      `pošalje. Ukupno ih je: ${facts.count}. Najstariji je izdan ${facts.oldestAt} i može se potvrditi do ` +
      `${facts.deadlineAt}.${test(facts)}`,
    todo: 'Odaberite „Pošalji sve ponovno”: jednim se klikom šalju svi, a uređaji za to vrijeme prodaju dalje.',
  }),
  isu_mismatch: ({ device, company, ...facts }) => ({
    title: `Broj uređaja ne odgovara broju u Poreznoj upravi (${device})`,
    what:
      `Broj ${facts.text('isu_number')} samoposlužnog uređaja ${device} (${company}) nije onaj ` +
      'koji mu je dodijelio portal Porezne uprave.',
    todo: 'Usporedite ga s brojem na portalu Porezne uprave i ispravite ga pod Uređaji.',
  }),
  certificate_60: (facts) => certificate(facts, 'Certifikat istječe za manje od 60 dana'),
  certificate_30: (facts) => certificate(facts, 'Certifikat istječe za manje od 30 dana'),
  certificate_14: (facts) => certificate(facts, 'Certifikat istječe za manje od 14 dana'),
  certificate_7: (facts) => certificate(facts, 'Certifikat istječe za manje od 7 dana'),
  certificate_1: (facts) => certificate(facts, 'Certifikat istječe za manje od jednog dana'),
  certificate_expired: (facts) => ({
    title: `Certifikat je istekao (${facts.company})`,
    what: `Certifikat tvrtke ${facts.company} istekao je ${facts.notAfter}. Računi te tvrtke ne mogu se potvrditi.`,
    todo: 'Učitajte novi certifikat pod Tvrtke i certifikati. Računi koji čekaju tada će se poslati.',
  }),
  cis_down: (facts) => ({
    title: `Porezna uprava nije dostupna${facts.isTest ? ' (testna usluga)' : ''}`,
    what: `Njezina usluga ne odgovara od ${facts.since}. Uređaji prodaju i dalje, a računi koji čekaju šalju se kasnije.`,
    todo: 'Provjerite internetsku vezu. Ako je veza u redu, na stranici Pregled pogledajte stanje usluge.',
  }),
  printer_error: ({ device }) => ({
    title: `Pisač ne ispisuje (${device})`,
    what: `Pisač uređaja ${device} već deset minuta ne može ispisivati. Uređaj prodaje bez ispisanih računa.`,
    todo: 'Pogledajte pisač: je li uključen, je li kabel spojen, je li poklopac zatvoren i je li papir zaglavljen.',
  }),
  printer_out_of_paper: ({ device }) => ({
    title: `U pisaču nema papira (${device})`,
    what: `U pisaču uređaja ${device} već deset minuta nema papira. Uređaj prodaje bez ispisanih računa.`,
    todo: 'Umetnite novu rolu. Računi koji nisu ispisani mogu se ispisati kao kopije.',
  }),
  disk_short: (facts) => ({
    title: 'Na disku gotovo nema mjesta',
    what: DISK[facts.text('left_out')] ?? 'Na disku na koji se spremaju računi ostalo je malo mjesta.',
    todo: 'Zamolite tehničara da uskoro oslobodi prostor na ovom računalu.',
  }),
  clock_untrusted: (facts) => ({
    title: 'Sat ovog računala nije pouzdan',
    what: `${CLOCKS[facts.text('status')] ?? 'Sat možda ne pokazuje točno vrijeme.'} Na računima je vrijeme tog sata.`,
    todo: 'Zamolite tehničara da provjeri sat i poslužitelj točnog vremena.',
  }),
  address_missing: (facts) => ({
    title: `Ovo računalo više nema adresu ${facts.text('address')}`,
    what:
      `Uređaji koji prodaju preko mreže ne mogu doći do programa fiskd na adresi ${facts.text('address')}. Uređaji koji ` +
      'koriste drugu adresu prodaju i dalje.',
    todo:
      'Provjerite mrežni kabel i usmjernik. Ako usmjernik sada dodjeljuje drugu adresu, zamolite tehničara da ga namjesti ' +
      'tako da uvijek dodjeljuje istu.',
  }),
  number_far_ahead: (facts) => ({
    title: `Broj računa bio je prevelik (${facts.text('premises_code')})`,
    what:
      `Uređaj u poslovnom prostoru ${facts.text('premises_code')} (${facts.company}) izdao je račun s vlastitim brojem ` +
      `${facts.text('number')}${sale(facts)}. Račun vrijedi, a sljedeći brojevi nastavljaju se ` +
      `tamo gdje su stali. Ukupno takvih brojeva: ${facts.count}.${test(facts)}`,
    todo:
      'Zamolite tehničara da utvrdi zašto uređaj šalje takve brojeve. Ako to nitko ne može objasniti, opozovite njegov ' +
      'API ključ. Zatim potvrdite ovo upozorenje.',
  }),
  numbers_used_up: (facts) => ({
    title: `Brojevi računa gotovo su potrošeni (${facts.text('premises_code')})`,
    what:
      `Brojevi računa poslovnog prostora ${facts.text('premises_code')} (${facts.company}) došli su do ` +
      `${facts.text('highest')}. Preostalo brojeva: ${facts.text('left')}. Kad ih više ne bude, prodaja do kraja godine ` +
      `nije moguća.${test(facts)}`,
    todo:
      'Nijedan uređaj ne prodaje toliko: do toga je doveo jedan prevelik broj. Zamolite tehničara da na računalu pokrene ' +
      '„fisk numbers heal”: brojanje se tada nastavlja tamo gdje je stalo.',
  }),
  backup_overdue: ({ lastAt }) => ({
    title: 'Nema novije sigurnosne kopije',
    what: `${lastAt === '-' ? 'Sigurnosna kopija još nije napravljena.' : `Zadnja sigurnosna kopija napravljena je ${lastAt}.`} Ako se disk pokvari, gubi se sve što je otada prodano.`,
    todo: 'Zamolite tehničara da napravi sigurnosnu kopiju na drugom disku i uključi svakodnevnu.',
  }),
  gateway_silent: (facts) => ({
    title: `Pristupnik se ne javlja (${facts.gateway})`,
    what:
      `Pristupnik ${facts.gateway} ne javlja se dulje od 15 minuta. Možda i dalje prodaje.` +
      (facts.number('without_jir') > 0
        ? ` Ima račune koje Porezna uprava nije potvrdila: ${facts.number('without_jir')}. Njihov rok teče.`
        : ''),
    todo: 'Provjerite ima li struje i internetske veze.',
  }),
  gateway_duplicated: ({ gateway }) => ({
    title: `Dva računala koriste identitet istog pristupnika (${gateway})`,
    what: `Dva se računala predstavljaju kao pristupnik ${gateway}. Podaci se ne primaju ni od jednog.`,
    todo: 'Zamolite tehničara da jedno isključi, a drugo ponovno prijavi.',
  }),
  sync_refused: ({ gateway }) => ({
    title: `Zapisi pristupnika su odbijeni (${gateway})`,
    what: `Nešto što je poslao pristupnik ${gateway} ovdje se nije moglo spremiti. Kod njega je sačuvano.`,
    todo: 'Otvorite taj pristupnik pod Pristupnici: ondje piše koji su to zapisi i zašto su odbijeni.',
  }),
  fleet_conflict: (facts) => ({
    title: `Više uređaja ima ${facts.text('what') === 'label' ? 'istu oznaku' : 'isti broj'} (${facts.text('value')})`,
    what:
      facts.text('what') === 'label'
        ? `Uređaji različitih pristupnika imaju oznaku ${facts.text('value')}.`
        : `Uređaji različitih pristupnika imaju isti broj s portala Porezne uprave: ${facts.text('value')}.`,
    todo: 'Utvrdite kojem uređaju pripada i ispravite ostale pod Uređaji.',
  }),
  numbers_doubtful: (facts) => ({
    title: 'Središnji poslužitelj javlja dvojbene brojeve računa',
    what:
      `Središnji poslužitelj javlja da je ovdje već izdan račun s višim brojem (poslovni prostor ${facts.text('premises')}, ` +
      `broj ${facts.text('number')}). Ovo računalo tome ne vjeruje: broj je daleko iznad posljednjeg ili poruku nije ` +
      'potpisao poslužitelj. Prodaja ide dalje, s vlastitim brojevima.',
    todo:
      'Usporedite broj s posljednjim ispisanim računom. Ako je točan, neka ga tehničar potvrdi; ako nije, neka provjeri ' +
      'poslužitelj.',
  }),
  sign_ins_failed: (facts) => ({
    title: 'Mnogo neuspjelih prijava',
    what:
      `Na nadzornu ploču netko se neuspješno pokušao prijaviti najmanje ${facts.number('count')} puta u ` +
      `${facts.number('minutes')} minuta. Možda netko isprobava lozinke. Prodaja se nastavlja.`,
    todo:
      'Otvorite Dnevnik radnji: ondje piše o kojim je korisnicima i mrežnim adresama riječ. Ako nitko od vaših ljudi nije ' +
      'pogriješio u lozinki, zamolite tehničara da pronađe taj uređaj i isključi ga iz mreže.',
  }),
  mail_failed: (facts) => ({
    title: `E-pošta ne stiže (${facts.text('recipient')})`,
    what: `Upozorenja se nisu mogla poslati na adresu ${facts.text('recipient')}. Odgovor poslužitelja e-pošte: ${facts.text('answer')}`,
    todo: 'Provjerite adresu. Ako je točna, zamolite tehničara da provjeri postavljeni poslužitelj e-pošte.',
  }),
  other: () => ({
    title: 'Nešto zahtijeva pozornost',
    what: 'Novija inačica programa fiskd javila je nešto za što ova još nema tekst.',
    todo: 'Otvorite upozorenje kako biste vidjeli pojedinosti i ažurirajte ovaj fiskd.',
  }),
}

const CAUSES: Record<string, string> = {
  upstream_rejected: 'Porezna uprava ih je odbila.',
  upstream_signature_invalid: 'Nije dokazano da je odgovor stigao od Porezne uprave.',
  'hr.certificate_oib_mismatch': 'Certifikat ne pripada ovoj tvrtki.',
  certificate_expired: 'Certifikat tvrtke je istekao.',
  company_missing_certificate: 'Tvrtka nema certifikat.',
}

const TODO: Record<string, string> = {
  upstream_signature_invalid:
    'Zamolite tehničara da na uređaju pokrene „fisk doctor”: ondje piše što s odgovorima nije u redu. Čim im se opet bude ' +
    'moglo vjerovati, javit ćemo vam, a sve te račune tada šaljete jednim klikom.',
}

const DISK: Record<string, string> = {
  logs: 'Na disku na koji se spremaju računi ostalo je malo mjesta. Zapisi o radu već se izostavljaju.',
  messages: 'Na disku na koji se spremaju računi gotovo nema mjesta. Poruke se više ne arhiviraju.',
  sales: 'Na disku više nema mjesta: prodaja nije moguća.',
}

const CLOCKS: Record<string, string> = {
  behind: 'Kasni za vremenom koje je već zabilježeno.',
  off: 'Pokazuje drukčije vrijeme od Porezne uprave ili poslužitelja točnog vremena.',
  jumped: 'Pomaknut je dok je fiskd radio.',
  unsynchronised: 'Nisu ga potvrdili ni poslužitelj točnog vremena ni Porezna uprava.',
}
