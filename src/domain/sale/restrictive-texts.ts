interface Words {
  means: string
  /** For technicians: what to do or to type, and what happens to the refused sale. */
  fix: string
  /** The same for the office, which has pages; where it is left out, `fix` is for both. */
  office?: string
}

export interface RestrictiveError {
  /** Whether the refused sale can be confirmed after the cause is removed, although its stored data never changes. */
  canBeConfirmed: boolean
  hr: Words
  en: Words
}

const CHECK_CLOCKS = {
  hr:
    'Usporedite vrijeme koje pokazuje naredba timedatectl s točnim vremenom, uključite usklađivanje s poslužiteljem točnog ' +
    'vremena (timedatectl set-ntp true) i provjerite sat u softveru uređaja. Vrijeme spremljenog računa (occurred_at) ne ' +
    'može se promijeniti.',
  en:
    'Compare the time that timedatectl shows with the right one, let the computer use a time server (timedatectl ' +
    'set-ntp true), and check the clock of the vending firmware. The time of a stored sale (occurred_at) cannot be changed.',
}

const HAVE_CLOCKS_CHECKED = {
  hr: 'Zamolite tehničara da provjeri sat računala i sat uređaja. Vrijeme izdanog računa ne može se promijeniti.',
  en: 'Have your technician check the clocks of computer and device. The time of an issued invoice cannot be changed.',
}

const TOO_OLD = {
  hr: 'Takav se račun nikad ne može potvrditi: dogovorite s knjigovođom kako prijaviti prodaju. Ako prodaja nije toliko stara,',
  en: 'Such an invoice can never be confirmed: ask your accountant how to report the sale. If the sale is not that old,',
}

const NEVER_CONFIRMED = {
  hr: 'Spremljeni račun ne može se promijeniti, pa ponovno slanje ne pomaže: dogovorite s knjigovođom kako prijaviti prodaju.',
  en: 'A stored sale cannot be changed, so sending it again does not help: ask your accountant how to report it.',
}

const KEEPS_ITS_MARKS = {
  hr:
    'to vrijedi za sljedeće račune. Odbijeni račun zadržava svoje oznake, pa se može potvrditi tek kad one budu ' +
    'prijavljene u ePoreznoj.',
  en:
    'this applies to the next invoices. The refused one keeps the premises code and the ISU number that it was issued ' +
    'with, so it can be confirmed only once both are registered in ePorezna.',
}

/** Codes 182 to 184: the specification gives them one meaning. */
const UNREGISTERED: RestrictiveError = {
  canBeConfirmed: true,
  hr: {
    means: 'Oznaka poslovnog prostora ili naplatnog uređaja (ISU broj) ne odgovara prijavi u ePoreznoj.',
    fix:
      'Usporedite podatke u ePoreznoj s ispisom naredbe fisk device list. Ako je pogrešna prijava, ispravite je u ' +
      'ePoreznoj, ponovno upišite isti broj (fisk isu set LABEL NUMBER) i ponovno pošaljite račun. Ako je ovdje pogrešan ' +
      'ISU broj, upišite točan (fisk isu set LABEL NUMBER), a ako je pogrešna oznaka poslovnog prostora, arhivirajte ' +
      `uređaj i dodajte novi (fisk device add): ${KEEPS_ITS_MARKS.hr}`,
    office:
      'Na stranici Uređaji otvorite uređaj i usporedite njegov ISU broj i oznaku poslovnog prostora s podacima u ' +
      'ePoreznoj. Ako je pogrešna prijava, ispravite je u ePoreznoj, na stranici uređaja ponovno spremite isti ISU broj i ' +
      'ponovno pošaljite račun. Ako je ovdje pogrešan ISU broj, upišite točan, a ako je pogrešna oznaka poslovnog ' +
      `prostora, arhivirajte uređaj i dodajte novi: ${KEEPS_ITS_MARKS.hr}`,
  },
  en: {
    means: 'The premises code or the register mark (ISU number) does not match the registration in ePorezna.',
    fix:
      'Compare ePorezna with what fisk device list shows. If the registration is wrong, correct it in ePorezna, enter the ' +
      'same number again (fisk isu set LABEL NUMBER), and send the sale again. If the ISU number is wrong here, enter the ' +
      'right one (fisk isu set LABEL NUMBER), and if the premises code is wrong, archive the device and add a new one ' +
      `(fisk device add): ${KEEPS_ITS_MARKS.en}`,
    office:
      'Open the device on the page Devices, and compare its ISU number and premises code with ePorezna. If the ' +
      'registration is wrong, correct it in ePorezna, save the same ISU number again on the page of the device, and send ' +
      'the invoice again. If the ISU number is wrong here, enter the right one, and if the premises code is wrong, archive ' +
      `the device and add a new one: ${KEEPS_ITS_MARKS.en}`,
  },
}

