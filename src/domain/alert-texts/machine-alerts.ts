import { type AlertFacts, type InLanguages, noteOfTest, salesOf, type WordsOfKinds } from './alert-facts.ts'

/** The machine and what it needs: the service of the tax authority, printers, disk, clock, network, backups, mail. */
export const machineWords = {
  cis_down: {
    hr: (facts) => ({
      title: `Porezna uprava nije dostupna${facts.isTest ? ' (testna usluga)' : ''}`,
      what: `Njezina usluga ne odgovara od ${facts.since}. Uređaji prodaju i dalje, a računi koji čekaju šalju se kasnije.`,
      todo: 'Provjerite internetsku vezu. Ako je veza u redu, na stranici Pregled pogledajte stanje usluge.',
    }),
    en: (facts) => ({
      title: `The tax authority cannot be reached${facts.isTest ? ' (test service)' : ''}`,
      what: `Its service has not answered since ${facts.since}. Machines go on selling, and what waits is sent later.`,
      todo: 'Check the internet connection. If it works, see the state of the service on the page Overview.',
    }),
  },
  machine_silent: {
    hr: (facts) => ({
      title:
        facts.count > 1
          ? `Uređaji neuobičajeno dugo ne prodaju: ${facts.count} (${salesOf(facts)})`
          : `Uređaj neuobičajeno dugo ne prodaje (${facts.device})`,
      what:
        `Uređaj ${facts.device} nije izdao nijedan račun od ${facts.since}. Inače ih izda oko ` +
        `${facts.number('sales_per_week')} tjedno, a najdulja stanka u šest tjedana prije toga trajala je ` +
        `${facts.number('longest_pause_hours')} h.${othersOf.hr(facts)}${noteOfTest.hr(facts)}`,
      todo:
        'Provjerite ima li uređaj struje i robe, prima li novac i kartice i prikazuje li pogrešku. Ako je namjerno ' +
        'izvan rada, obustavite ga na njegovoj stranici. Upozorenje se zatvara nakon sljedeće prodaje.',
    }),
    en: (facts) => ({
      title:
        facts.count > 1
          ? `Machines have sold nothing for unusually long: ${facts.count} (${salesOf(facts)})`
          : `A machine has sold nothing for unusually long (${facts.device})`,
      what:
        `${facts.device} has issued no invoice since ${facts.since}. It usually issues about ` +
        `${facts.number('sales_per_week')} a week, and its longest pause in the six weeks before was ` +
        `${facts.number('longest_pause_hours')} h.${othersOf.en(facts)}${noteOfTest.en(facts)}`,
      todo:
        'Check that the machine has power and goods, takes money and cards, and shows no error. If it is out of use on ' +
        'purpose, suspend it on its page. The alert closes after the next sale.',
    }),
  },
  printer_error: {
    hr: ({ device }) => ({
      title: `Pisač ne ispisuje (${device})`,
      what: `Pisač uređaja ${device} već deset minuta ne može ispisivati. Uređaj prodaje bez ispisanih računa.`,
      todo: 'Pogledajte pisač: je li uključen, je li kabel spojen, je li poklopac zatvoren i je li papir zaglavljen.',
    }),
    en: ({ device }) => ({
      title: `A printer does not print (${device})`,
      what: `The printer of ${device} has not been able to print for ten minutes. The machine sells without receipts.`,
      todo: 'Look at the printer: is it on, its cable plugged in, its cover closed, no paper jammed?',
    }),
  },
  printer_out_of_paper: {
    hr: ({ device }) => ({
      title: `U pisaču nema papira (${device})`,
      what: `U pisaču uređaja ${device} već deset minuta nema papira. Uređaj prodaje bez ispisanih računa.`,
      todo: 'Umetnite novu rolu. Računi koji nisu ispisani mogu se ispisati kao kopije.',
    }),
    en: ({ device }) => ({
      title: `A printer is out of paper (${device})`,
      what: `The printer of ${device} has had no paper for ten minutes. The machine sells without receipts.`,
      todo: 'Load a new roll. Receipts that were not printed can be printed as copies.',
    }),
  },
  disk_short: {
    hr: (facts) => ({
      title: 'Na disku gotovo nema mjesta',
      what: DISK.hr[facts.text('left_out')] ?? 'Na disku na koji se spremaju računi ostalo je malo mjesta.',
      todo: 'Zamolite tehničara da što prije oslobodi prostor na ovom računalu.',
    }),
    en: (facts) => ({
      title: 'The disk is nearly full',
      what: DISK.en[facts.text('left_out')] ?? 'There is little room left where sales are stored.',
      todo: 'Have your technician free some space on this machine soon.',
    }),
  },
  clock_untrusted: {
    hr: (facts) => ({
      title: 'Sat ovog računala nije pouzdan',
      what: `${CLOCKS.hr[facts.text('status')] ?? 'Sat možda ne pokazuje točno vrijeme.'} Na računima piše vrijeme koje pokazuje taj sat.`,
      todo: 'Zamolite tehničara da provjeri sat i poslužitelj točnog vremena.',
    }),
    en: (facts) => ({
      title: 'The clock of this machine cannot be relied on',
      what: `${CLOCKS.en[facts.text('status')] ?? 'It may not show the right time.'} Sales carry the time of this clock.`,
      todo: 'Have your technician check the clock and its time server.',
    }),
  },
  address_missing: {
    hr: (facts) => ({
      title: `Ovo računalo više nema adresu ${facts.text('address')}`,
      what:
        `Uređaji koji prodaju preko mreže ne mogu se povezati s programom fiskd na adresi ${facts.text('address')}. Uređaji koji ` +
        'koriste drugu adresu prodaju i dalje.',
      todo:
        'Provjerite mrežni kabel i usmjernik. Ako usmjernik sada dodjeljuje drugu adresu, zamolite tehničara da ga podesi ' +
        'tako da uvijek dodjeljuje istu.',
    }),
    en: (facts) => ({
      title: `This computer has lost the address ${facts.text('address')}`,
      what:
        `Machines that sell over the network cannot reach fiskd at ${facts.text('address')} any more. Those that use ` +
        'another address sell on.',
      todo:
        'Check the network cable and the router. If the router gives out another address now, have your technician make ' +
        'it give the same one each time.',
    }),
  },
  backup_overdue: {
    hr: ({ lastAt }) => ({
      title: 'Nema novije sigurnosne kopije',
      what: `${lastAt === '-' ? 'Sigurnosna kopija još nije napravljena. Ako se disk pokvari, gube se podaci o svim računima.' : `Posljednja sigurnosna kopija napravljena je ${lastAt}. Ako se disk pokvari, gube se podaci o svim računima izdanima nakon toga.`}`,
      todo: 'Zamolite tehničara da napravi sigurnosnu kopiju na drugom disku i uključi svakodnevno spremanje.',
    }),
    en: ({ lastAt }) => ({
      title: 'There is no recent backup',
      what: `${lastAt === '-' ? 'No backup was ever made.' : `The last backup was made on ${lastAt}.`} If the disk breaks, what was sold since then is lost.`,
      todo: 'Have your technician make a backup on another disk, and switch on the daily one.',
    }),
  },
  sign_ins_failed: {
    hr: (facts) => ({
      title: 'Mnogo neuspjelih prijava',
      what:
        `Broj neuspjelih prijava na nadzornu ploču u ${facts.number('minutes')} min: najmanje ${facts.number('count')}. ` +
        'Možda netko isprobava lozinke. Prodaja se nastavlja.',
      todo:
        'Otvorite Dnevnik radnji: ondje piše o kojim je korisnicima i mrežnim adresama riječ. Ako nitko od korisnika nije ' +
        'pogriješio pri upisu lozinke, zamolite tehničara da pronađe računalo s tom mrežnom adresom i isključi ga iz mreže.',
    }),
    en: (facts) => ({
      title: 'Many sign-ins have failed',
      what:
        `At least ${facts.number('count')} sign-ins to the dashboard have failed within ${facts.number('minutes')} minutes. ` +
        'Somebody may be trying out passwords. Sales go on.',
      todo:
        'Open the audit log: it says which users and which addresses of the network it was. If none of your people has ' +
        'mistyped a password, have your technician find that device and take it off the network.',
    }),
  },
} satisfies Partial<WordsOfKinds>

