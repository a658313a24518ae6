import { expect, test } from 'vitest'
import { barCharts, niceTop } from '../../src/dashboard/charts/bars.ts'

const TEXT = {
  id: 'chart',
  title: 'Prodaja <po satu>',
  summary: 'Ukupno "5" & više',
  axis: (value: number) => `${value}`,
}

test('a chart says in words what it shows, and nothing in it becomes markup', () => {
  const { svg } = barCharts(TEXT, [{ tick: '<0>', says: "12:00 'x' <b>", value: 5, before: 3 }], 1)
  expect(svg).toContain('<p class="vh">Prodaja &lt;po satu&gt;. Ukupno &quot;5&quot; &amp; više</p>')
  expect(svg).toContain('aria-hidden="true"')
  expect(svg).toContain('12:00 &#39;x&#39; &lt;b&gt;')
  expect(svg).toContain('>&lt;0&gt;</text>')
  expect(svg).not.toMatch(/style=|<b>/)
})

test('the axis ends at a round number of which a quarter is whole', () => {
  expect([0, 1, 4, 5, 8, 9, 20, 21, 79, 81, 2083].map(niceTop)).toEqual([4, 4, 4, 8, 8, 12, 20, 24, 80, 120, 2400])
})

test('no text is cut at an edge, however long it is: not the last label, not an amount of the axis, not what a place says', () => {
  const text = { ...TEXT, axis: (value: number) => `${value}.000,00 €` }
  const { svg } = barCharts(
    text,
    Array.from({ length: 24 }, (_, i) => ({
      tick: '25.11.',
      says: `${i}:00: 12.345,60 € i još nešto`,
      value: i + 1,
      before: 1,
    })),
    24,
  )
  const texts = [...svg.matchAll(/<text[^>]* x="([\d.]+)"[^>]* text-anchor="(\w+)">([^<]*)</g)]
  expect(texts.length).toBeGreaterThan(47)
  for (const [, x = '', anchor, { length } = ''] of texts) {
    const from = Number(x) - (anchor === 'start' ? 0 : anchor === 'middle' ? length * 3.5 : length * 7)
    expect(from).toBeGreaterThanOrEqual(0)
    expect(from + length * 7).toBeLessThanOrEqual(760)
  }
})

test('a comparison has a bar for what is, a mark for what was, and a gap for what nobody knows', () => {
  const { svg } = barCharts(
    TEXT,
    [
      { tick: null, says: 'oboje', value: 4, before: 2 },
      { tick: null, says: 'ništa prodano', value: 0, before: null },
      { tick: null, says: 'tek dolazi', value: null, before: 3 },
      { tick: null, says: 'nepoznato', value: null, before: null },
    ],
    4,
  )
  const places = [...svg.matchAll(/<g class="day">(.*?)<\/g>/g)].map(([, place = '']) => ({
    bar: place.includes('class="bar"'),
    mark: place.includes('class="usual"'),
  }))
  expect(places).toEqual([
    { bar: true, mark: true },
    { bar: true, mark: false },
    { bar: false, mark: true },
  ])
})
