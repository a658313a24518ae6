interface Words {
  means: string
  /** What to do or to type, and what happens to the refused sale. */
  fix: string
}

interface RestrictiveError {
  /** Whether the refused sale can be confirmed after the cause is removed, although its stored data never changes. */
  canBeConfirmed: boolean
  hr: Words
  en: Words
}

type Language = 'hr' | 'en'

const CHECK_CLOCKS = {
  hr:
    'Usporedite vrijeme koje pokazuje naredba timedatectl s točnim vremenom, uključite usklađivanje s poslužiteljem točnog ' +
    'vremena (timedatectl set-ntp true) i provjerite sat u softveru uređaja. Vrijeme spremljenog računa (occurred_at) ne ' +
    'može se promijeniti.',
  en:
    'Compare the time that timedatectl shows with the right one, let the machine follow a time server (timedatectl ' +
    'set-ntp true), and check the clock of the vending firmware. The time of a stored sale (occurred_at) cannot be changed.',
}

const NEVER_CONFIRMED = {
  hr: 'Spremljeni račun ne može se promijeniti, pa ponovno slanje ne pomaže: dogovorite s knjigovođom kako prijaviti prodaju.',
  en: 'A stored sale cannot be changed, so sending it again does not help: ask your accountant how to report it.',
}

/** Codes 182 to 184: the specification gives them one meaning. */
const UNREGISTERED: RestrictiveError = {
  canBeConfirmed: true,
  hr: {
    means:
      'Oznaka poslovnog prostora ili naplatnog uređaja (ISU broj) ne odgovara prijavi na portalu Porezne uprave (ePorezna).',
    fix:
      'Usporedite podatke u ePoreznoj s ispisom naredbe fisk device list. Ako je pogrešna prijava, ispravite je u ' +
      'ePoreznoj, ponovno upišite isti broj (fisk isu set LABEL NUMBER) i ponovno pošaljite račun. Ako je ovdje pogrešan ' +
      'ISU broj, upišite točan (fisk isu set LABEL NUMBER), a ako je pogrešna oznaka prostora, arhivirajte uređaj i ' +
      'dodajte novi (fisk device add): to vrijedi za sljedeće račune. Odbijeni račun zadržava svoje oznake, pa se može ' +
      'potvrditi tek kad su one prijavljene u ePoreznoj.',
  },
  en: {
    means:
      'The premises code or the mark of the device (ISU number) is not what the portal of the tax authority (ePorezna) has.',
    fix:
      'Compare ePorezna with what fisk device list shows. If the registration is wrong, correct it in ePorezna, enter the ' +
      'same number again (fisk isu set LABEL NUMBER), and send the sale again. If the ISU number is wrong here, enter the ' +
      'right one (fisk isu set LABEL NUMBER), and if the premises code is wrong, archive the device and add a new one ' +
      '(fisk device add): this holds for the next sales. The refused sale keeps the premises code and the mark that it was ' +
      'made with, so it can be confirmed only once ePorezna has them.',
  },
}

