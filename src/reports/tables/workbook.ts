import type { Cell, Table } from './cells.ts'
import { sheetOf } from './sheet.ts'
import { type ZipEntry, zipOf } from './zip.ts'

/** No spreadsheet opens more rows; titles and totals are some of them. */
const MOST_ROWS = 1_048_576
/** For the totals of a table, on its last sheet. */
const ROWS_OF_TOTALS = 1000

/** Further sheets where a table is longer than one. It is made row by row, and never all in memory. */
export function workbookOf(tables: readonly Table[], mostRows = MOST_ROWS): AsyncGenerator<Uint8Array> {
  return zipOf(entriesOf(tables, mostRows))
}

async function* entriesOf(tables: readonly Table[], mostRows: number): AsyncGenerator<ZipEntry> {
  const titles: string[] = []
  for (const table of tables) {
    const { title, rows, about = [], totals } = table
    const source = cut(rows[Symbol.asyncIterator](), mostRows - about.length - 1 - (totals ? ROWS_OF_TOTALS : 0))
    const end = () => (source.goesOn() ? [] : (totals?.() ?? []))
    try {
      for (let part = 1; part === 1 || source.goesOn(); part++) {
        titles.push(part === 1 ? title : `${title} (${part})`)
        yield { name: `xl/worksheets/sheet${titles.length}.xml`, content: sheetOf(table, source.part(), end) }
      }
    } finally {
      await source.close()
    }
  }
  for (const [name, content] of Object.entries(packageFiles(titles))) yield { name, content: [content] }
}

/** Slices of rows, cut into parts of no more rows than a sheet has. */
function cut(slices: AsyncIterator<Cell[][]>, most: number) {
  let left: Cell[][] = []
  return {
    goesOn: () => left.length > 0,
    async *part(): AsyncGenerator<Cell[][]> {
      for (let room = most; ; ) {
        if (left.length === 0) {
          const { done, value } = await slices.next()
          if (done) return
          left = value
        }
        if (room === 0) return
        const slice = left.slice(0, room)
        left = left.slice(room)
        room -= slice.length
        yield slice
      }
    },
    close: async () => slices.return?.(),
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function packageFiles(titles: readonly string[]): Record<string, string> {
  const each = (make: (n: number, title: string) => string) => titles.map((title, i) => make(i + 1, title)).join('')
  const styles = titles.length + 1
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${CONTENT}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each((n, title) => `<sheet name="${title}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${styles}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLE_SHEET,
  }
}

const FORMATS = ['dd\\.mm\\.yyyy\\.', 'mm\\.yyyy\\.', 'hh:mm:ss', 'dd\\.mm\\.yyyy\\.\\ hh:mm:ss']
/** Of the styles of `sheet.ts`, in that order: number formats that every spreadsheet has (2, 3 and 4) and our own. */
const CELL_FORMATS = [0, 4, 3, 2, 164, 165, 166, 167]
/** The second font is bold. */
const CELL_STYLES = [0, 1].flatMap((font) => CELL_FORMATS.map((format) => ({ font, format })))

const STYLE_SHEET = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${FORMATS.length}">${FORMATS.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`).join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${CELL_STYLES.length}">${CELL_STYLES.map(({ font, format }) => `<xf numFmtId="${format}" fontId="${font}" applyNumberFormat="1" applyFont="1" xfId="0"/>`).join('')}</cellXfs></styleSheet>`
