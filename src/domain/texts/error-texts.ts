import type { ErrorCode } from '../errors.ts'
import type { FiscalErrorCode } from '../sale/invoice.ts'

export interface ErrorWords {
  title: string
  means: string
  fix: string
}

/** The Croatian words of the codes of `ERRORS`, which has the English ones. */
export const CROATIAN_ERRORS: Record<ErrorCode, ErrorWords> = {
  invalid_request: {
    title: 'Zahtjev nije ispravan',
    means:
      'Zahtjev nije ispravno sastavljen, navodi nešto što ne postoji (404), traži vrstu sadržaja koje nema (406) ili je u ' +
      'sukobu s već spremljenim podacima (409).',
    fix:
      'Ispravite polje ili zaglavlje navedeno u `param`. Kod odgovora 404 i 409 provjerite što je spremljeno (`GET`). ' +
      'Ako `param` navodi `items`, zbroj iznosa stavki nije jednak iznosu u `total`.',
  },
  missing_idempotency_key: {
    title: 'Nedostaje zaglavlje Idempotency-Key',
    means: 'Prodaja je poslana bez zaglavlja koje sprječava dvostruki račun pri ponovnom slanju.',
    fix: 'Pošaljite zaglavlje `Idempotency-Key`: za svaku prodaju novi UUID v4, a pri ponavljanju isti.',
  },
  device_inactive: {
    title: 'Uređaj ili tvrtka nisu aktivni',
    means: 'Uređaj ili tvrtka kojoj pripada obustavljeni su ili arhivirani.',
    fix: 'Aktivirajte uređaj i tvrtku (status `active`).',
  },
  company_missing_certificate: {
    title: 'Tvrtka nema certifikat',
    means: 'Tvrtka nema certifikat kojim bi u ovom načinu rada potpisala račune.',
    fix: 'Učitajte fiskalni certifikat tvrtke.',
  },
  certificate_expired: {
    title: 'Certifikat nije valjan',
    means: 'Certifikat tvrtke ili učitani certifikat u ovom trenutku nije valjan.',
    fix: 'Učitajte certifikat koji sada vrijedi.',
  },
  'hr.certificate_oib_mismatch': {
    title: 'Certifikat glasi na drugi OIB',
    means: 'Certifikat ne glasi na OIB ove tvrtke.',
    fix: 'Učitajte certifikat koji glasi na OIB ove tvrtke.',
  },
  'hr.device_missing_isu': {
    title: 'Uređaj nema ISU broj',
    means: 'Uređaj još nema ISU broj, a bez njega Porezna uprava ne prima njegove račune.',
    fix: 'Prijavite uređaj u ePoreznoj i upišite dodijeljeni ISU broj.',
  },
  'hr.sale_older_than_30_days': {
    title: 'Prodaja je starija od 30 dana',
    means: 'Od prodaje je prošlo više od 30 dana.',
    fix: 'Porezna uprava ovaj račun više ne prima. Provjerite sat uređaja i dogovorite s knjigovođom kako prijaviti prodaju.',
  },
  'hr.date_in_future': {
    title: 'Vrijeme prodaje je u budućnosti',
    means: 'Vrijeme u polju `occurred_at` je u budućnosti.',
    fix: 'Pošaljite stvarno vrijeme prodaje i provjerite satove uređaja i računala na kojem radi fiskd.',
  },
  'hr.invalid_vat_rate': {
    title: 'Stopa PDV-a ne postoji',
    means: 'Navedena stopa PDV-a nije propisana.',
    fix: 'Upotrijebite stopu 0.00, 5.00, 13.00 ili 25.00.',
  },
  'hr.invalid_pnp_rate': {
    title: 'Stopa poreza na potrošnju nije dopuštena',
    means: 'Stopa poreza na potrošnju izvan je zakonskih granica.',
    fix: 'Upotrijebite stopu od 0.00 do 3.00.',
  },
  'hr.invalid_payment_method': {
    title: 'Način plaćanja nije dopušten',
    means: 'Taj način plaćanja nije dopušten za ovu vrstu prodaje.',
    fix: 'Upotrijebite G, K ili O. T je dopušten samo uz djelatnika i bez polja `recipient_oib`.',
  },
  'hr.amount_out_of_range': {
    title: 'Iznos je prevelik',
    means: 'Iznos plaćen gotovinom ili karticom veći je od onoga koji Porezna uprava prima.',
    fix: 'Iznos računa plaćenog gotovinom ili karticom smije biti najviše 10.000,00 EUR, a storna najmanje -10.000,00 EUR.',
  },
  'hr.invalid_oib': {
    title: 'OIB nije ispravan',
    means: 'OIB nema 11 znamenaka ili njegova kontrolna znamenka nije točna.',
    fix: 'Pošaljite 11 znamenaka s točnom kontrolnom znamenkom.',
  },
  'hr.invalid_receipt_number': {
    title: 'Broj računa nije ispravan',
    means: 'Poslani broj računa nije ispravan ili više nema slobodnih brojeva.',
    fix: 'Pošaljite najviše 20 znamenaka bez početnih nula i različito od 0 ili broj izostavite.',
  },
  invalid_api_key: {
    title: 'API ključ ne postoji',
    means: 'API ključ nije poslan ili ne postoji.',
    fix: 'Pošaljite `Authorization: Bearer <API key>` s postojećim ključem.',
  },
  api_key_revoked: {
    title: 'API ključ je opozvan',
    means: 'Ovaj je API ključ opozvan.',
    fix: 'Izradite novi ključ i upotrijebite ga.',
  },
  invalid_session: {
    title: 'Prijava je istekla',
    means: 'Prijava na nadzornu ploču je istekla ili nije postojala.',
    fix: 'Prijavite se ponovno.',
  },
  invalid_credentials: {
    title: 'Ime ili lozinka nisu točni',
    means: 'Ne postoji korisnik s tim imenom i lozinkom.',
    fix: 'Provjerite ime i lozinku. Novog korisnika dodaje naredba `fisk user add`.',
  },
  mode_mismatch: {
    title: 'Načini rada ne podudaraju se',
    means: 'API ključ je za jedan način rada, a tvrtka u drugom.',
    fix: 'Upotrijebite ključ za način rada u kojem je tvrtka.',
  },
  insufficient_scope: {
    title: 'Radnja nije dopuštena',
    means: 'API ključ ili uloga korisnika ne dopuštaju ovu radnju.',
    fix: 'Upotrijebite ključ s dopuštenjem navedenim u poruci koji nije vezan za drugi uređaj.',
  },
  csrf_token_invalid: {
    title: 'Nedostaje token prijave',
    means: 'Zahtjev koji nešto mijenja poslan je s prijavom, ali bez njezina tokena.',
    fix: 'Vrijednost `csrf_token` dobivenu pri prijavi pošaljite u zaglavlju `X-CSRF-Token`.',
  },
  idempotency_key_reused: {
    title: 'Idempotency-Key već je upotrijebljen',
    means: 'U posljednja 24 sata isti je Idempotency-Key poslan s drukčijim zahtjevom.',
    fix: 'Za drukčiji zahtjev upotrijebite novi ključ. Prijašnji je zahtjev izvršen, a ponoviti se može samo bajt po bajt jednak.',
  },
  invoice_already_exists: {
    title: 'Broj računa već postoji',
    means: 'Poslani broj računa ove je godine već upotrijebljen na istom prodajnom mjestu.',
    fix: 'Upotrijebite drugi broj ili broj izostavite.',
  },
  'hr.sequence_level_conflict': {
    title: 'Druga oznaka slijednosti',
    means: 'U tom su poslovnom prostoru ove godine računi izdavani s drugom oznakom slijednosti.',
    fix: 'Oznaka slijednosti (P ili N) poslovnog prostora vrijedi cijelu kalendarsku godinu: zadržite prvu do Nove godine. Samoposlužni uređaji uvijek imaju oznaku P: dodijelite im vlastiti poslovni prostor.',
  },
  invoice_owned_by_gateway: {
    title: 'Račun šalje pristupnik',
    means: 'Ovaj je račun izdao pristupnik, koji ga i šalje. Ovaj poslužitelj o njemu ima samo podatke.',
    fix: 'Pošaljite naredbu pristupniku: `fisk gateway send`.',
  },
  device_owned_by_gateway: {
    title: 'Uređaj vodi pristupnik',
    means: 'Uređaj ili tvrtka pripadaju pristupniku: ondje se dodjeljuju brojevi računa i čuvaju postavke.',
    fix: 'Prodajte na samom pristupniku, a postavke promijenite naredbom: `fisk gateway send`.',
  },
  premises_owned_by_gateway: {
    title: 'Brojeve računa dodjeljuje drugi',
    means: 'Brojeve računa za ovaj poslovni prostor dodjeljuje drugi pristupnik ili sam poslužitelj.',
    fix: 'Svakom pristupniku dodijelite vlastitu oznaku poslovnog prostora. U poruci piše tko koristi ovu.',
  },
  sync_token_invalid: {
    title: 'Token nije valjan',
    means: 'Token je nepoznat, upotrijebljen ili stariji od 24 sata.',
    fix: 'Na poslužitelju izradite novi: `fisk gateway add NAME`, a za postojeći pristupnik dodajte `--again`.',
  },
  gateway_unknown: {
    title: 'Pristupnik je nepoznat',
    means: 'Poslužitelj ne poznaje pristupnik s ovim pristupnim podacima.',
    fix: 'Ponovno povežite pristupnik novim tokenom: na poslužitelju `fisk gateway add NAME --again`.',
  },
  gateway_revoked: {
    title: 'Pristupnik je opozvan',
    means: 'Ovaj je pristupnik opozvan na poslužitelju.',
    fix: 'Ako je opozvan pogreškom, na poslužitelju izradite novi token: `fisk gateway add NAME --again`.',
  },
  gateway_duplicated: {
    title: 'Dva računala koriste isti pristupnik',
    means: 'Dva računala koriste identitet ovog pristupnika, pa se podaci ne primaju ni od jednog.',
    fix: 'Jedno isključite, a drugo povežite novim tokenom: `fisk gateway add NAME --again`.',
  },
  sync_session_replaced: {
    title: 'Javio se drugi proces pristupnika',
    means: 'U međuvremenu se javio drugi proces ovog pristupnika ili se ovaj još nije predstavio.',
    fix: 'Predstavite se ponovno nakon nekog vremena.',
  },
  sync_protocol_unsupported: {
    title: 'Inačica protokola nije podržana',
    means: 'Pristupnik koristi inačicu protokola koju poslužitelj ne podržava.',
    fix: 'Na pristupniku i poslužitelju instalirajte istu inačicu programa fiskd. U poruci piše što poslužitelj podržava.',
  },
  file_too_large: {
    title: 'Datoteka je prevelika',
    means: 'Poslana je datoteka prevelika.',
    fix: 'Pošaljite manju datoteku: certifikat ima najviše 256 KB, a datoteka s uređajima 1 MB.',
  },
  request_too_large: {
    title: 'Zahtjev je prevelik',
    means: 'Tijelo zahtjeva je preveliko.',
    fix: 'Pošaljite JSON od najviše 256 KB.',
  },
  rate_limited: {
    title: 'Previše zahtjeva',
    means: 'U kratkom je vremenu stiglo previše zahtjeva. Ništa nije učinjeno.',
    fix: 'Pričekajte onoliko sekundi koliko piše u `Retry-After` i ponovite zahtjev s istim ključem Idempotency-Key.',
  },
  internal_error: {
    title: 'Pogreška u programu fiskd',
    means:
      'Dogodila se pogreška na našoj strani. Ako odgovor sadrži `Retry-After`, baza podataka središnjeg poslužitelja trenutačno ' +
      'nije dostupna, što prolazi samo, ili disk uređaja odbija pisanje. `/v1` tada odgovara s 500, a stranice i pristupnici dobivaju 503.',
    fix: 'Ako postoji `Retry-After`, pričekajte toliko sekundi, a zatim ponovite zahtjev s istim ključem Idempotency-Key. Ako se pogreška ponavlja, pogledajte zapisnik.',
  },
}