/** The meanings of the restrictive codes of `s013`, and what to do (spec/cis.md, Error codes). */
const RESTRICTIVE_ERRORS = {
  176: {
    canBeConfirmed: false,
    hr: {
      means: 'Račun je po satu Porezne uprave stariji od 30 dana, a takav se više ne prima.',
      fix:
        'Takav se račun nikad ne može potvrditi: dogovorite s knjigovođom kako prijaviti prodaju. Ako prodaja nije toliko ' +
        `stara, sat računala na kojem radi fiskd ili sat u softveru uređaja bio je pogrešan. ${CHECK_CLOCKS.hr}`,
    },
    en: {
      means: 'By the clock of the tax authority the sale is older than 30 days, and such a sale is not taken any more.',
      fix:
        'Such a sale can never be confirmed: ask your accountant how to report it. If the sale is not that old, the clock ' +
        `of the machine that runs fiskd or the clock of the vending firmware was wrong. ${CHECK_CLOCKS.en}`,
    },
  },
  177: {
    canBeConfirmed: true,
    hr: {
      means: 'Vrijeme računa je po satu Porezne uprave u budućnosti.',
      fix:
        'Sat računala na kojem radi fiskd ili sat u softveru uređaja žurio je kad je račun izdan. ' +
        `${CHECK_CLOCKS.hr} Pošaljite račun ponovno kad to vrijeme prođe.`,
    },
    en: {
      means: 'By the clock of the tax authority the sale lies in the future.',
      fix:
        'The clock of the machine that runs fiskd or the clock of the vending firmware was ahead when the sale was made. ' +
        `${CHECK_CLOCKS.en} Send the sale again when that time has passed.`,
    },
  },
  178: {
    canBeConfirmed: false,
    hr: {
      means: 'Broj računa je 0.',
      fix: `Brojevi računa počinju od 1. Ako softver uređaja sam šalje broj (polje number), ispravite ga. ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means: 'The number of the receipt is 0.',
      fix: `Numbers begin with 1. If the vending firmware sends the number (field number), correct it there. ${NEVER_CONFIRMED.en}`,
    },
  },
  179: {
    canBeConfirmed: false,
    hr: {
      means: 'OIB operatera nije ispravan.',
      fix:
        'Na samoposlužnom uređaju to je OIB tvrtke: provjerite ga naredbom fisk company list. Na blagajni je to polje ' +
        'operator_oib: ispravite ga u programu blagajne ili naredbom fisk device set LABEL --config operator_oib=OIB. ' +
        NEVER_CONFIRMED.hr,
    },
    en: {
      means: 'The OIB of the operator is not valid.',
      fix:
        'On a self-service machine it is the OIB of the company: check it with fisk company list. At a till it is the field ' +
        'operator_oib: correct it in the program of the till, or type fisk device set LABEL --config operator_oib=OIB. ' +
        NEVER_CONFIRMED.en,
    },
  },
  180: {
    canBeConfirmed: false,
    hr: {
      means: 'OIB primatelja računa (kupca) nije ispravan.',
      fix: `Provjerite OIB s kupcem i ispravite ga u programu blagajne (polje recipient_oib). ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means: 'The OIB of the recipient (the buyer) is not valid.',
      fix: `Ask the buyer for the right OIB, and correct it in the program of the till (field recipient_oib). ${NEVER_CONFIRMED.en}`,
    },
  },
  181: {
    canBeConfirmed: false,
    hr: {
      means: 'Račun ima OIB primatelja uz način plaćanja T (transakcijski račun), a to nije dopušteno.',
      fix: `Provjerite u programu blagajne što je od toga pogrešno: polje recipient_oib ili payment_method. ${NEVER_CONFIRMED.hr}`,
    },
    en: {
      means: 'The sale has the OIB of a recipient beside the payment method T (bank account), which is not allowed.',
      fix: `Check in the program of the till which of the two is wrong: the field recipient_oib or payment_method. ${NEVER_CONFIRMED.en}`,
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
export type RestrictiveCode = keyof typeof RESTRICTIVE_ERRORS

export const RESTRICTIVE_CODES = Object.keys(RESTRICTIVE_ERRORS).map(Number) as RestrictiveCode[]

export function isRestrictiveCode(code: unknown): code is RestrictiveCode {
  return typeof code === 'number' && Object.hasOwn(RESTRICTIVE_ERRORS, code)
}

export interface ExplainedCodes extends Words {
  /** For example `Code 179`, or `Codes 182, 183` for codes with the same meaning. */
  label: string
}

/** @returns the meanings of the codes, in their order and each once */
export function explainCodes(codes: Iterable<RestrictiveCode>, language: Language): ExplainedCodes[] {
  const alike = new Map<RestrictiveError, RestrictiveCode[]>()
  for (const code of [...new Set(codes)].sort((a, b) => a - b)) {
    const error = RESTRICTIVE_ERRORS[code]
    alike.set(error, [...(alike.get(error) ?? []), code])
  }
  const [one, several] = { hr: ['Šifra', 'Šifre'], en: ['Code', 'Codes'] }[language]
  return [...alike].map(([error, same]) => {
    return { label: `${same.length === 1 ? one : several} ${same.join(', ')}`, ...error[language] }
  })
}

/** Whether a sale refused with this code can be confirmed after the cause is removed. */
export function canBeConfirmed(code: RestrictiveCode): boolean {
  return RESTRICTIVE_ERRORS[code].canBeConfirmed
}
