"""Reads a workbook as ECMA-376 describes it, with nothing of ours: its sheets as JSON, each cell with what it is."""
import json
import re
import sys
import xml.etree.ElementTree as ET
import zipfile

MAIN = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
REL = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}'
PACKAGE = '{http://schemas.openxmlformats.org/package/2006/relationships}'
TYPES = '{http://schemas.openxmlformats.org/package/2006/content-types}'

book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None, 'a part does not fit its checksum'
part = lambda name: ET.fromstring(book.read(name))

declared = {one.get('PartName') for one in part('[Content_Types].xml').findall(f'{TYPES}Override')}
assert declared == {f'/{name}' for name in book.namelist() if name.startswith('xl/') and '_rels' not in name}

styles = part('xl/styles.xml')
custom = {one.get('numFmtId'): one.get('formatCode') for one in styles.iter(f'{MAIN}numFmt')}
formats = [one.get('numFmtId') for one in styles.find(f'{MAIN}cellXfs')]
targets = {one.get('Id'): one.get('Target') for one in part('xl/_rels/workbook.xml.rels').findall(f'{PACKAGE}Relationship')}


def value(cell):
    number_format = formats[int(cell.get('s', 0))]
    if cell.get('t') == 'inlineStr':
        assert cell.find(f'{MAIN}f') is None
        return {'text': ''.join(cell.find(f'{MAIN}is').itertext())}
    return {'number': cell.find(f'{MAIN}v').text, 'format': custom.get(number_format, number_format)}


sheets = {}
for one in part('xl/workbook.xml').find(f'{MAIN}sheets'):
    sheet = part('xl/' + targets[one.get(f'{REL}id')])
    order = [child.tag.replace(MAIN, '') for child in sheet]
    assert order == ['sheetViews', 'cols', 'sheetData', 'autoFilter'], order
    rows = []
    for row in sheet.find(f'{MAIN}sheetData'):
        assert row.get('r') == str(len(rows) + 1)
        for cell in row:
            assert re.fullmatch(f"[A-Z]+{row.get('r')}", cell.get('r'))
        rows.append({re.sub(r'\d', '', cell.get('r')): value(cell) for cell in row})
    sheets[one.get('name')] = rows
print(json.dumps(sheets))
