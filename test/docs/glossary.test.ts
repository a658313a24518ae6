import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { texts as deviceTexts } from '../../src/dashboard/devices/texts.ts'
import { filesBelow } from '../support/documents.ts'
import { inProject } from '../support/stand-in.ts'

/** Of the second table: what is not written any more. */
function wordsThatAreOut(): string[] {
  const [, table = ''] = readFileSync(inProject('docs/glossary.md'), 'utf8').split('| not | but |')
  const cells = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return cells.filter((cell) => !cell.startsWith('--')).flatMap((cell) => cell.split(', '))
}

/** What stood on pages, in mails and alerts until the office's people read it, and what stands there now. */
const REPLACED = {
  "Što treba učiniti'": 'Za napraviti',
  'Uzrok: ${': 'bez JIR-a, and why',
  'Pogledajte uzrok, otklonite': 'Pogledajte te račune',
  'stranici svojeg računa': 'stranici Moj profil',
  'dosadašnji odmah': 'ovdje odmah, a na pristupniku čim ga preuzme',
  'učitan i od sada se koristi': 'koristi ga 0 od 26 pristupnika',
  'Nijedan njezin uređaj': 'prestaju prodavati čim pristupnik preuzme naredbu',
  'Neće moći prodavati': 'prestaje prodavati čim pristupnik preuzme naredbu',
  "'Uključi'": 'Aktiviraj',
  'Uključiti ${n}': 'Aktivirati',
  'Uključivanje uređaja': 'Aktiviranje uređaja',
  'Uključite uređaj': 'Aktivirajte uređaj',
  'uključite ga': 'aktivirajte ga',
  'uključite je.': 'aktivirajte je',
  "'Potvrdi'": 'Primam na znanje',
  'Potvrdi upozorenje': 'Primam na znanje',
  "'Potvrđena'": 'Viđena',
  'otvrđeno je upozorenje': 'viđeno je upozorenje',
  'otvrdite ovo upozorenje': 'primite na znanje',
  'Prijavljen od': 'Povezan od',
  "'odjavljen'": 'veza raskinuta',
  'pristupnik odjavljen': 'veza raskinuta',
  'prijavite pristupnik': 'povežite pristupnik',
  'pristupnik je prijavljen': 'pristupnik je povezan',
  'Čeka JIR': 'bez JIR-a',
  'Čekaju slanje': 'bez JIR-a, na čekanju',
  'eka ponovno slanje': 'na čekanju',
  'računi bez potvrde': 'bez JIR-a',
  'a još ga mogu dobiti': 'bez JIR-a',
  'Računi nisu potvrđeni': 'bez JIR-a',
  "'Prodaja'": 'Stanje',
  'Stanje uređaja': 'Evidencija uređaja',
  'Stanje tvrtke': 'Evidencija tvrtke',
  'Od toga računa koje': 'Poslat će ih pristupnici koji su ih izdali',
  'Prvom od njih': 'Najraniji rok',
  'Broj slanja': 'Poslan: 1 put',
  'Time javljate': 'Drugi će vidjeti da ste upozorenje preuzeli',
  'točaka po stranici': 'piksela po širini i visini',
  "'Zaključci'": 'Zaključci prometa',
  'Riješeno ${': 'Obrađeno',
  'eka izvođenje': 'na čekanju',
  'Nova vrijednost': 'S čega na što',
  'Radnja nad': 'Odabrano, Svi s popisa',
  'Suzi popis': 'Filtar',
  'Suzite popis': 'Odaberite kraće razdoblje',
  'šalju sami': 'automatski',
  'poslati sami': 'automatski',
  'ponovno sami': 'automatski',
  'ponovno sam ': 'automatski',
  'šalje sam': 'automatski',
  'nastavlja sam': 'automatski',
  'spaja sam': 'automatski',
  'osvježavaju sami': 'automatski',
  'će se sama': 'automatski',
  'u svom retku': 'u zasebnom retku',
  'uzmite XLSX': 'odaberite XLSX',
  'OIB-i ': 'OIB-ovi',
  'kako je i najavljeno': 'Najavljena stanka',
  'kako je najavljeno': 'Najavljena stanka',
  'Dodijeljen Vam': 'daje Vam pristup',
  'Prodaje i kad': 'Uređaji prodaju i kad',
  'temeljem čl': 'na temelju čl.',
  'u kojem se uređaj': 'uređaj kao poslovni prostor',
  'poslovni prostor i uređaj s': 'uređaj kao poslovni prostor',
  'Uređaj u poslovnom prostoru': 'uređaj s oznakom poslovnog prostora',
  'Uvoz iz datoteke': 'Dodaj iz datoteke',
  "'ISU brojevi iz datoteke": 'Upis ISU brojeva iz datoteke',
  'To nije ni broj': 'Nema uređaja, mjesta, računa ni iznosa',
}

const FOLDERS = ['dashboard', 'reports', 'domain', 'alerts', 'receipts', 'fiscal', 'api/docs', 'cli/words']

test('the ISU number is named in full where a person meets it first, and a device is a premises', () => {
  expect(deviceTexts.hr.isuWhat).toContain('ISU (identifikator samoposlužnog uređaja)')
  expect(deviceTexts.hr.isuWhat).toContain('prijavite uređaj kao poslovni prostor')
})

test('no text of the office has a word that the glossary or its readers have put out', () => {
  const out = [...wordsThatAreOut(), ...Object.keys(REPLACED)]
  expect(out.length).toBeGreaterThan(100)
  const files = FOLDERS.flatMap((folder) => filesBelow(inProject(`src/${folder}`)))
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return out.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`)
  })
  expect(found).toEqual([])
})