/** The meanings of the restrictive codes of `s013`, and what to do (docs/spec/cis.md, Error codes). */
export const RESTRICTIVE_ERRORS = {
  176: {
    canBeConfirmed: false,
    hr: {
      means: 'Račun je po satu Porezne uprave stariji od 30 dana, a takav se više ne prima.',
      fix: `${TOO_OLD.hr} sat računala na kojem radi fiskd ili sat u softveru uređaja bio je pogrešan. ${CHECK_CLOCKS.hr}`,
      office: `${TOO_OLD.hr} neki je sat bio pogrešan. ${HAVE_CLOCKS_CHECKED.hr}`,
    },
    en: {
      means: 'By the clock of the tax authority the invoice is older than 30 days, and is no longer accepted.',
      fix:
        `${TOO_OLD.en} the clock of the computer that runs fiskd or the clock of the vending firmware was wrong. ` +
        CHECK_CLOCKS.en,
      office: `${TOO_OLD.en} a clock was wrong. ${HAVE_CLOCKS_CHECKED.en}`,
    },
  },
  177: {
    canBeConfirmed: true,
    hr: {
      means: 'Vrijeme računa je po satu Porezne uprave u budućnosti.',
      fix:
        'Sat računala na kojem radi fiskd ili sat u softveru uređaja žurio je kad je račun izdan. ' +
        `${CHECK_CLOCKS.hr} Pošaljite račun ponovno kad to vrijeme prođe.`,
      office: `Neki je sat žurio kad je račun izdan. ${HAVE_CLOCKS_CHECKED.hr} Pošaljite račun ponovno kad to vrijeme prođe.`,
    },
    en: {
      means: 'By the clock of the tax authority the time of the invoice is in the future.',
      fix:
        'The clock of the computer that runs fiskd or the clock of the vending firmware was ahead when the sale was made. ' +
        `${CHECK_CLOCKS.en} Send the sale again when that time has passed.`,
      office:
        `A clock was ahead when the invoice was issued. ${HAVE_CLOCKS_CHECKED.en} ` +
        'Send the invoice again when that time has passed.',
    },
  },
  178: {
    canBeConfirmed: false,
    hr: {
      means: 'Broj računa je 0.',
      fix: `Brojevi računa počinju od 1. Ako softver uređaja sam šalje broj (polje number), ispravite ga. ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means: 'The invoice number is 0.',
      fix: `Numbers begin with 1. If the vending firmware sends the number (field number), correct it there. ${NEVER_CONFIRMED.en}`,
    },
  },
  179: {
    canBeConfirmed: false,
    hr: {
      means: 'OIB operatera nije ispravan.',
      fix:
        'Na samoposlužnom uređaju to je OIB tvrtke: provjerite ga naredbom fisk company list. Pri prodaji uz djelatnika to je ' +
        'polje operator_oib: ispravite ga u programu naplatnog uređaja ili naredbom ' +
        `fisk device set LABEL --config operator_oib=OIB. ${NEVER_CONFIRMED.hr}`,
      office:
        'Na samoposlužnom uređaju to je OIB tvrtke: provjerite ga na stranici Tvrtke. Pri prodaji uz djelatnika to je OIB ' +
        `operatera: ispravite ga u programu naplatnog uređaja ili u postavkama uređaja. ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means: 'The OIB of the operator is not valid.',
      fix:
        'On a self-service machine it is the OIB of the company: check it with fisk company list. For attended sales it is ' +
        'the field operator_oib: correct it in the program of the register, or type ' +
        `fisk device set LABEL --config operator_oib=OIB. ${NEVER_CONFIRMED.en}`,
      office:
        'On a self-service machine it is the OIB of the company: check it on the page Companies. For attended sales it is ' +
        'the OIB of the operator: correct it in the program of the register, or in the settings of the device. ' +
        NEVER_CONFIRMED.en,
    },
  },
  180: {
    canBeConfirmed: false,
    hr: {
      means: 'OIB kupca nije ispravan.',
      fix: `Provjerite OIB s kupcem i ispravite ga u programu naplatnog uređaja (polje recipient_oib). ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means: 'The OIB of the buyer is not valid.',
      fix: `Ask the buyer for the right OIB, and correct it in the program of the register (field recipient_oib). ${NEVER_CONFIRMED.en}`,
    },
  },
  181: {
    canBeConfirmed: false,
    hr: {
      means: 'Na računu je OIB kupca uz način plaćanja T (transakcijski račun), a to nije dopušteno.',
      fix: `Provjerite u programu naplatnog uređaja što je od toga pogrešno: polje recipient_oib ili payment_method. ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means:
        'The invoice has the OIB of a buyer together with the payment method T (bank transfer), which is not allowed.',
      fix: `Check in the program of the register which of the two is wrong: the field recipient_oib or payment_method. ${NEVER_CONFIRMED.en}`,
    },
  },
  182: UNREGISTERED,
  183: UNREGISTERED,
  184: UNREGISTERED,
  185: {
    canBeConfirmed: false,
    hr: {
      means: 'Iznos plaćen gotovinom ili karticom veći je od 10.000,00 EUR.',
      fix: `Provjerite cijene i iznos koji šalje softver uređaja (polje total), na primjer šalje li cente kao eure. ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means: 'The total paid in cash or by card is above 10,000.00 EUR.',
      fix: `Check the prices and the total that the vending firmware sends, for example whether it sends cents as euros. ${NEVER_CONFIRMED.en}`,
    },
  },
} as const satisfies Record<number, RestrictiveError>
