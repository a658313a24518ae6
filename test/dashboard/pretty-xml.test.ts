import { expect, test } from 'vitest'
import { prettyXml } from '../../src/dashboard/invoices/pretty-xml.ts'
import { processorTime } from '../support/processor-time.ts'

test('each element stands in its own line, one with a text alone in one line', () => {
  const xml = '<?xml version="1.0"?><a x="1>2"><b>text</b><c/><!-- <d> --><e><f>č</f></e></a>'
  expect(prettyXml(xml).split('\n')).toEqual([
    '<?xml version="1.0"?>',
    '<a x="1>2">',
    '  <b>text</b>',
    '  <c/>',
    '  <!-- <d> -->',
    '  <e>',
    '    <f>č</f>',
    '  </e>',
    '</a>',
  ])
})

test.each(['', 'no markup', '<a', '<a b="', '</a></a>', '<!--', '<![CDATA[', '<a><b></a>', '<>', '<<<>>>'])(
  'of what is no XML, such as %j, nothing is lost',
  (text) => {
    expect(prettyXml(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  },
)

test('what was written to be slow or to become huge is neither', () => {
  const spent = processorTime()
  for (const evil of ['<"', "<'a", '<', '<!--', '<![CDATA[', '<a>', '</a>', '<a b="']) {
    const text = evil.repeat(100_000)
    expect(prettyXml(text).length).toBeLessThan(text.length * 25)
  }
  expect(spent()).toBeLessThan(3000)
})
