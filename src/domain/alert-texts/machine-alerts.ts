import { plural } from '../texts/plural.ts'
import { type AlertFacts, type InLanguages, noteOfTest, salesOf, type WordsOfKinds } from './alert-facts.ts'

export const machineWords = {
  cis_down: {
    hr: (facts) => ({
      title: `Porezna uprava nije dostupna${facts.isTest ? ' (testna usluga)' : ''}`,
      what: `Njezina usluga ne odgovara od ${facts.since}. Uređaji prodaju i dalje, a računi koji čekaju šalju se kasnije.`,
      todo: 'Provjerite internetsku vezu. Ako je veza u redu, na stranici Pregled pogledajte stanje usluge.',
    }),
    en: (facts) => ({
      title: `The tax authority cannot be reached${facts.isTest ? ' (test service)' : ''}`,
      what: `Its service has not answered since ${facts.since}. Devices continue to sell, and waiting invoices are sent later.`,
      todo: 'Check the internet connection. If it works, see the state of the service on the page Overview.',
    }),
  },
  machine_silent: {
    hr: (facts) => ({
      title:
        facts.count > 1
          ? `Uređaji neuobičajeno dugo ne prodaju: ${facts.count} (${salesOf(facts)})`
          : `Uređaj neuobičajeno dugo ne prodaje (${facts.device})`,
      what: facts.is('is_table')
        ? `Ovi uređaji nisu izdali nijedan račun neuobičajeno dugo, s obzirom na svoju prodaju u šest tjedana prije toga.${noteOfTest.hr(facts)}`
        : `Uređaj ${facts.device} nije izdao nijedan račun od ${facts.since}. Inače ih izda oko ` +
          `${facts.number('sales_per_week')} tjedno, a najdulja stanka u šest tjedana prije toga trajala je ` +
          `${hours(facts.number('longest_pause_hours'))}.${othersOf.hr(facts)}${noteOfTest.hr(facts)}`,
      todo:
        'Provjerite ima li uređaj struje i robe, prima li novac i kartice i prikazuje li pogrešku. Ako je namjerno ' +
        'izvan rada, obustavite ga na njegovoj stranici. Upozorenje se zatvara nakon sljedeće prodaje.',
    }),
    en: (facts) => ({
      title:
        facts.count > 1
          ? `Devices have sold nothing for an unusually long time: ${facts.count} (${salesOf(facts)})`
          : `A device has sold nothing for an unusually long time (${facts.device})`,
      what: facts.is('is_table')
        ? `These devices have issued no invoice for unusually long, by what they sold in the six weeks before.${noteOfTest.en(facts)}`
        : `${facts.device} has issued no invoice since ${facts.since}. It usually issues about ` +
          `${facts.number('sales_per_week')} a week, and its longest pause in the six weeks before was ` +
          `${facts.number('longest_pause_hours')} h.${othersOf.en(facts)}${noteOfTest.en(facts)}`,
      todo:
        'Check that the device has power and goods, takes money and cards, and shows no error. If it is out of use on ' +
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
      what: `The printer of ${device} has not been able to print for ten minutes. The device sells without receipts.`,
      todo: 'Check that the printer is on, its cable is plugged in, its cover is closed, and no paper is jammed.',
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
      what: `The printer of ${device} has had no paper for ten minutes. The device sells without receipts.`,
      todo: 'Load a new roll. Receipts that were not printed can be printed as copies.',
    }),
  },
  printer_paper_low: {
    hr: (facts) => ({
      title: `Papir u pisaču je pri kraju (${facts.device})`,
      what: `U pisaču uređaja ${facts.device} papir je pri kraju.${receiptsLeft.hr(facts)} Uređaj zasad ispisuje račune.`,
      todo: 'Uskoro umetnite novu rolu. Upozorenje se zatvara nakon zamjene.',
    }),
    en: (facts) => ({
      title: `A printer is low on paper (${facts.device})`,
      what: `The paper in the printer of ${facts.device} is near its end.${receiptsLeft.en(facts)} The device still prints receipts.`,
      todo: 'Load a new roll soon. The alert closes when it is loaded.',
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
      what: DISK.en[facts.text('left_out')] ?? 'Little space is left on the disk where invoices are stored.',
      todo: 'Have your technician free some space on this computer as soon as possible.',
    }),
  },
  disk_slow: {
    hr: () => ({
      title: 'Memorijska kartica ili disk sporo sprema',
      what: 'Spremanje svakog zapisa već neko vrijeme traje dulje od jedne sekunde. Svaka prodaja čeka barem dva takva zapisa.',
      todo: 'Kartica je vjerojatno istrošena. Izradite sigurnosnu kopiju i zamijenite karticu.',
    }),
    en: () => ({
      title: 'The memory card or disk is slow',
      what: 'For some time, each write has taken more than a second to be stored. Every sale waits for two of them at least.',
      todo: 'The card is probably worn out. Make a backup, and replace the card.',
    }),
  },
  clock_untrusted: {
    hr: (facts) => ({
      title: 'Sat ovog računala nije pouzdan',
      what: `${CLOCKS.hr[facts.text('status')] ?? 'Sat možda ne pokazuje točno vrijeme.'} Na računima piše vrijeme koje pokazuje taj sat.`,
      todo: 'Zamolite tehničara da provjeri sat i poslužitelj točnog vremena.',
    }),
    en: (facts) => ({
      title: 'The clock of this computer cannot be relied on',
      what: `${CLOCKS.en[facts.text('status')] ?? 'It may not show the right time.'} Invoices are issued with the time of this clock.`,
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
      title: `This computer no longer has the network address ${facts.text('address')}`,
      what:
        `Devices that sell over the network cannot reach fiskd at ${facts.text('address')} any more. Devices that use ` +
        'another address continue to sell.',
      todo:
        'Check the network cable and the router. If the router now gives this computer another address, have your technician ' +
        'set it to give the same address every time.',
    }),
  },
  backup_overdue: {
    hr: ({ lastAt }) => ({
      title: 'Nema novije sigurnosne kopije',
      what:
        lastAt === '-'
          ? 'Sigurnosna kopija još nije izrađena. Ako se disk pokvari, gube se podaci o svim računima.'
          : `Posljednja sigurnosna kopija izrađena je ${lastAt}. Ako se disk pokvari, gube se podaci o svim računima izdanima nakon toga.`,
      todo: 'Zamolite tehničara da izradi sigurnosnu kopiju na drugom disku i uključi svakodnevno spremanje.',
    }),
    en: ({ lastAt }) => ({
      title: 'There is no recent backup',
      what:
        lastAt === '-'
          ? 'No backup has been made yet. If the disk fails, all sales are lost.'
          : `The last backup was made on ${lastAt}. If the disk fails, the sales since then are lost.`,
      todo: 'Have your technician make a backup on another disk, and switch on daily backups.',
    }),
  },
  machine_changed: {
    hr: (facts) => ({
      title: 'Memorijska kartica ili disk u drugom je računalu',
      what:
        `Ovo računalo (${facts.text('now')}) nije isto na kojem su podaci s kartice bili prije ` +
        `(${facts.text('before')}). Ako je kartica kopirana za drugo računalo, oba izdaju račune s istim brojevima. ` +
        'Prodaja se nastavlja.',
      todo:
        'Ako je kartica kopirana: odmah isključite ovo računalo i stavite u njega novu karticu; ako preuzima mjesto ' +
        'pokvarenog računala, na njoj pokrenite sudo fisk replace. Ako je u istom uređaju zamijenjena samo ploča ili ' +
        'je kartica premještena, a stara se više ne koristi: sudo fisk machine accept.',
    }),
    en: (facts) => ({
      title: 'The memory card or disk is in another computer',
      what:
        `This computer (${facts.text('now')}) is not the one that the data on the card was on before ` +
        `(${facts.text('before')}). If the card was copied for a second computer, both issue invoices with the same numbers. ` +
        'Sales continue.',
      todo:
        'If the card was copied: switch this computer off now, and put a new card into it; where it takes the place of ' +
        'a broken one, run sudo fisk replace there. If only the board was replaced, or the card was moved, and the old ' +
        'computer has no copy of it: sudo fisk machine accept.',
    }),
  },
  sign_ins_failed: {
    hr: (facts) => ({
      title: 'Mnogo neuspjelih prijava',
      what:
        `Broj neuspjelih prijava na nadzornu ploču u ${facts.number('minutes')} ${plural(facts.number('minutes'), 'minuti', 'minute', 'minuta')}: najmanje ${facts.number('count')}. ` +
        'Možda netko isprobava lozinke. Prodaja se nastavlja.',
      todo:
        'Otvorite Dnevnik radnji: ondje piše o kojim je korisnicima i mrežnim adresama riječ. Ako nitko od korisnika nije ' +
        'pogriješio pri upisu lozinke, zamolite tehničara da pronađe računalo s tom mrežnom adresom i isključi ga iz mreže.',
    }),
    en: (facts) => ({
      title: 'Many sign-ins have failed',
      what:
        `At least ${facts.number('count')} sign-ins to the dashboard have failed within ${facts.number('minutes')} minutes. ` +
        'This may be an attempt to guess passwords. Sales continue.',
      todo:
        'Open the audit log: it shows the user names and the network addresses. If none of your users has ' +
        'mistyped a password, have your technician find the computer with that address and take it off the network.',
    }),
  },
} satisfies Partial<WordsOfKinds>