/** The Croatian words of the codes of `FISCAL_ERRORS`, which has the English ones. */
export const CROATIAN_FISCAL_ERRORS: Record<FiscalErrorCode, ErrorWords> = {
  upstream_unavailable: {
    title: 'Porezna uprava nije bila dostupna',
    means: 'Porezna uprava nije bila dostupna ili nije stigao odgovor kojem se može vjerovati.',
    fix: 'Dok je `retry_scheduled` jednak true, ne treba učiniti ništa: račun se ponovno šalje automatski. Nakon 30 dana račun trajno dobiva status `expired`.',
  },
  upstream_rejected: {
    title: 'Porezna uprava odbila je račun',
    means: 'Porezna uprava odbila je poruku. Razlog je naveden u `message`.',
    fix: 'Otklonite uzrok (podaci uređaja, tvrtke ili postavke), a zatim ponovno pošaljite račun prije roka u `deadline_at`.',
  },
  upstream_signature_invalid: {
    title: 'Odgovor nije pouzdan',
    means: 'Stigao je odgovor za koji nije dokazano da dolazi od Porezne uprave, pa njegov JIR ne vrijedi.',
    fix:
      'Na pristupniku pokrenite `fisk doctor`: ondje piše što s odgovorima nije u redu. Kad im se opet bude moglo vjerovati, sve ' +
      'te račune šalje naredba `fisk invoice retry --failed --code upstream_signature_invalid`.',
  },
  'hr.certificate_oib_mismatch': {
    title: 'Certifikat glasi na drugi OIB',
    means: 'Prema odgovoru Porezne uprave OIB na računu nije OIB iz certifikata.',
    fix: 'Učitajte certifikat ove tvrtke, a zatim ponovno pošaljite račun prije roka u `deadline_at`.',
  },
  certificate_expired: {
    title: 'Certifikat nije valjan',
    means: 'Certifikat tvrtke nije bio valjan pri ponovnom slanju računa.',
    fix: 'Učitajte valjan certifikat, a zatim ponovno pošaljite račun prije roka u `deadline_at`.',
  },
  company_missing_certificate: {
    title: 'Tvrtka nema certifikat',
    means: 'Tvrtka nije imala certifikat pri ponovnom slanju računa.',
    fix: 'Učitajte certifikat, a zatim ponovno pošaljite račun prije roka u `deadline_at`.',
  },
}
