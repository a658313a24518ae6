import type { Language } from '../../fiscal/ports/model.ts'

/**
 * Steps until a device sells, and of what the office does with one that was stolen, moved, sold or replaced: facts in
 * braces, links as `[words](address)`.
 */
const hr = {
  companyDone: 'Tvrtka je aktivna i ima valjan certifikat.',
  companyOff: 'Tvrtka nije aktivna, pa njezini uređaji ne mogu prodavati. [Tvrtka](/dashboard/companies/{company})',
  companyNoCertificate: 'Tvrtka nema certifikat. Učitajte ga na stranici [tvrtke](/dashboard/companies/{company}).',
  companyExpired: 'Certifikat tvrtke je istekao. Učitajte novi na stranici [tvrtke](/dashboard/companies/{company}).',
  registered: 'Uređaj je prijavljen: upisan je ISU broj {isu}.',
  register:
    'U [ePoreznoj](https://e-porezna.porezna-uprava.hr) prijavite uređaj kao poslovni prostor s ovim podacima i upišite dodijeljeni ISU broj.',
  mismatch:
    'Porezna uprava odgovorila je da podaci s računa ne odgovaraju prijavi: uređaj prodaje, ali njegovi računi ne dobivaju JIR. Usporedite ISU broj, oznaku prostora i adresu s [ePoreznom](https://e-porezna.porezna-uprava.hr), ispravite što je pogrešno i broj ovdje ponovno spremite. Ako je pogrešna oznaka prostora, arhivirajte uređaj i [dodajte novi](/dashboard/devices/new). Odbijeni računi zadržavaju podatke s kojima su izdani: ako je pogrešna bila prijava, [pošaljite ih ponovno](/dashboard/invoices?device={id}&mode={mode}&status=failed).',
  active: 'Uređaj je aktivan.',
  suspended: 'Uređaj je obustavljen i ne može prodavati. Aktivirajte ga kad opet treba prodavati.',
  archived: 'Uređaj je arhiviran i ne može prodavati.',
  sold: 'Posljednji račun s JIR-om: {lastJir}.',
  firstSale: 'Obavite jednu prodaju na uređaju. Kad račun dobije JIR, postavljanje je dovršeno.',

  suspend: 'Obustavite uređaj: prestaje prodavati {taken}.',
  keys: 'Opozovite [API ključ](/dashboard/keys) uređaja. Vezani uz njega: {bound}. Ključevi koji nisu vezani ni uz jedan uređaj, pa njima možda prodaje i on: {loose}. Kojim ključem uređaj prodaje ne bilježi se.',
  noKeys: 'Nijedan API ključ na ovom računalu ne može prodavati na tom uređaju.',
  keysOfOthers: 'API ključ uređaja opoziva administrator.',
  keysOfGateway:
    'Opozovite API ključ uređaja. Ključeve ima samo pristupnik {gateway}, pa ovdje nisu poznati: neka ih tehničar ispiše naredbom fisk key list na njegovu računalu. Po oznaci iz tog popisa ključ se opoziva [naredbom]({owner}/send/key) (administrator).',
  computer:
    'Ako s uređajem odlazi i računalo pristupnika {gateway}, opozovite [pristupnik]({owner}), tek kad preuzme obustavu ako se još javlja: opozvani ne prima naredbe, a sam može prodavati. Ako računalo ostaje drugome, obrišite mu disk: na njemu su ključ certifikata, API ključevi i računi.',
  certificateHere: 'Tajni ključ certifikata nije u uređaju, nego na računalu koje prikazuje ovu stranicu.',
  certificateNone: 'Koliko je javio, pristupnik {gateway} nema certifikat ove tvrtke u upotrebi.',
  certificate:
    'Tajni ključ certifikata (serijski broj {serial}) na računalu je pristupnika {gateway}. Ako je odneseno, zatražite od izdavatelja (Fina) opoziv, učitajte [tvrtki](/dashboard/companies/{company}) novi certifikat i stari označite kao opozvan. Istim certifikatom potpisuju još: {others}.',
  close:
    'U [ePoreznoj](https://e-porezna.porezna-uprava.hr) zatvorite poslovni prostor {premises} (OIB {oib}, ISU broj {isu}).',
  receipts: 'Pogledajte račune nakon krađe. Posljednji su:',
  cash: 'Poznati gotovinski promet {since}: {cash}. Koliko je novca u uređaju ne zna se: pražnjenja se ne bilježe.',
  address: 'Upišite [novu adresu](/dashboard/devices/{id}/edit). Sada je upisana: {address}.',
  reopen:
    'U [ePoreznoj](https://e-porezna.porezna-uprava.hr) zatvorite prostor {premises} na staroj adresi i prijavite novi: svaki je uređaj zaseban poslovni prostor, pa na novom mjestu dobiva novi ISU broj. Ako je nova i oznaka prostora, koja se uređaju ne može promijeniti, [dodajte novi uređaj](/dashboard/devices/new), a ovaj arhivirajte.',
  newIsu: 'Upišite novi ISU broj. Na računima je sada {isu}.',
  noIsu: 'Upišite novi ISU broj. Bez njega uređaj ne prodaje.',
  hours:
    'Prvo radno vrijeme prijavljuje se u ePoreznoj zajedno s prostorom, a kasnije se mijenja [ovdje](/dashboard/devices/{id}/hours).',
  waiting:
    'Pričekajte JIR za sve račune. [Bez njega](/dashboard/invoices?device={id}&mode={mode}&status=without_jir): {waiting}.',
  closed: '[Zaključite promet](/dashboard/closings?company={company}&premises={premises}). Računa {since}: {sales}.',
  archive: 'Arhivirajte uređaj. Njegovi računi ostaju spremljeni.',
  newComputer:
    'Ako se mijenja računalo pristupnika {gateway}: na stranici [pristupnika]({owner}) izradite novi token, a tehničar neka na novom računalu pokrene fisk replace. Ono preuzima uređaje, ISU brojeve i postavke, nastavlja brojeve računa i radi nov API ključ. Na starom se više ne smije prodavati.',
  newMachine:
    'Ako se mijenja uređaj na istom mjestu, ovdje ostaju oznaka prostora, ISU broj i brojevi računa. Vrijedi li ISU broj i za novi uređaj, provjerite u [ePoreznoj](https://e-porezna.porezna-uprava.hr). Novi [naziv](/dashboard/devices/{id}/edit) upišite po potrebi, a u uređaj upišite nov API ključ.',
}