/** Nothing until the length of a rest was learnt from an earlier roll. */
const receiptsLeft: InLanguages<(facts: AlertFacts) => string> = {
  hr(facts) {
    const count = facts.number('receipts_left')
    return count === 0 ? '' : ` Ostalo ga je za oko ${count} ${plural(count, 'račun', 'računa', 'računa')}.`
  },
  en(facts) {
    const count = facts.number('receipts_left')
    return count === 0 ? '' : ` There is enough for about ${count} ${count === 1 ? 'receipt' : 'receipts'}.`
  },
}

const hours = (n: number) => `${n} ${plural(n, 'sat', 'sata', 'sati')}`

const OTHERS_NAMED = 4

/** Machines besides the first one of an alert: the names of some, and how many more there are. */
const othersOf: InLanguages<(facts: AlertFacts) => string> = {
  hr: (facts) => listed(facts, 'Isto vrijedi i za', 'i još'),
  en: (facts) => listed(facts, 'The same is true of', 'and of other devices:'),
}

function listed(facts: AlertFacts, before: string, more: string): string {
  const named = facts.machines.slice(1, 1 + OTHERS_NAMED).map(([device]) => device)
  if (named.length === 0) return ''
  const unnamed = facts.count - 1 - named.length
  return ` ${before} ${named.join(', ')}${unnamed > 0 ? ` ${more} ${unnamed}` : ''}.`
}

const DISK: InLanguages<Record<string, string>> = {
  hr: {
    logs: 'Na disku na koji se spremaju računi ostalo je malo mjesta. Zapisi o radu već se izostavljaju.',
    messages: 'Na disku na koji se spremaju računi gotovo nema mjesta. Poruke se više ne arhiviraju.',
    sales: 'Na disku više nema mjesta: prodaja nije moguća.',
  },
  en: {
    logs: 'Little space is left on the disk where invoices are stored. Log entries are no longer written.',
    messages: 'Hardly any space is left on the disk where invoices are stored. Messages are no longer archived.',
    sales: 'The disk is full: nothing can be sold.',
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
    behind: 'It shows an earlier time than data that are already stored.',
    off: 'It shows a different time from the tax authority or a time server.',
    jumped: 'Its time was changed while fiskd was running.',
    unsynchronised: 'Neither a time server nor the tax authority has confirmed it.',
  },
}
