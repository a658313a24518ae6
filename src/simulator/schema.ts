import { F73_NS } from './xml.ts'

const TIME = String.raw`(0[1-9]|[12][0-9]|3[01])\.(0[1-9]|1[0-2])\.[12][0-9]{3}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}`
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** A simple type whose whole text matches one pattern. */
function patternType(name: string, pattern: string): string {
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:string"><xs:pattern value="${pattern}"/></xs:restriction></xs:simpleType>`
}

function textType(name: string, maxLength: number): string {
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:string"><xs:minLength value="1"/><xs:maxLength value="${maxLength}"/></xs:restriction></xs:simpleType>`
}

/** A sequence of elements, each `Name:Type`; `?` marks optional and `+` repeatable ones. */
function sequenceType(name: string, elements: string[]): string {
  const lines = elements.map((element) => {
    const [tag = '', rest = ''] = element.split(':')
    const type = rest.replace(/[?+]$/, '')
    const occurs = rest.endsWith('?') ? ' minOccurs="0"' : rest.endsWith('+') ? ' maxOccurs="unbounded"' : ''
    return `<xs:element name="${tag}" type="${type.includes('.') ? type.replace('.', ':') : `f:${type}`}"${occurs}/>`
  })
  return `<xs:complexType name="${name}"><xs:sequence>${lines.join('')}</xs:sequence></xs:complexType>`
}

/**
 * The `racuni` request as an XML schema (CIS specification, ch. 3; docs/spec/cis.md, Messages). Where the published schema
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
${sequenceType('Racun', [
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
])}
<xs:element name="RacunZahtjev"><xs:complexType>
  <xs:sequence>
    <xs:element name="Zaglavlje" type="f:Zaglavlje"/>
    <xs:element name="Racun" type="f:Racun"/>
    <xs:any namespace="http://www.w3.org/2000/09/xmldsig#" processContents="skip" minOccurs="0"/>
  </xs:sequence>
  <xs:attribute name="Id" type="xs:string"/>
</xs:complexType></xs:element>
</xs:schema>`