const en: Record<keyof typeof hr, string> = {
  companyDone: 'The company is active and has a valid certificate.',
  companyOff: 'The company is not active, so its devices cannot sell. [Company](/dashboard/companies/{company})',
  companyNoCertificate:
    'The company has no certificate. Upload one on the page of the [company](/dashboard/companies/{company}).',
  companyExpired:
    'The certificate of the company has expired. Upload a new one on the page of the [company](/dashboard/companies/{company}).',
  registered: 'The device is registered: its ISU number {isu} is entered.',
  register:
    'Register the device as a premises in [ePorezna](https://e-porezna.porezna-uprava.hr) with these data, and enter the ISU number that you get.',
  mismatch:
    'The tax authority answered that the data on invoices do not match the registration: the device sells, but its invoices get no JIR. Compare ISU number, premises code and address with [ePorezna](https://e-porezna.porezna-uprava.hr), correct what is wrong, and save the number here again. If the premises code is wrong, archive this device and [add a new one](/dashboard/devices/new). Refused invoices keep the data that they were issued with: if the registration was wrong, [send them again](/dashboard/invoices?device={id}&mode={mode}&status=failed).',
  active: 'The device is active.',
  suspended: 'The device is suspended and cannot sell. Activate it when it should sell again.',
  archived: 'The device is archived and cannot sell.',
  sold: 'Last invoice with JIR: {lastJir}.',
  firstSale: 'Make a sale on the device. When its invoice gets a JIR, the set-up is done.',

  suspend: 'Suspend the device: it stops selling {taken}.',
  keys: 'Revoke the [API key](/dashboard/keys) of the device. Bound to it: {bound}. Keys bound to no device, with which it may sell, too: {loose}. With which key a device sells is not recorded.',
  noKeys: 'No API key on this computer can sell on that device.',
  keysOfOthers: 'An administrator revokes the API key of the device.',
  keysOfGateway:
    'Revoke the API key of the device. Only the gateway {gateway} has the keys, so they are not known here: have your technician list them with fisk key list on its computer. By its id in that list a key is revoked by a [command]({owner}/send/key) (administrators).',
  computer:
    'If the computer of the gateway {gateway} goes with the device, revoke the [gateway]({owner}), and if it still reports only once it has fetched the suspension: a revoked one gets no commands, and can sell on its own. If others keep the computer, erase its disk: it holds the key of the certificate, API keys and invoices.',
  certificateHere: 'The private key of the certificate is not in the device, but on the computer that shows this page.',
  certificateNone: 'As far as it has reported, the gateway {gateway} uses no certificate of this company.',
  certificate:
    'The private key of the certificate (serial number {serial}) is on the computer of the gateway {gateway}. If that was taken, ask the issuer (Fina) to revoke it, upload a new one for the [company](/dashboard/companies/{company}), and mark the old one as revoked. Others that sign with the same certificate: {others}.',
  close:
    'Close the premises {premises} in [ePorezna](https://e-porezna.porezna-uprava.hr) (OIB {oib}, ISU number {isu}).',
  receipts: 'Look at the invoices after the theft. The latest are:',
  cash: 'Known cash sales {since}: {cash}. How much money is in the device is not known: emptying it is not recorded.',
  address: 'Enter the [new address](/dashboard/devices/{id}/edit). The present one is: {address}.',
  reopen:
    'Close the premises {premises} at the old address in [ePorezna](https://e-porezna.porezna-uprava.hr) and register the new one: each device is a premises of its own, so it gets a new ISU number at the new place. If the premises code is new, too, which cannot be changed here, [add a new device](/dashboard/devices/new) and archive this one.',
  newIsu: 'Enter the new ISU number. Invoices now carry {isu}.',
  noIsu: 'Enter the new ISU number. Without one the device does not sell.',
  hours:
    'The first working hours are registered in ePorezna with the premises; later they are changed [here](/dashboard/devices/{id}/hours).',
  waiting:
    'Wait until all invoices have a JIR. [Without one](/dashboard/invoices?device={id}&mode={mode}&status=without_jir): {waiting}.',
  closed: '[Close the sales](/dashboard/closings?company={company}&premises={premises}). Invoices {since}: {sales}.',
  archive: 'Archive the device. Its invoices stay stored.',
  newComputer:
    'If the computer of the gateway {gateway} is replaced: make a new token on the page of the [gateway]({owner}), and have your technician run fisk replace on the new computer. It takes over devices, ISU numbers and settings, goes on with the invoice numbers, and makes a new API key. The old computer must not sell any more.',
  newMachine:
    'If the device at the same place is replaced, premises code, ISU number and invoice numbers stay. Check in [ePorezna](https://e-porezna.porezna-uprava.hr) whether the ISU number holds for the new device. Change the [name](/dashboard/devices/{id}/edit) if needed, and enter a new API key in the device.',
}

export const stepTexts: Record<Language, typeof hr> = { hr, en }