/** Machines besides the first one of an alert: the names of some, and how many more there are. */
const othersOf: InLanguages<(facts: AlertFacts) => string> = {
  hr: (facts) => listed(facts, 'Isto vrijedi i za', 'i još'),
  en: (facts) => listed(facts, 'Others, too, have sold nothing for unusually long:', 'and more:'),
}

function listed(facts: AlertFacts, before: string, more: string): string {
  const named = facts.number('others_named')
  if (named === 0) return ''
  const unnamed = facts.count - 1 - named
  return ` ${before} ${facts.text('others')}${unnamed > 0 ? ` ${more} ${unnamed}` : ''}.`
}

const DISK: InLanguages<Record<string, string>> = {
  hr: {
    logs: 'Na disku na koji se spremaju računi ostalo je malo mjesta. Zapisi o radu već se izostavljaju.',
    messages: 'Na disku na koji se spremaju računi gotovo nema mjesta. Poruke se više ne arhiviraju.',
    sales: 'Na disku više nema mjesta: prodaja nije moguća.',
  },
  en: {
    logs: 'There is little room left where sales are stored. Log lines are left out already.',
    messages: 'There is hardly any room left where sales are stored. Messages are not archived any more.',
    sales: 'There is no room left: nothing can be sold.',
  },
}

const CLOCKS: InLanguages<Record<string, string>> = {
  hr: {
    behind: 'Kasni za vremenom koje je već zabilježeno.',
    off: 'Pokazuje drukčije vrijeme od Porezne uprave ili poslužitelja točnog vremena.',
    jumped: 'Pomaknut je dok je fiskd radio.',
    unsynchronised: 'Nisu ga potvrdili ni poslužitelj točnog vremena ni Porezna uprava.',
  },
  en: {
    behind: 'It is behind what was stored before.',
    off: 'It shows another time than the tax authority or a time server.',
    jumped: 'It was set while fiskd ran.',
    unsynchronised: 'Neither a time server nor the tax authority has confirmed it.',
  },
}
