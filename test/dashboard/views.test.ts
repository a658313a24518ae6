import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const VIEWS = join(import.meta.dirname, '../../src/dashboard')
const views = readdirSync(VIEWS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.eta'))
  .map((file) => ({ file, text: readFileSync(join(VIEWS, file), 'utf8') }))

/** Other views, the cells of a table, and what the server has drawn itself. */
const MARKUP = /^(?:include\(|field\(|html\(row\)$|row\([\w., ']+\)$|it\.body$|it\.qr$|svg$|chart\.(?:svg|phone)$)/

test('views write everything escaped, but for other views, charts and QR codes', () => {
  const raw = views.flatMap(({ file, text }) =>
    [...text.matchAll(/<%~([\s\S]*?)%>/g)].map(([, written = '']) => [file, written.trim()] as const),
  )
  expect(raw.length).toBeGreaterThan(50)
  expect(raw.filter(([, written]) => !MARKUP.test(written))).toEqual([])
})

test('the cells of a table that are no texts are other views, or written in the view', () => {
  const cells = views.flatMap(({ text }) => [...text.matchAll(/\bhtml: (.*)/g)].map(([, written = '']) => written))
  expect(cells.length).toBeGreaterThan(20)
  expect(cells.filter((written) => !/^\([^()]*\) => (?:include|capture)\(/.test(written))).toEqual([])
})

test('views hold no script and no style of their own, which the content security policy would refuse', () => {
  const inline = /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i
  expect(views.filter(({ text }) => inline.test(text)).map(({ file }) => file)).toEqual([])
})
