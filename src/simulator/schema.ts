import { F73_NS } from './xml.ts'

const TIME = String.raw`(0[1-9]|[12][0-9]|3[01])\.(0[1-9]|1[0-2])\.[12][0-9]{3}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}`
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

function patternType(name: string, pattern: string): string {
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:string"><xs:pattern value="${pattern}"/></xs:restriction></xs:simpleType>`
}

function textType(name: string, maxLength: number): string {
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:string"><xs:minLength value="1"/><xs:maxLength value="${maxLength}"/></xs:restriction></xs:simpleType>`
}

const OCCURS: Record<string, (many: string) => string> = {
  '?': () => ' minOccurs="0"',
  '+': () => ' maxOccurs="unbounded"',
  '*': (most) => ` minOccurs="0" maxOccurs="${most}"`,
  '#': (most) => ` maxOccurs="${most}"`,
  '=': (many) => ` minOccurs="${many}" maxOccurs="${many}"`,
}

/** `Name:Type`; then `?` is optional, `+` repeatable, `*3` up to three, `#3` one to three, `=2` two. `A:B|C:D` is a choice. */
function elementOf(text: string): string {
  if (text.includes('|')) return `<xs:choice>${text.split('|').map(elementOf).join('')}</xs:choice>`
  const [, tag = '', type = '', mark = '', many = ''] = /^(\w+):([\w.]+)([?+*#=]?)(\d*)$/.exec(text) ?? []
  const named = type.includes('.') ? type.replace('.', ':') : `f:${type}`
  return `<xs:element name="${tag}" type="${named}"${OCCURS[mark]?.(many) ?? ''}/>`
}

function sequenceType(name: string, elements: readonly string[]): string {
  return `<xs:complexType name="${name}"><xs:sequence>${elements.map(elementOf).join('')}</xs:sequence></xs:complexType>`
}

function requestOf(name: string, ...elements: string[]): string {
  const content = ['Zaglavlje:Zaglavlje', ...elements].map(elementOf).join('')
  const signature = '<xs:any namespace="http://www.w3.org/2000/09/xmldsig#" processContents="skip" minOccurs="0"/>'
  return `<xs:element name="${name}Zahtjev"><xs:complexType><xs:sequence>${content}${signature}</xs:sequence><xs:attribute name="Id" type="xs:string"/></xs:complexType></xs:element>`
}

const RACUN = [
  'Oib:Oib',
  'USustPdv:xs.boolean',
  'DatVrijeme:Vrijeme',
  'OznSlijed:Slijednost',
  'BrRac:BrojRacuna',
  'Pdv:Porezi?',
  'Pnp:Porezi?',
  'OstaliPor:OstaliPorezi?',
  'IznosOslobPdv:Iznos?',
  'IznosMarza:Iznos?',
  'IznosNePodlOpor:Iznos?',
  'Naknade:Naknade?',
  'IznosUkupno:Iznos',
  'NacinPlac:Placanje',
  'OibOper:Oib',
  'ZastKod:ZastitniKod',
  'NakDost:xs.boolean',
  'ParagonBrRac:Naziv?',
  'SpecNamj:Namjena?',
  'OibPrimateljaRacuna:Oib?',
]
const PROSTOR = ['Oib:Oib', 'OznPosPr:Prostor']
const SPAN = ['RadnoVrijemeOd:Sat', 'RadnoVrijemeDo:Sat']
const WEEK = 'PoDogovoru:PoDogovoru|Jednokratno:Jednokratno#8|Dvokratno:Dvokratno#16|ParniNeparni:ParniNeparni#16'

/**
 * The requests as an XML schema (CIS specification, ch. 3; docs/spec/cis.md, Messages). Where the published schema
 * is older than the specification, the specification counts: payment kind `C` was removed on 01.09.2025 and
 * `OibPrimateljaRacuna` is the last element. The content of the signature is skipped; the signature check handles it.
 */
export const RACUN_XSD = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:f="${F73_NS}" targetNamespace="${F73_NS}" elementFormDefault="qualified">
${patternType('Uuid', UUID)}
${patternType('Vrijeme', TIME)}
${patternType('Oib', '[0-9]{11}')}
${patternType('Broj', '[0-9]{1,20}')}
${patternType('Prostor', '[0-9A-Za-z]{1,20}')}
${patternType('Iznos', String.raw`[+\-]?[0-9]{1,15}\.[0-9]{2}`)}
${patternType('Stopa', String.raw`[+\-]?[0-9]{1,3}\.[0-9]{2}`)}
${patternType('ZastitniKod', '[0-9a-f]{32}')}
${patternType('Slijednost', '[PN]')}
${patternType('Placanje', '[GKOT]')}
${textType('Naziv', 100)}
${textType('Namjena', 1000)}
${sequenceType('Zaglavlje', ['IdPoruke:Uuid', 'DatumVrijeme:Vrijeme'])}
${sequenceType('BrojRacuna', ['BrOznRac:Broj', 'OznPosPr:Prostor', 'OznNapUr:Broj'])}
${sequenceType('Porez', ['Stopa:Stopa', 'Osnovica:Iznos', 'Iznos:Iznos'])}
${sequenceType('Porezi', ['Porez:Porez+'])}
${sequenceType('OstaliPorez', ['Naziv:Naziv', 'Stopa:Stopa', 'Osnovica:Iznos', 'Iznos:Iznos'])}
${sequenceType('OstaliPorezi', ['Porez:OstaliPorez+'])}
${sequenceType('Naknada', ['NazivN:Naziv', 'IznosN:Iznos'])}
${sequenceType('Naknade', ['Naknada:Naknada+'])}
${sequenceType('Racun', RACUN)}
${sequenceType('RacunPP', [...RACUN, 'PromijenjeniNacinPlac:Placanje', 'PromijenjeniOibPrimateljaRacuna:OibPromjena'])}
${patternType('Datum', String.raw`[0-9]{2}\.[0-9]{2}\.[12][0-9]{3}`)}
${patternType('Sat', '[0-9]{2}:[0-9]{2}')}
${patternType('Dan', '[1-8]')}
${patternType('Dio', '[12]')}
${patternType('ParNepar', '[PN]')}
${patternType('Da', 'DA')}
${patternType('OibPromjena', '([0-9]{11})?')}
${patternType('Vrsta', 'REDOVNO|IZNIMKE|SVE')}
${textType('Napomena', 200)}
${sequenceType('PoDogovoru', ['RedovnoPoDogovoru:Da'])}
${sequenceType('Jednokratno', ['DanUTjednu:Dan', ...SPAN])}
${sequenceType('Dvokratno', ['DanUTjednu:Dan?', 'DioDvokratnog:Dio', ...SPAN])}
${sequenceType('ParniNeparni', ['DanUTjednu:Dan', 'ParNepar:ParNepar', ...SPAN])}
${sequenceType('JednokratnoIznimke', SPAN)}
${sequenceType('DvokratnoIznimke', ['DioDvokratnog:Dio', ...SPAN])}
${sequenceType('Redovno', ['DatumOd:Datum', 'DatumDo:Datum?', 'Napomena:Napomena?', WEEK])}
${sequenceType('Iznimke', ['Datum:Datum', 'Jednokratno:JednokratnoIznimke|Dvokratno:DvokratnoIznimke=2'])}
${sequenceType('RadnoVrijeme', ['Redovno:Redovno*3', 'Iznimke:Iznimke*10'])}
${sequenceType('RedovnoBrisanje', ['DatumOd:Datum'])}
${sequenceType('IznimkeBrisanje', ['Datum:Datum'])}
${sequenceType('Brisanje', ['Redovno:RedovnoBrisanje*3', 'Iznimke:IznimkeBrisanje*10'])}
${sequenceType('PoslovniProstor', [...PROSTOR, 'RadnoVrijeme:RadnoVrijeme|BrisanjeRadnogVremena:Brisanje', 'OibOper:Oib'])}
${requestOf('Racun', 'Racun:Racun')}
${requestOf('Provjera', 'Racun:Racun')}
${requestOf('PromijeniPodatkeRacuna', 'Racun:RacunPP')}
${requestOf('PrijaviRadnoVrijeme', 'PoslovniProstor:PoslovniProstor')}
${requestOf('ObrisiRadnoVrijeme', 'PoslovniProstor:PoslovniProstor')}
${requestOf('DohvatiRadnoVrijeme', ...PROSTOR, 'VrstaRadnogVremena:Vrsta', 'OibOper:Oib')}
</xs:schema>`
