import { type AlertFacts, type InLanguages, noteOfTest, type WordsOfKinds } from './alert-facts.ts'

/** Which sale it was, where the alert says so. */
const saleOf = (facts: AlertFacts, word: 'račun' | 'invoice') => {
  const id = facts.text('invoice_id')
  return id === '-' ? '' : ` (${word} ${id})`
}

/** The numbers that were given out a second time before the server could be asked. */
const twiceOf: InLanguages<(facts: AlertFacts) => string> = {
  hr: (facts) =>
    facts.count === 0
      ? ''
      : ` Prije nego što je poslužitelj odgovorio, brojevi ${facts.text('first')} do ${facts.text('last')} (poslovni prostor ` +
        `${facts.text('premises')}) izdani su drugi put.`,
  en: (facts) =>
    facts.count === 0
      ? ''
      : ` Before the server had answered, the numbers ${facts.text('first')} to ${facts.text('last')} (premises ` +
        `${facts.text('premises')}) were given out a second time.`,
}

export const numberWords = {
  isu_mismatch: {
    hr: ({ device, company, ...facts }) => ({
      title: `ISU broj ne odgovara prijavi u ePoreznoj (${device})`,
      what:
        `Porezna uprava javlja da ISU broj ${facts.text('isu_number')} samoposlužnog uređaja ${device} (${company}) ne ` +
        'odgovara prijavi u ePoreznoj. Računi tog uređaja ne dobivaju JIR.',
      todo: 'Usporedite ISU broj, oznaku poslovnog prostora i adresu s podacima u ePoreznoj. Ako je pogrešan ISU broj, upišite točan na stranici Uređaji, a ako je pogrešna prijava, ispravite je u ePoreznoj.',
    }),
    en: ({ device, company, ...facts }) => ({
      title: `The ISU number does not match ePorezna (${device})`,
      what:
        `The tax authority reports that the ISU number ${facts.text('isu_number')} of ${device} (${company}) does not match ` +
        'the registration in ePorezna. Invoices of this device get no JIR.',
      todo: 'Compare the ISU number, the premises code and the address with ePorezna. If the ISU number is wrong, enter the right one on the page Devices; if the registration is wrong, correct it in ePorezna.',
    }),
  },
  number_far_ahead: {
    hr: (facts) => ({
      title: `Račun s prevelikim brojem (${facts.text('premises_code')})`,
      what:
        `Uređaj s oznakom poslovnog prostora ${facts.text('premises_code')} (${facts.company}) izdao je račun s vlastitim brojem ` +
        `${facts.text('number')}${saleOf(facts, 'račun')}. Račun vrijedi, a sljedeći se brojevi nastavljaju ` +
        `ondje gdje su stali. Ukupno takvih brojeva: ${facts.count}.${noteOfTest.hr(facts)}`,
      todo:
        'Zamolite tehničara da utvrdi zašto uređaj šalje takve brojeve. Ako to nitko ne može objasniti, opozovite njegov ' +
        'API ključ. Zatim ovo upozorenje primite na znanje.',
    }),
    en: (facts) => ({
      title: `An invoice number was far too high (${facts.text('premises_code')})`,
      what:
        `A device of the premises ${facts.text('premises_code')} (${facts.company}) has sent a sale with an invoice number of its ` +
        `own, ${facts.text('number')}${saleOf(facts, 'invoice')}. The invoice is valid, but the next numbers continue ` +
        `from the earlier ones. Numbers of this kind: ${facts.count}.${noteOfTest.en(facts)}`,
      todo:
        'Have your technician find out why the device sends such numbers. If there is no explanation, revoke its API key. ' +
        'Then acknowledge this alert.',
    }),
  },
  numbers_used_up: {
    hr: (facts) => ({
      title: `Brojevi računa gotovo su iskorišteni (${facts.text('premises_code')})`,
      what:
        `Brojevi računa poslovnog prostora ${facts.text('premises_code')} (${facts.company}) došli su do ` +
        `${facts.text('highest')}. Preostalo brojeva: ${facts.text('left')}. Kad ih više ne bude, prodaja do kraja godine ` +
        `nije moguća.${noteOfTest.hr(facts)}`,
      todo:
        'Nijedan uređaj ne prodaje toliko: do toga je doveo jedan prevelik broj. Zamolite tehničara da na računalu pokrene ' +
        '„fisk numbers heal”: numeracija se tada nastavlja ondje gdje je stala.',
    }),
    en: (facts) => ({
      title: `Invoice numbers are nearly used up (${facts.text('premises_code')})`,
      what:
        `The invoice numbers of the premises ${facts.text('premises_code')} (${facts.company}) have reached ` +
        `${facts.text('highest')}. Numbers left: ${facts.text('left')}. When none are left, nothing can be sold at these premises until the end of the ` +
        `year.${noteOfTest.en(facts)}`,
      todo:
        'No device sells that much: the cause is a number that was far too high. Have your technician run ' +
        '“fisk numbers heal” on the computer: the numbers then continue from the last correct one.',
    }),
  },
  numbers_of_future: {
    hr: (facts) => ({
      title: `Izdani su računi s brojevima buduće godine (${facts.text('premises_code')})`,
      what:
        `U poslovnom prostoru ${facts.text('premises_code')} (${facts.company}) izdani su računi ${facts.number('year')}. godine, do ` +
        `broja ${facts.text('highest')}, a Porezna uprava kaže da ta godina još nije počela. Sat računala ili uređaja bio ` +
        `je ispred točnog vremena.${noteOfTest.hr(facts)}`,
      todo:
        'Zamolite tehničara da provjeri oba sata. Brojevi tih računa ostaju izdani, a sljedeće godine numeracija se nastavlja iza ' +
        'njih. Dogovorite s knjigovođom kako prijaviti te račune.',
    }),
    en: (facts) => ({
      title: `Invoices were issued with numbers of a future year (${facts.text('premises_code')})`,
      what:
        `Invoices of the year ${facts.number('year')}, up to number ${facts.text('highest')}, were issued at the premises ` +
        `${facts.text('premises_code')} (${facts.company}), but the tax authority says that this year has not begun. A ` +
        `clock, of the computer or of the device, was ahead of the right time.${noteOfTest.en(facts)}`,
      todo:
        'Have your technician check both clocks. The numbers of these invoices stay issued, and the numbers of that year continue ' +
        'after them. Ask your accountant how to report these invoices.',
    }),
  },
  numbers_doubtful: {
    hr: (facts) => ({
      title: 'Središnji poslužitelj javlja dvojbene brojeve računa',
      what:
        `Središnji poslužitelj javlja da je ovdje već izdan račun s višim brojem (poslovni prostor ${facts.text('premises')}, ` +
        `broj ${facts.text('number')}). Ovo računalo tome ne vjeruje: broj je daleko iznad posljednjeg ili poruku nije ` +
        'potpisao poslužitelj. Prodaja se nastavlja s vlastitim brojevima.',
      todo:
        'Usporedite broj s posljednjim ispisanim računom. Ako je točan, zamolite tehničara da ga potvrdi. Ako nije, ' +
        'neka tehničar provjeri poslužitelj.',
    }),
    en: (facts) => ({
      title: 'The central server has reported doubtful invoice numbers',
      what:
        'The central server says that an invoice with a higher number was already issued here (premises ' +
        `${facts.text('premises')}, number ${facts.text('number')}). This computer has not accepted the number: it is far ` +
        'above the last one, or the server did not sign the message. Sales continue with the numbers of this computer.',
      todo:
        'Compare the number with the last printed receipt. If it is right, have your technician confirm it. If it is ' +
        'not, have your technician check the server.',
    }),
  },
  records_lost: {
    hr: (facts) => ({
      title: 'Memorijska kartica izgubila je već spremljene podatke',
      what:
        'Središnji poslužitelj ima račune kojih na ovom računalu više nema. Kartica nije sačuvala ono što je potvrdila, ili ' +
        `je umetnuta stara kopija kartice.${twiceOf.hr(facts)} Prodaja se nastavlja iznad brojeva koje poslužitelj zna.`,
      todo:
        'Zamijenite karticu. Usporedite posljednje ispisane račune s popisom računa: računa koji nisu stigli ni do ' +
        'poslužitelja više nema. Zatim ovo upozorenje primite na znanje.',
    }),
    en: (facts) => ({
      title: 'The memory card has lost records that were stored',
      what:
        'The central server has invoices that this computer no longer has. The card did not keep what it had confirmed, or an ' +
        `old copy of the card was put in.${twiceOf.en(facts)} Sales continue above the numbers that the server knows.`,
      todo:
        'Replace the card. Compare the last printed receipts with the list of invoices: those that the server had not received ' +
        'either are gone. Then acknowledge this alert.',
    }),
  },
  sales_lost: {
    hr: (facts) => ({
      title: `Baza podataka nema već izdane račune (${facts.text('premises_code')})`,
      what:
        `Računi poslovnog prostora ${facts.text('premises_code')} (${facts.company}) do broja ${facts.text('last')} izdani su, a ` +
        `baza podataka ih nema (poznato ih je ${facts.count}). Baza je starija od onoga što je izdano: vraćena je stara ` +
        'kopija ili disk nije sačuvao ono što je potvrdio. Da se nijedan broj ne izda dvaput, ondje se ništa ne ' +
        `prodaje.${noteOfTest.hr(facts)}`,
      todo:
        'Zamolite tehničara: „fisk doctor” navodi te račune. Ako postoji novija kopija baze, neka je vrati („fisk ' +
        'restore”). Ako ne postoji, „fisk numbers skip-lost” nastavlja prodaju iznad tih brojeva. Ispise tih računa sačuvajte.',
    }),
    en: (facts) => ({
      title: `The database lacks invoices that were issued (${facts.text('premises_code')})`,
      what:
        `Invoices of the premises ${facts.text('premises_code')} (${facts.company}) up to number ${facts.text('last')} were ` +
        `issued, and the database does not hold them (${facts.count} of them are known). It is older than what was issued: an ` +
        'old copy was put back, or the disk did not keep what it had confirmed. So that no number is given out twice, nothing ' +
        `is sold there.${noteOfTest.en(facts)}`,
      todo:
        'Ask your technician: “fisk doctor” names these invoices. If there is a newer copy of the database, have it ' +
        'restored (“fisk restore”). If there is none, “fisk numbers skip-lost” lets sales go on above these numbers. Keep the ' +
        'printed receipts.',
    }),
  },
  issued_record: {
    hr: (facts) => ({
      title: 'Zapis o izdanim računima nije pouzdan',
      what:
        'Izvan baze podataka vodi se zapis o posljednjim izdanim računima (issued.log). Po njemu se otkriva baza koja se vratila ' +
        `u prošlost. Pri pokretanju ili upisu javljeno je: ${facts.text('problem')}. Prodaja se nastavlja, a zapis se vodi iznova.`,
      todo: 'Zamolite tehničara da provjeri disk i tko mijenja datoteke u podatkovnoj mapi. Zatim ovo upozorenje primite na znanje.',
    }),
    en: (facts) => ({
      title: 'The record of issued invoices is not reliable',
      what:
        'Outside of the database there is a record of the latest issued invoices (issued.log), by which a database that went back ' +
        `in time is found. At the start, or when it was written, this was found: ${facts.text('problem')}. Sales go on, and the ` +
        'record is made anew.',
      todo: 'Ask your technician to check the disk, and who changes files in the data directory. Then acknowledge this alert.',
    }),
  },
  fleet_conflict: {
    hr: (facts) => ({
      title: `Više uređaja ima ${facts.text('what') === 'label' ? 'isti naziv' : 'isti ISU broj'} (${facts.text('value')})`,
      what:
        facts.text('what') === 'label'
          ? `Uređaji različitih pristupnika imaju isti naziv: ${facts.text('value')}.`
          : `Uređaji različitih pristupnika imaju isti ISU broj: ${facts.text('value')}.`,
      todo: 'Utvrdite kojem uređaju pripada, a ostale ispravite na stranici Uređaji.',
    }),
    en: (facts) => ({
      title: `Several devices have the same ${facts.text('what') === 'label' ? 'name' : 'ISU number'} (${facts.text('value')})`,
      what:
        facts.text('what') === 'label'
          ? `Devices of different gateways have the name ${facts.text('value')}.`
          : `Devices of different gateways have the ISU number ${facts.text('value')}.`,
      todo: 'Find out which device it belongs to, and correct the others on the page Devices.',
    }),
  },
} satisfies Partial<WordsOfKinds>
