import { ERRORS, type ErrorCode, type FiskError } from '../domain/errors.ts'
import type { FiscalErrorCode } from '../domain/sale/invoice.ts'
import { CROATIAN_ERRORS, CROATIAN_FISCAL_ERRORS } from '../domain/texts/error-texts.ts'
import { textOfReason } from '../domain/texts/reason-texts.ts'
import type { Language } from '../fiscal/ports/model.ts'

/** The text of a refusal beside a form. English has the words of the refusal itself. */
export function textOfError(error: FiskError, language: Language): string {
  if (error.reason !== null) return textOfReason(error.reason, error.about, language)
  if (language === 'en')
    return `${sentence(error.message)} ${error.code === 'invalid_request' ? '' : fixOf(error)}`.trim()
  const known = croatianOfCode(error.code)
  if (known) return known
  return error.status === 404
    ? 'Traženi podatak ne postoji ili nije dostupan ovom korisniku.'
    : error.status === 409
      ? 'Podatak je u sukobu s već spremljenim. Provjerite postoji li već.'
      : 'Podatak nije ispravan. Pročitajte uputu uz polje i ispravite ga.'
}

/** What a code means and what to do; null where the code alone says nothing, or is none of ours. */
export function croatianOfCode(code: string): string | null {
  if (code === 'invalid_request') return null
  if (Object.hasOwn(CROATIAN, code)) return CROATIAN[code as ErrorCode] ?? null
  const words = { ...CROATIAN_ERRORS, ...CROATIAN_FISCAL_ERRORS }
  if (!Object.hasOwn(words, code)) return null
  const { means, fix } = words[code as ErrorCode | FiscalErrorCode]
  return `${means} ${fix}`.replaceAll('`', '')
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const fixOf = ({ code }: FiskError) => (Object.hasOwn(ERRORS, code) ? ERRORS[code].fix.replaceAll('`', '') : '')

const CROATIAN: Partial<Record<ErrorCode, string>> = {
  device_inactive: 'Uređaj ili njegova tvrtka nisu aktivni. Aktivirajte ih.',
  company_missing_certificate: 'Tvrtka nema certifikat za ovaj način rada. Učitajte fiskalni certifikat tvrtke.',
  certificate_expired: 'Certifikat sada nije valjan: istekao je ili još ne vrijedi. Učitajte valjan certifikat.',
  'hr.certificate_oib_mismatch': 'Certifikat je izdan na drugi OIB. Učitajte certifikat koji glasi na OIB ove tvrtke.',
  'hr.device_missing_isu': 'Uređaj još nema ISU broj. Prijavite ga u ePoreznoj i upišite broj koji ste dobili.',
  'hr.invalid_vat_rate': 'Takva stopa PDV-a ne postoji. Dopuštene su 0, 5, 13 i 25 %.',
  'hr.invalid_pnp_rate': 'Stopa poreza na potrošnju mora biti između 0 i 3 %.',
  'hr.invalid_oib': 'OIB nije ispravan: ima 11 znamenaka, a posljednja je kontrolna.',
  'hr.sale_older_than_30_days': 'Od prodaje je prošlo više od 30 dana. Porezna uprava ovaj račun više ne prima.',
  invalid_credentials: 'Ime, lozinka ili kod nisu točni.',
  insufficient_scope: 'Vaša uloga to ne dopušta. Obratite se administratoru.',
  mode_mismatch: 'Načini rada ne podudaraju se: jedan je testni, a drugi stvarni.',
  csrf_token_invalid: 'Obrazac nije poslan s ove stranice. Otvorite stranicu ponovno i pokušajte još jednom.',
  idempotency_key_reused: 'Ovaj je obrazac već poslan s drugim sadržajem. Provjerite podatke i pošaljite ga ponovno.',
  invoice_owned_by_gateway:
    'Ovaj račun šalje pristupnik koji ga je izdao. Naredbu mu pošaljite na stranici pristupnika.',
  device_owned_by_gateway: 'Podatke ovog uređaja vodi njegov pristupnik. Promijenite ih ondje.',
  premises_owned_by_gateway:
    'Brojeve računa za ovaj poslovni prostor dodjeljuje drugi pristupnik ili poslužitelj. Odaberite drugu oznaku prostora.',
  file_too_large: 'Datoteka je prevelika.',
  request_too_large: 'Poslano je previše podataka odjednom.',
  rate_limited: 'Previše pokušaja zaredom. Pričekajte i pokušajte ponovno.',
  internal_error: 'Dogodila se pogreška u programu fiskd. Pokušajte ponovno za nekoliko minuta.',
}
